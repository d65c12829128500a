import { channel } from 'node:diagnostics_channel'
import { it } from 'vitest'
import { TEST_USERNAME } from '../secrets.ts'

it('publishes an event with an account in it', () => {
  channel('headrace:event').publish({ type: 'response', meta: { url: `https://${TEST_USERNAME}@localhost/` } })
})
