import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprint, startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, basic, historicalPath, logIn, type Reply } from '../ask.ts'
import { createHandClock, type HandClock } from '../hand-clock.ts'

const MINUTE = 60_000
const PATH = historicalPath('2024-03-01T00:00Z', '2024-03-01T00:10Z')
let clock: HandClock
let simulator: Simulator

beforeEach(async () => {
  clock = createHandClock('2026-06-01T12:00:00Z')
  simulator = await startSimulator({
    clock,
    accounts: [
      { username: 'demo', password: 'demo-pass-1!', plan: 'pro' },
      { username: 'zoë', password: 'with:colon-ß1', plan: 'free' },
    ],
  })
})
afterEach(() => simulator.close())

const statusWith = async (token: string): Promise<number | undefined> =>
  (await ask(simulator.url + PATH, { token })).status

describe('GET /login', () => {
  it('gives a new token each time, and the old ones stay good', async () => {
    const [first, second] = [await logIn(simulator), await logIn(simulator)]
    expect(first).toMatch(/^sim-token-1-/)
    expect(second).toMatch(/^sim-token-2-/)
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200])
  })

  it('gives tokens that no other simulator honours', async () => {
    const other = await startSimulator()
    expect(await statusWith(await logIn(other))).toBe(401)
    await other.close()
  })

  it('reads credentials as UTF-8, and a colon in the password as part of it', async () => {
    expect((await ask(`${simulator.url}/login`, { headers: basic('zoë:with:colon-ß1') })).status).toBe(200)
  })

  it.each([
    ['a wrong password', basic('demo:demo')],
    ['an unknown user', basic('nobody:demo-pass-1!')],
    ['no colon', basic('demo')],
    ['a bearer token', { authorization: 'Bearer sim-token-1' }],
    ['nothing', {}],
  ])('answers %s with 401 and no token', async (_, headers) => {
    const reply = await ask(`${simulator.url}/login`, { headers: { ...headers } })
    expect(reply.status).toBe(401)
    expect(reply.text).not.toContain('token')
  })
})

describe('a token', () => {
  it('is good for 30 minutes of the clock that was handed in', async () => {
    const token = await logIn(simulator)
    clock.advance(30 * MINUTE - 1)
    expect(await statusWith(token)).toBe(200)
    clock.advance(1)
    expect(await statusWith(token)).toBe(401)
  })

  it('is refused after `expireTokens`, and a later one is not', async () => {
    const token = await logIn(simulator)
    simulator.expireTokens()
    expect(await statusWith(token)).toBe(401)
    expect(await statusWith(await logIn(simulator))).toBe(200)
  })

  it('stays good over a reset', async () => {
    const token = await logIn(simulator)
    simulator.reset()
    expect(await statusWith(token)).toBe(200)
  })

  it('can be told from others in the record, where it is never shown', async () => {
    const token = await logIn(simulator)
    await statusWith(token)
    const [login, data] = simulator.requests
    expect(login).toMatchObject({ path: '/login', user: 'demo', isAccount: true })
    expect(data).toMatchObject({ token: fingerprint(token), tokenNumber: 1, user: 'demo', isAccount: false })
    expect(JSON.stringify(simulator.requests)).not.toContain('sim-token-')
    expect(JSON.stringify(simulator.requests)).not.toContain(basic('demo:demo-pass-1!').authorization.slice(6))
  })
})

describe('POST /register', () => {
  const register = (fields: object): Promise<Reply> =>
    ask(`${simulator.url}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
  const fields = { username: 'freddo', password: 'Fr0g!frog', email: 'freddo@example.org', org: null }

  it('makes an account of the free plan', async () => {
    const reply = await register(fields)
    expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { ok: 'User created', user: 'freddo' }])
    const token = await logIn(simulator, 'freddo:Fr0g!frog')
    expect(await statusWith(token)).toBe(200)
    expect((await ask(`${simulator.url}/v3/maps?signal_type=co2_moer`, { token })).status).toBe(403)
  })

  it.each([
    ['a name that is taken', { ...fields, username: 'demo' }, 400],
    ['a weak password', { ...fields, password: 'frogfrog' }, 400],
    ['no e-mail address', { ...fields, email: 'freddo' }, 400],
    ['a field left out', { username: 'freddo', password: 'Fr0g!frog' }, 422],
  ])('refuses %s', async (_, given, status) => {
    expect((await register(given)).status).toBe(status)
  })

  it('refuses what is no JSON', async () => {
    expect((await ask(`${simulator.url}/register`, { method: 'POST', body: 'username=freddo' })).status).toBe(422)
  })

  it('keeps no body in the record', async () => {
    await register(fields)
    expect(JSON.stringify(simulator.requests)).not.toContain('Fr0g')
  })
})

describe('GET /password', () => {
  it.each(['/password', '/password/'])('promises a message: %s', async path => {
    const reply = await ask(`${simulator.url}${path}?username=demo`)
    expect([reply.status, JSON.parse(reply.text)]).toEqual([
      200,
      { ok: 'Please check your email for the password reset link' },
    ])
  })

  it('wants to know for whom', async () => {
    const reply = await ask(`${simulator.url}/password`)
    expect([reply.status, JSON.parse(reply.text)]).toEqual([
      400,
      { error: 'A problem occurred, your request could not be processed' },
    ])
  })
})

describe('a path that does not exist', () => {
  it.each(['DELETE', 'OPTIONS', 'POST'])('cannot be asked with %s either', async method => {
    expect((await ask(simulator.url + PATH, { method, token: await logIn(simulator) })).status).toBe(404)
  })

  it.each(['/v3/nothing', '/v2/data', '/', '/v3/historical/'])('%s is a 404', async path => {
    const reply = await ask(simulator.url + path, { token: await logIn(simulator) })
    expect(reply.status).toBe(404)
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
  })
})
