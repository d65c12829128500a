import { describe, expect, it } from 'vitest'
import type { EmissionsOptions } from '../../../src/adapters/emissions/index.ts'
import type { FaultAction } from '../../../src/simulator/index.ts'
import { listen, simulate } from '../../support/emissions.ts'
import { emissionsBody } from '../../support/fixtures.ts'
import { patientClient } from '../../support/patient-client.ts'

const region = 'CAISO_NORTH'
const hour = { region, start: '2024-03-01', end: '2024-03-01T01:00Z' }
const scopeWords = 'Invalid scope. You do not have sufficient access to this resource'

/** What a call that fails leaves behind: the error's failure, and the record of the simulator. */
async function failing(action: FaultAction, path?: string, options: EmissionsOptions = {}) {
  const simulator = await simulate({ faults: [{ ...(path ? { path } : {}), do: action }] })
  const { events, onEvent } = listen()
  const error: unknown = await patientClient(simulator, options)
    .getHistorical(hour, { onEvent })
    .catch((thrown: unknown) => thrown)
  return { error, events, stats: simulator.stats, requests: simulator.requests }
}

describe('F45: what is no error', () => {
  it('a field for errors that holds nothing is one more field', async () => {
    const text = '{"data":[],"meta":{},"error":null}'
    const simulator = await simulate({ faults: [{ path: '/v3/historical', do: { type: 'body', text } }] })
    expect((await patientClient(simulator).getHistorical(hour)).rows).toEqual([])
  })
})

describe('F23: logging in', () => {
  it.each<[string, FaultAction, number | undefined]>([
    ['401 in HTML', { type: 'status', status: 401 }, 401],
    [
      '403 in HTML',
      { type: 'status', status: 403, body: emissionsBody('error.bad-credentials.html'), contentType: 'text/html' },
      403,
    ],
    ['403 without a body', { type: 'status', status: 403, body: '' }, 403],
    ['200 without a token', { type: 'body', text: '{}' }, 200],
    ['200 with an empty token', { type: 'body', text: '{"token":""}' }, 200],
    ['200 with a token that is no text', { type: 'body', text: '{"token":5}' }, 200],
    ['200 with a web page', { type: 'html', label: 'application/json' }, 200],
  ])('R43: %s is final: one login, no data request, kind login', async (_what, action, status) => {
    const { error, stats } = await failing(action, '/login')
    expect(error).toMatchObject({ kind: 'login', status })
    expect(stats).toMatchObject({ logins: 1, dataRequests: 0 })
  })

  it('R43: wrong credentials are final', async () => {
    const simulator = await simulate()
    await expect(patientClient(simulator, { password: 'wrong' }).getHistorical(hour)).rejects.toMatchObject({
      kind: 'login',
      status: 401,
    })
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 0 })
  })

  it.each<[string, FaultAction]>([
    ['429 that names a wait', { type: 'status', status: 429, headers: { 'retry-after': '0' } }],
    ['503', { type: 'status', status: 503 }],
    ['500', { type: 'status', status: 500 }],
    ['a reset', { type: 'reset', at: 'before-headers' }],
    ['an answer cut short', { type: 'cut', at: 0.5 }],
  ])('R43: %s is repeated like any request', async (_what, action) => {
    const simulator = await simulate({ faults: [{ path: '/login', when: { nth: 1 }, do: action }] })
    expect((await patientClient(simulator).getHistorical(hour)).rows).toHaveLength(13)
    expect(simulator.stats).toMatchObject({ logins: 2, dataRequests: 1 })
  })

  it('R43, R4: no answer in time is not repeated', async () => {
    const { error, stats } = await failing({ type: 'hang' }, '/login', { readTimeoutMs: 500 })
    expect(error).toMatchObject({ kind: 'timeout' })
    expect(stats).toMatchObject({ logins: 1, dataRequests: 0 })
  })

  it('R41: happens once for everybody who waits', async () => {
    const simulator = await simulate()
    const client = patientClient(simulator)
    await Promise.all(Array.from({ length: 8 }, () => client.getForecast({ region, horizonHours: 0 })))
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 8 })
    expect(new Set(simulator.requests.map(({ tokenNumber }) => tokenNumber))).toEqual(new Set([undefined, 1]))
  })
})

describe('R7: a token that is refused', () => {
  it('F20: is renewed once; a second refusal is final', async () => {
    const { error, stats, events } = await failing({ type: 'status', status: 401 })
    expect(error).toMatchObject({ kind: 'http_401', status: 401 })
    expect(stats).toMatchObject({ logins: 2, dataRequests: 2 })
    expect(events.filter(({ type }) => type === 'refresh')).toMatchObject([
      { reason: 'missing' },
      { reason: 'refused' },
    ])
  })

  it('the contract, section 8.8: is recognised though its answer is HTML', async () => {
    const simulator = await simulate({ faults: [{ when: { nth: 1 }, do: { type: 'expireToken' } }] })
    const { rows, meta } = await patientClient(simulator).getHistorical(hour)
    expect(rows).toHaveLength(13)
    expect(meta).toMatchObject([{ attempts: 2 }])
    expect(simulator.stats).toMatchObject({ logins: 2, dataRequests: 2 })
  })
})

describe('R8: 403 on data', () => {
  it('the contract, section 6: shows what the plan lacks, and logs in no second time', async () => {
    const simulator = await simulate()
    const client = patientClient(simulator, { username: 'free', password: 'free-pass-1!' })
    await expect(client.getHistorical({ ...hour, region: 'PJM_NJ' })).rejects.toMatchObject({
      kind: 'http_4xx',
      status: 403,
      message: expect.stringContaining(scopeWords) as string,
      failure: { serverMessage: expect.stringContaining(scopeWords) as string, attempts: 1 },
    })
    await expect(client.getMaps()).rejects.toMatchObject({
      name: 'RequestError',
      status: 403,
      serverMessage: expect.stringContaining(scopeWords) as string,
    })
    expect(simulator.stats).toMatchObject({ logins: 1, dataRequests: 2 })
  })

  it('in the older words that were recorded', async () => {
    const body = emissionsBody('error.invalid-scope.json')
    const { error, stats } = await failing({ type: 'status', status: 403, body, contentType: 'application/json' })
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining(scopeWords) as string })
    expect(stats).toMatchObject({ logins: 1, dataRequests: 1 })
  })

  it('in HTML, from the gateway, is final, too', async () => {
    const body = emissionsBody('error.bad-credentials.html')
    const { error, stats } = await failing({ type: 'status', status: 403, body, contentType: 'text/html' })
    expect(error).toMatchObject({
      kind: 'http_4xx',
      status: 403,
      message: expect.stringContaining('403 Forbidden') as string,
    })
    expect(stats).toMatchObject({ logins: 1, dataRequests: 1 })
  })
})

describe("F11: the service's own words", () => {
  it.each<[string, number, string | object, string]>([
    ['as documented', 400, { error: 'INVALID_QUERY_PARAMS', message: 'bad region', docs: 'x' }, 'bad region'],
    [
      'as in its own example',
      400,
      emissionsBody('error.invalid-query.json'),
      "You've provided invalid parameters in your query",
    ],
    ['as a label only', 400, { error: 'span too long' }, 'span too long'],
    [
      'as findings of a validation',
      422,
      { detail: [{ loc: ['query', 'start'], msg: 'field required', type: 'x' }] },
      'field required',
    ],
    ['as a text', 400, 'no such thing\nat all', 'no such thing'],
  ])('%s', async (_form, status, body, words) => {
    const { error, stats, requests } = await failing({ type: 'status', status, body })
    const request = requests.find(({ isAccount }) => !isAccount)
    expect(error).toMatchObject({ kind: 'http_4xx', status, failure: { serverMessage: words, attempts: 1 } })
    expect((error as Error).message).toContain(words)
    expect(request).toBeDefined()
    expect(stats.dataRequests).toBe(1)
  })

  it('the contract, section 6: come with the number that its support asks for', async () => {
    const { error } = await failing({ type: 'status', status: 400 })
    expect(error).toMatchObject({ failure: { requestId: expect.stringMatching(/^[0-9a-f]{32}$/) as string } })
  })
})

describe('R10, F45: a failure inside a success', () => {
  it.each<[string, string]>([
    ['{"error":"the database is down"}', 'the database is down'],
    ['{"code":"E_INTERNAL","message":"the database is down"}', 'the database is down'],
    ['{"detail":[{"msg":"field required"}]}', 'field required'],
  ])('is a bad response with its words, not zero rows: %s', async (text, words) => {
    const { error, stats } = await failing({ type: 'body', text })
    expect(error).toMatchObject({ kind: 'bad_response', status: 200, failure: { serverMessage: words } })
    expect(stats.dataRequests).toBe(1)
  })

  it.each(['{"code":"OVER_RATE_LIMIT"}', '{"error":"Too many requests"}'])(
    'is repeated like a 429 when it says so: %s',
    async text => {
      const simulator = await simulate({ faults: [{ when: { nth: 1 }, do: { type: 'body', text } }] })
      expect((await patientClient(simulator).getHistorical(hour)).rows).toHaveLength(13)
      expect(simulator.stats.dataRequests).toBe(2)
      const { error } = await failing({ type: 'body', text })
      expect(error).toMatchObject({ kind: 'rate_limited' })
    },
  )

  it.each([
    ['text/html', 'a web page came where JSON was due'],
    ['application/json', 'a web page came where JSON was due'],
  ])('F44: a maintenance page labelled %s is refused with its first words', async (label, words) => {
    const { error, stats } = await failing({ type: 'html', label })
    expect(error).toMatchObject({ kind: 'bad_response', status: 200 })
    expect((error as Error).message).toContain(words)
    expect((error as Error).message).toContain('Maintenance')
    expect(stats.dataRequests).toBe(1)
  })
})
