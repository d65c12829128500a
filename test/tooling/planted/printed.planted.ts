import { it } from 'vitest'
import { TOKEN_PREFIX } from '../secrets.ts'

it('prints a token', () => {
  console.log(`token: ${TOKEN_PREFIX}0001`)
})
