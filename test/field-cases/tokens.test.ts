import { describe, expect, it } from 'vitest'
import { createEmissions } from '../../src/adapters/emissions/index.ts'
import type { Fault } from '../../src/simulator/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { listen, SHORT } from '../support/emissions.ts'
import {
  asTruth,
  clientFor,
  dataRequests,
  errorOf,
  hung,
  MINUTE_MS,
  PATIENT,
  REGION,
  simulateCase,
} from '../support/field-case.ts'
import { TEST_PASSWORD, TEST_USERNAME } from '../tooling/secrets.ts'

/** Eight chunks of a day. */
const EIGHT_DAYS = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-08T23:55Z' } as const
const BY_DAY = { ...PATIENT, chunk: 'P1D', concurrency: 8 } as const
const ONE_DAY = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-01T23:55Z' } as const

describe('F19: a first token that is refused everywhere', () => {
  it.each<[string, Fault['do']]>([
    ['with a status', { type: 'status', status: 401 }],
    ['for good', { type: 'expireToken' }],
    ['late, one after the other', { type: 'status', status: 401 }],
  ])('F19: eight workers log in twice in all, and every row comes, refused %s', async (how, action) => {
    const late: Fault[] = how.startsWith('late')
      ? [1, 2, 3, 4, 5, 6, 7, 8].map(nth => ({ when: { nth, tokenNumber: 1 }, do: { type: 'latency', ms: 10 * nth } }))
      : []
    const simulator = await simulateCase({ faults: [...late, { when: { tokenNumber: 1 }, do: action }] })
    const { events, onEvent } = listen()
    const { rows } = await clientFor(simulator, BY_DAY).getHistorical(EIGHT_DAYS, { onEvent })
    expect(asTruth(rows)).toEqual(simulator.truth.historical(EIGHT_DAYS))
    expect(simulator.stats.logins).toBe(2)
    expect(simulator.stats.dataRequests).toBeLessThanOrEqual(16)
    expect(simulator.stats.statuses['401']).toBe(simulator.stats.dataRequests - 8)
    expect(events.flatMap(event => (event.type === 'refresh' ? [event.reason] : []))).toEqual(['missing', 'refused'])
  })
})

describe('F20: a service that refuses every token', () => {
  it('F20: two logins, two hits, then http_401', async () => {
    const simulator = await simulateCase({ faults: [{ do: { type: 'status', status: 401 } }] })
    const error = await errorOf(clientFor(simulator, PATIENT).getHistorical(ONE_DAY))
    expect(error).toMatchObject({ kind: 'http_401', status: 401, failure: { kind: 'http_401', attempts: 2 } })
    expect(simulator.stats).toMatchObject({ logins: 2, dataRequests: 2 })
  })

  it('F20: the same for a question without a span', async () => {
    const simulator = await simulateCase({ faults: [{ do: { type: 'expireToken' } }] })
    const error = await errorOf(clientFor(simulator, PATIENT).getAccess())
    expect(error).toMatchObject({ name: 'RequestError', kind: 'http_401', status: 401 })
    expect(simulator.stats).toMatchObject({ logins: 2, dataRequests: 2 })
  })
})

describe('F21: a token whose life is over', () => {
  it.each([
    ['just before its end, as far as we know', 26],
    ['past its end', 31],
  ])('F21: is renewed once for eight workers, and never sent again, %s', async (_, minutes) => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock })
    const client = clientFor(simulator, { clock, ...BY_DAY })
    await drive(clock, () => client.getHistorical(ONE_DAY))
    await clock.advance(minutes * MINUTE_MS)
    simulator.reset()
    const { rows } = await drive(clock, () => client.getHistorical(EIGHT_DAYS))
    expect(rows).toHaveLength(8 * 288)
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 8, statuses: { 200: 9 } })
    expect(dataRequests(simulator).map(({ tokenNumber }) => tokenNumber)).toEqual(Array(8).fill(2))
  })

  it('F21: a token that is good is used again', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock })
    const client = clientFor(simulator, { clock, ...BY_DAY })
    await drive(clock, () => client.getHistorical(ONE_DAY))
    await clock.advance(24 * MINUTE_MS)
    await drive(clock, () => client.getHistorical(EIGHT_DAYS))
    expect(simulator.stats.logins).toBe(1)
  })
})

describe('F23: logins that go wrong', () => {
  it.each<[string, Fault['do']]>([
    ['without a token in it', { type: 'body', text: '{"ok": true}' }],
    ['with a web page', { type: 'html' }],
    ['with an empty token', { type: 'body', text: '{"token": ""}' }],
    ['with a plain text', { type: 'body', text: 'welcome' }],
    ['with nothing', { type: 'body', text: '' }],
  ])('F23: an answer of success %s is a failed login: one login, no data request', async (_, action) => {
    const simulator = await simulateCase({ faults: [{ path: '/login', do: action }] })
    const error = await errorOf(
      clientFor(simulator, { ...PATIENT, concurrency: 8, chunk: 'P1D' }).getHistorical(EIGHT_DAYS),
    )
    expect(error).toMatchObject({ kind: 'login', failure: { operation: 'login', kind: 'login' } })
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 0 })
  })

  it.each([401, 403])('F23: a login refused with %i is final: one login, no data request', async status => {
    const simulator = await simulateCase({ faults: [{ path: '/login', do: { type: 'status', status } }] })
    const error = await errorOf(clientFor(simulator, BY_DAY).getHistorical(EIGHT_DAYS))
    expect(error).toMatchObject({ kind: 'login', status, failure: { operation: 'login' } })
    expect((error as Error).message).toContain('Check the user name')
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 0 })
  })

  it('F23: wrong credentials are refused by the service itself', async () => {
    const simulator = await simulateCase()
    const error = await errorOf(clientFor(simulator, { ...PATIENT, username: 'nobody-known' }).getAccess())
    expect(error).toMatchObject({ name: 'RequestError', kind: 'login' })
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 0 })
  })

  it('F23: a login that is told to wait waits, then works', async () => {
    const clock = createManualClock()
    const faults: Fault[] = [
      { path: '/login', when: { upTo: 1 }, do: { type: 'status', status: 429, headers: { 'retry-after': '1' } } },
    ]
    const simulator = await simulateCase({ clock, faults })
    const { rows } = await drive(clock, () => clientFor(simulator, { clock, ...BY_DAY }).getHistorical(EIGHT_DAYS))
    expect(rows).toHaveLength(8 * 288)
    expect(simulator.stats).toMatchObject({ logins: 2, dataRequests: 8, duringPause: 0 })
    const [refused, again] = simulator.requests
    expect((again?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(1000)
  })

  it('F23: a login that hangs is not repeated, and no data request is sent', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ path: '/login', do: { type: 'hang' } }] })
    const client = clientFor(simulator, { clock, chunk: 'P1D', concurrency: 8 })
    const error = await drive(clock, () => errorOf(client.getHistorical(EIGHT_DAYS)), { held: () => hung(simulator) })
    expect(error).toMatchObject({ kind: 'timeout', failure: { operation: 'login', attempts: 1 } })
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 0 })
  })

  it("F23: a region that is not in the plan is one hit, no new login, and the service's own words", async () => {
    const message = "Invalid scope: 'CAISO_NORTH' is the only region you may ask for"
    const simulator = await simulateCase({
      faults: [{ do: { type: 'status', status: 403, body: { error: 'Invalid scope', message } } }],
    })
    const error = await errorOf(clientFor(simulator, PATIENT).getHistorical(ONE_DAY))
    expect(error).toMatchObject({ kind: 'http_4xx', status: 403 })
    expect((error as Error).message).toContain(message)
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 1 })
  })

  it('F23: a call without credentials is refused before any request, by the name of what is missing', async () => {
    const simulator = await simulateCase()
    const client = createEmissions({ ...SHORT, baseUrl: simulator.url, env: {} })
    const error = await errorOf(client.getAccess())
    expect(error).toMatchObject({ name: 'ConfigurationError', setting: 'username', source: 'WATTTIME_USER' })
    expect(simulator.requests).toEqual([])
  })
})

describe('F24: two users in one process', () => {
  it('F24: each client logs in as its own user, and the environment is left alone', async () => {
    const first = { username: TEST_USERNAME, password: TEST_PASSWORD, plan: 'pro' } as const
    const second = { username: 'second-user', password: 'second-Passw0rd!', plan: 'pro' } as const
    const simulator = await simulateCase({ accounts: [first, second] })
    const env = { WATTTIME_USER: second.username, WATTTIME_PASSWORD: second.password }
    const before = { ...process.env }
    const clients = [
      clientFor(simulator, { ...BY_DAY, env }),
      createEmissions({ ...SHORT, ...BY_DAY, env, baseUrl: simulator.url }),
    ]
    const results = await Promise.all(clients.map(async client => client.getHistorical(EIGHT_DAYS)))
    expect(results.map(({ rows }) => rows.length)).toEqual([2304, 2304])
    const users = simulator.requests.map(({ user, path }) => `${user} ${path}`).sort()
    expect(users).toEqual(
      [
        ...Array<string>(8).fill('second-user /v3/historical'),
        'second-user /login',
        ...Array<string>(8).fill(`${TEST_USERNAME} /v3/historical`),
        `${TEST_USERNAME} /login`,
      ].sort(),
    )
    expect({ ...process.env }).toEqual(before)
    expect(env).toEqual({ WATTTIME_USER: second.username, WATTTIME_PASSWORD: second.password })
  })

  it('F24: an argument beats the environment, one by one', async () => {
    const simulator = await simulateCase()
    const env = {
      WATTTIME_USER: 'somebody-else',
      WATTTIME_PASSWORD: TEST_PASSWORD,
      WATTTIME_API_URL: 'https://nowhere.example',
    }
    const client = createEmissions({ ...SHORT, ...PATIENT, env, username: TEST_USERNAME, baseUrl: simulator.url })
    await client.getAccess()
    expect(simulator.requests.map(({ user }) => user)).toEqual([TEST_USERNAME, TEST_USERNAME])
    expect(client.describeSettings().slice(0, 3)).toMatchObject([
      { setting: 'baseUrl', source: 'client option' },
      { setting: 'username', value: 'set', source: 'client option' },
      { setting: 'password', value: 'set', source: 'WATTTIME_PASSWORD' },
    ])
  })

  it('F24: an empty argument is not set, so the environment holds', async () => {
    const simulator = await simulateCase()
    const env = { WATTTIME_USER: TEST_USERNAME, WATTTIME_PASSWORD: TEST_PASSWORD, WATTTIME_API_URL: simulator.url }
    await createEmissions({ ...SHORT, ...PATIENT, env, username: '', password: ' ', baseUrl: '' }).getAccess()
    expect(simulator.stats).toMatchObject({ logins: 1, statuses: { 200: 2 } })
  })
})
