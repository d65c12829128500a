import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Account } from '../options.ts'
import type { Asker } from '../service.ts'

/** Accounts and the tokens given to them. */
export interface Tokens {
  /** A new token for these Basic credentials, or `undefined` when they are wrong. */
  issue(authorization: string | undefined): string | undefined
  /** Owner of a token that is good now. */
  holder(authorization: string | undefined): Account | undefined
  /** Who a header says it is, good or not. */
  identify(authorization: string | undefined): Asker
  refuse(authorization: string | undefined): void
  refuseAll(): void
  /** Adds an account; false when the name is taken. */
  register(account: Account): boolean
}

interface Token {
  readonly number: number
  readonly account: Account
  readonly issuedAt: number
  refused: boolean
}

/** An office that knows these accounts. Tokens contain `sim-token-`, so that a leaked one is easy to search for. */
export function createTokens(accounts: readonly Account[], clock: Clock, lifeMs: number): Tokens {
  const known = new Map(accounts.map(account => [account.username, account]))
  const tokens = new Map<string, Token>()
  const salt = randomBytes(6).toString('hex')
  const find = (authorization: string | undefined): Token | undefined =>
    tokens.get(/^Bearer +(.+)$/i.exec(authorization ?? '')?.[1] ?? '')

  return {
    issue(authorization) {
      const { username, password } = readBasic(authorization)
      const account = known.get(username)
      if (account === undefined || account.password !== password) return undefined
      const number = tokens.size + 1
      const text = `sim-token-${number}-${salt}`
      tokens.set(text, { number, account, issuedAt: clock.monotonic(), refused: false })
      return text
    },
    holder(authorization) {
      const token = find(authorization)
      const isGood = token !== undefined && !token.refused && clock.monotonic() - token.issuedAt < lifeMs
      return isGood ? token.account : undefined
    },
    identify(authorization) {
      const token = find(authorization)
      if (token) return { user: token.account.username, tokenNumber: token.number }
      const { username } = readBasic(authorization)
      return username === '' ? {} : { user: username }
    },
    refuse(authorization) {
      const token = find(authorization)
      if (token) token.refused = true
    },
    refuseAll() {
      for (const token of tokens.values()) token.refused = true
    },
    register(account) {
      if (known.has(account.username)) return false
      known.set(account.username, account)
      return true
    },
  }
}

function readBasic(authorization: string | undefined): { username: string; password: string } {
  const encoded = /^Basic +(.+)$/i.exec(authorization ?? '')?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0
    ? { username: '', password: '' }
    : { username: text.slice(0, colon), password: text.slice(colon + 1) }
}
