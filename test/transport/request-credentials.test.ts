import { describe, expect, it } from 'vitest'
import type { Credential } from '../../src/transport/credential.ts'
import { askToy, errorIn } from '../support/asking.ts'
import { serve, type ToyAnswer } from '../support/toy-service.ts'

const ok: ToyAnswer = { body: { fine: true } }
const busy: ToyAnswer = { status: 503, body: 'busy' }

describe('addresses', () => {
  it.each([
    ['undefined/v1', 'not an address: undefined/v1'],
    ['ftp://toy.test/a', 'the scheme ftp:// is not supported; use https://'],
  ])('R2 F11: %s is settled before anything is sent', async (url, words) => {
    const toy = await askToy(() => ok)
    const error = errorIn(await toy.perform(toy.call(), { url }))
    expect(error).toMatchObject({ kind: 'connection', attempts: 0 })
    expect(error.message).toContain(words)
  })

  it('R40: a redirect is followed, up to five times', async () => {
    const toy = await askToy(({ path }) => {
      const hop = Number(path.slice(2))
      return hop < 5 ? { status: 302, headers: { location: `/h${hop + 1}` } } : ok
    })
    const end = await toy.perform(toy.call(), { url: `${toy.server.url}/h0` })
    expect(end).toMatchObject({ ok: true, facts: { url: `${toy.server.url}/h5`, attempts: 6 } })
    const endless = await askToy(() => ({ status: 302, headers: { location: '/again' } }))
    const error = errorIn(await endless.perform(endless.call()))
    expect(error).toMatchObject({ kind: 'other', attempts: 6 })
    expect(error.message).toContain('more than 5 redirects in a row')
  })

  it('R40 F22: no secret goes to another host, by whatever header', async () => {
    const elsewhere = await serve(() => ok)
    const credential = fakeCredential({ authorization: 'Bearer t-1', 'x-api-key': 'k-1' })
    const toy = await askToy(() => ({ status: 302, headers: { location: `${elsewhere.url}/b` } }), { credential })
    await toy.perform(toy.call(), { headers: { authorization: 'Basic of-a-login', accept: 'text/csv' } })
    expect(toy.server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer t-1', 'x-api-key': 'k-1' })
    const [there] = elsewhere.requests
    expect(there?.headers).toMatchObject({ accept: 'text/csv' })
    expect(JSON.stringify(there?.headers)).not.toMatch(/t-1|k-1|of-a-login/)
  })

  it('R40: nor along with a request to another host in the first place', async () => {
    const elsewhere = await serve(() => ok)
    const toy = await askToy(() => ok, { credential: fakeCredential({ 'x-api-key': 'k-1' }) })
    await toy.perform(toy.call(), { url: `${elsewhere.url}/b` })
    await toy.perform(toy.call(), { authorized: false })
    expect([elsewhere, toy.server].map(({ requests }) => requests[0]?.headers['x-api-key'])).toEqual([
      undefined,
      undefined,
    ])
  })
})

/** A credential with headers by hand; counts what it is asked. */
function fakeCredential(
  headers: Record<string, string>,
  more: Partial<Credential> = {},
): Credential & { readies: number } {
  const credential = {
    account: 'account',
    readies: 0,
    secrets: () => [],
    headers: () => headers,
    refused: () => false,
    ...more,
    ready: async () => {
      credential.readies += 1
    },
  }
  return credential
}

describe('credentials', () => {
  const refused: ToyAnswer = { status: 401, body: { message: 'bad token' } }

  it('R7 F20: a refused token is renewed once, then it is final', async () => {
    const tokens = ['t-1', 't-2', 't-3']
    let token = tokens.shift()
    const credential = fakeCredential(
      {},
      {
        headers: () => ({ authorization: `Bearer ${token}` }),
        refused: () => {
          token = tokens.shift()
          return true
        },
      },
    )
    const toy = await askToy(() => refused, { credential })
    const error = errorIn(await toy.perform(toy.call()))
    expect(error).toMatchObject({ kind: 'http_401', status: 401, attempts: 2, serverMessage: 'bad token' })
    expect(toy.server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t-1', 'Bearer t-2'])
  })

  it('R41: as long as others renew it under our feet, the newer one is tried, up to three times', async () => {
    let token = 0
    const credential = fakeCredential(
      {},
      { headers: () => ({ authorization: `Bearer t-${(token += 1)}` }), refused: () => true },
    )
    const toy = await askToy(() => refused, { credential })
    expect(errorIn(await toy.perform(toy.call())).attempts).toBe(4)
  })

  it('R7: a key that is refused for good is not tried again', async () => {
    const toy = await askToy(() => refused, { credential: fakeCredential({ 'x-api-key': 'k-1' }) })
    expect(errorIn(await toy.perform(toy.call()))).toMatchObject({ kind: 'http_401', attempts: 1 })
  })

  it('R7 F23: only a 401 renews a token: a 403 is final, and the token stays', async () => {
    let refusals = 0
    const credential = fakeCredential(
      { authorization: 'Bearer t' },
      {
        refused: () => {
          refusals += 1
          return true
        },
      },
    )
    const toy = await askToy(() => ({ status: 403 }), { credential })
    expect(errorIn(await toy.perform(toy.call()))).toMatchObject({ kind: 'http_4xx', attempts: 1 })
    expect(refusals).toBe(0)
  })

  it('R7: a 401 where nothing was sent along is final', async () => {
    const toy = await askToy(() => refused)
    expect(errorIn(await toy.perform(toy.call()))).toMatchObject({ kind: 'http_401', attempts: 1 })
    const open = await askToy(() => refused, {
      credential: fakeCredential({ authorization: 'Bearer t' }, { refused: () => true }),
    })
    expect(errorIn(await open.perform(open.call(), { authorized: false }))).toMatchObject({
      kind: 'http_401',
      attempts: 1,
    })
  })

  it('R7: renewals do not use up repeats', async () => {
    const credential = fakeCredential({ authorization: 'Bearer t' }, { refused: () => true })
    const toy = await askToy(({ n }) => (n === 1 ? busy : n === 2 ? refused : n === 3 ? busy : ok), { credential })
    expect(await toy.perform(toy.call({ retries: 2 }))).toMatchObject({ ok: true, facts: { attempts: 4 } })
  })

  it('R7 R16: nor do they bring new ones', async () => {
    const credential = fakeCredential({ authorization: 'Bearer t' }, { refused: () => true })
    const toy = await askToy(({ n }) => (n === 2 ? refused : busy), { credential })
    expect(errorIn(await toy.perform(toy.call({ retries: 2 })))).toMatchObject({ kind: 'http_5xx', attempts: 4 })
    expect(toy.server.requests).toHaveLength(4)
  })

  it('R42: a token that ends while its request stands in line is renewed before it is sent', async () => {
    let looks = 0
    const credential = fakeCredential(
      {},
      { headers: () => ((looks += 1) === 1 ? undefined : { authorization: 'Bearer fresh' }) },
    )
    const toy = await askToy(() => ok, { credential })
    const rate = [{ requests: 1, perMs: 3_600_000 }]
    expect(await toy.perform(toy.call({ rate, concurrency: 1 }))).toMatchObject({ ok: true, facts: { attempts: 1 } })
    expect([credential.readies, toy.server.requests.map(({ headers }) => headers.authorization)]).toEqual([
      2,
      ['Bearer fresh'],
    ])
  })

  it('R43: a credential that cannot be had ends the request with its own error', async () => {
    const toy = await askToy(() => ok)
    const error = errorIn(await toy.perform(toy.call(), { url: 'undefined/v1' }))
    const credential: Credential = { ...fakeCredential({}), ready: () => Promise.reject(error) }
    const other = await askToy(() => ok, { credential })
    expect(await other.perform(other.call())).toEqual({ ok: false, split: false, error })
    expect(other.server.requests).toHaveLength(0)
  })
})
