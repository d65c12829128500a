import { it } from 'vitest'
import { seen } from '../leaks.ts'
import { TEST_PASSWORD } from '../secrets.ts'

it('writes a file with a password in it', () => {
  seen('file', `user,${encodeURIComponent(TEST_PASSWORD)}`)
})
