/**
 * The only credentials the tests use. Made up, and shaped so that a search for them has no false hits:
 * whatever the package shows, none of these may stand in it.
 */

export const TEST_USERNAME = 'leak-user-7f3a'
export const TEST_PASSWORD = 'leak-Passw0rd!9c1e'
export const TEST_API_KEY = 'leak-key-51d2'

/** How every token begins that the simulator issues. */
export const TOKEN_PREFIX = 'sim-token-'

const basic = Buffer.from(`${TEST_USERNAME}:${TEST_PASSWORD}`).toString('base64')

/** What to search for, with the name it gets in a report. A report never repeats the secret itself. */
export const SECRETS: readonly (readonly [label: string, text: string])[] = [
  ['user name', TEST_USERNAME],
  ['password', TEST_PASSWORD],
  // As it stands in an address or a form.
  ['password, percent-encoded', TEST_PASSWORD.replace('!', '%21')],
  ['user name and password, Basic', basic],
  ['API key', TEST_API_KEY],
  ['token', TOKEN_PREFIX],
]
