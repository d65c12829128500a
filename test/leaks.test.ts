import { describe, expect, it } from 'vitest'
import type { EmissionsClient, EmissionsOptions } from '../src/adapters/emissions/index.ts'
import { RequestError, RetrievalInterrupted, type CallOptions } from '../src/index.ts'
import type { Fault, FaultAction } from '../src/simulator/index.ts'
import { createFastClock } from './support/clocks.ts'
import { PATIENT, REGION, simulateCase } from './support/field-case.ts'
import { watchLeaks, type LeakWatch } from './support/leak-watch.ts'
import { serve, type ToyAnswer, type ToyRequest } from './support/toy-service.ts'
import { TEST_PASSWORD, TEST_USERNAME, TOKEN_PREFIX } from './tooling/secrets.ts'

/**
 * R44: secrets appear nowhere. Every kind of end is provoked with the test account, and everything that is shown on
 * the way is searched: errors with their causes, log lines, events, metadata, files, checkpoints, the simulator's record.
 */

type Call = (client: EmissionsClient, options: CallOptions) => unknown

const months = { region: REGION, start: '2024-01-01', end: '2024-03-10' }
const hour = { region: REGION, start: '2024-01-01', end: '2024-01-01T01:00Z' }
const account = { username: TEST_USERNAME, password: TEST_PASSWORD, email: 'leak@example.org' }

const calls: Readonly<Record<string, Call>> = {
  getAccess: (client, options) => client.getAccess({}, options),
  getRegion: (client, options) => client.getRegion({ latitude: 0, longitude: 0 }, options),
  getHistorical: (client, options) => client.getHistorical(months, options),
  streamHistorical: (client, options) => client.streamHistorical(months, options),
  planHistorical: client => client.planHistorical(months),
  getForecast: (client, options) => client.getForecast({ region: REGION, horizonHours: 0 }, options),
  getHistoricalForecast: (client, options) => client.getHistoricalForecast({ ...hour, horizonHours: 0 }, options),
  getSignalIndex: (client, options) => client.getSignalIndex({ region: REGION }, options),
  getFuelMix: (client, options) => client.getFuelMix(hour, options),
  getMaps: (client, options) => client.getMaps({}, options),
  // The answer to a registration names its user: that is what was asked for.
  register: (client, options) => client.register({ ...account, username: 'newcomer' }, options),
  requestPasswordReset: (client, options) => client.requestPasswordReset({}, options),
}

const statuses = [400, 401, 403, 404, 413, 422, 429, 500, 501, 502, 503, 504]
const actions: readonly FaultAction[] = [
  ...statuses.map((status): FaultAction => ({ type: 'status', status })),
  { type: 'status', status: 429, headers: { 'retry-after': '3600' } },
  { type: 'html' },
  { type: 'html', label: 'application/json' },
  { type: 'body', text: '' },
  { type: 'body', text: '{"data":' },
  { type: 'body', text: '{"data":{}}' },
  { type: 'body', text: '{"error":"no"}' },
  { type: 'body', text: '{"code":"OVER_RATE_LIMIT"}' },
  { type: 'expireToken' },
  { type: 'redirect', location: '/v3/my-access' },
  { type: 'redirect', location: 'http://localhost:9/elsewhere' },
  { type: 'redirect', location: 'ftp://127.0.0.1/' },
  { type: 'hang' },
  { type: 'silent', at: 0.5 },
  { type: 'reset', at: 'before-headers' },
  { type: 'reset', at: 0.5 },
  ...(['length', 'chunked', 'clean', 'gzip', 'close'] as const).map((lie): FaultAction => ({
    type: 'cut',
    at: 0.5,
    lie,
  })),
]

/** Waits twenty times shorter than they look; how often a slow machine is timed out does not matter here. */
const hurried = (): EmissionsOptions => ({
  retries: 1,
  stallMs: 0,
  connectTimeoutMs: 10_000,
  readTimeoutMs: 5_000,
  clock: createFastClock(20),
})

/** Nothing leaked; and what was to be searched was there. */
function expectClean(watch: LeakWatch, ...channels: readonly (keyof ReturnType<LeakWatch['counts']>)[]): void {
  expect(watch.leaks()).toEqual([])
  for (const channel of channels) expect(watch.counts()[channel] ?? 0, channel).toBeGreaterThan(0)
}

describe('R44: nothing is shown', () => {
  it.each(Object.entries(calls))('when all goes well: %s', async (_name, call) => {
    const simulator = await simulateCase()
    const watch = watchLeaks(simulator, PATIENT)
    await watch.run(call)
    watch.shown('simulator', [simulator.requests, simulator.stats])
    expectClean(watch, 'output', 'simulator')
    if (simulator.stats.dataRequests > 0) expectClean(watch, 'log', 'event')
  })

  it.each(actions.map(action => [JSON.stringify(action), action] as const))(
    'when data requests meet %s',
    async (_what, action) => {
      const simulator = await simulateCase({ faults: [{ do: action }] })
      const watch = watchLeaks(simulator, hurried())
      for (const call of Object.values(calls)) await watch.run(call)
      watch.shown('simulator', [simulator.requests, simulator.stats])
      expectClean(watch, 'error', 'log', 'event', 'simulator')
    },
  )

  it.each(
    actions.filter(({ type }) => type !== 'expireToken').map(action => [JSON.stringify(action), action] as const),
  )('when the login meets %s', async (_what, action) => {
    const faults: Fault[] = ['/login', '/register', '/password'].map(path => ({ path, do: action }))
    const simulator = await simulateCase({ faults })
    const watch = watchLeaks(simulator, hurried())
    for (const name of ['getHistorical', 'streamHistorical', 'getForecast', 'register', 'requestPasswordReset']) {
      await watch.run(calls[name] as Call)
    }
    watch.shown('simulator', [simulator.requests, simulator.stats])
    expectClean(watch, 'error', 'log', 'event', 'simulator')
  })

  it('when a retrieval is interrupted half-way, looked at, stored and taken up again', async () => {
    const simulator = await simulateCase({
      faults: [{ when: { startsFrom: '2024-02-15' }, do: { type: 'status', status: 503 } }],
    })
    const watch = watchLeaks(simulator, { ...PATIENT, concurrency: 1 })
    const error = await watch.run(calls['getHistorical'] as Call)
    expect(error).toBeInstanceOf(RetrievalInterrupted)
    simulator.setFaults([])
    await watch.run(() => (error as RetrievalInterrupted).resume())
    await watch.run(client => client.resumeFrom((error as RetrievalInterrupted).checkpoint()))
    expectClean(watch, 'error', 'file', 'meta', 'log', 'event')
  })

  it.each<[string, Call]>([
    [
      'a setting that makes no sense',
      (client, options) => client.getHistorical(hour, { ...options, retries: 'many' as never }),
    ],
    [
      'a query that cannot work',
      (client, options) => client.register({ ...account, email: undefined as never }, options),
    ],
    [
      'a registration in one list',
      (client, options) => client.register([TEST_USERNAME, TEST_PASSWORD] as never, options),
    ],
    ['the deadline', (client, options) => client.getHistorical(hour, { ...options, deadlineMs: 0 })],
    [
      'an abort',
      (client, options) => client.getHistorical(hour, { ...options, signal: AbortSignal.abort(new Error('enough')) }),
    ],
  ])('when a call ends for %s', async (_what, call) => {
    const simulator = await simulateCase()
    const watch = watchLeaks(simulator, PATIENT)
    expect(await watch.run(call)).toBeInstanceOf(Error)
    expectClean(watch, 'error')
  })

  it('when nobody can be reached', async () => {
    const watch = watchLeaks({ url: 'http://127.0.0.1:9' }, { ...PATIENT, retries: 1 })
    for (const call of Object.values(calls)) await watch.run(call)
    expectClean(watch, 'error', 'log', 'event')
  })
})

const token = `${TOKEN_PREFIX}echo-1`
const basic = Buffer.from(`${TEST_USERNAME}:${TEST_PASSWORD}`).toString('base64')
/** A secret in every spelling in which a chatty server could repeat it. */
function spelt(text: string): string[] {
  const form = new URLSearchParams({ text }).toString().slice('text='.length)
  return [text, encodeURIComponent(text), form, Buffer.from(text).toString('base64')]
}

const atLogin = [TEST_USERNAME, TEST_PASSWORD, `Basic ${basic}`, basic]
const afterLogin = [...atLogin, `Bearer ${token}`, token]
const row = { point_time: '2024-01-01T00:00:00Z', value: 1 }
/** Answers of a server that repeats whatever it was told. */
function echoes(secrets: readonly string[]): Readonly<Record<string, (request: ToyRequest) => ToyAnswer>> {
  const words = secrets.flatMap(spelt).join(' | ')
  const one = secrets.at(-1) ?? ''
  const page = `<!doctype html><html><head><title>403 ${words}</title></head><body>${words}</body></html>`
  const elsewhere = `/again/${encodeURIComponent(one)}?x=${encodeURIComponent(TEST_PASSWORD)}`
  return {
    'the header in an error message': ({ headers }) => ({
      status: 403,
      body: { message: `refused ${headers.authorization} ${words}` },
    }),
    'everything in an error label': () => ({ status: 400, body: { error: words } }),
    'everything in findings': () => ({
      status: 422,
      body: { detail: [{ loc: ['header'], msg: words, input: words }] },
    }),
    'everything in a page': () => ({ status: 403, body: page, headers: { 'content-type': 'text/html' } }),
    'everything in a text': () => ({ status: 400, body: words }),
    'the header in a 401': ({ headers }) => ({ status: 401, body: `${headers.authorization}` }),
    'everything in a 429': () => ({ status: 429, body: { message: words } }),
    'everything in a 503': () => ({ status: 503, body: words }),
    'everything in a 504': () => ({ status: 504, body: words }),
    'everything in a coverage answer': () => ({ status: 404, body: { error: `No coverage ${words}` } }),
    'an error in a success': () => ({ body: { error: words } }),
    'a page in a success': () => ({ body: page }),
    'what is no JSON': () => ({ body: `${words} {` }),
    'JSON that ends early': () => ({ body: `{"data": "${words}` }),
    'data of the wrong shape': () => ({ body: { data: [{ point_time: words, value: 1 }] } }),
    'warnings and metadata': () => ({
      body: {
        data: [row],
        meta: { warnings: [words, { type: words, message: words }], note: words, deep: { [words]: [words] } },
      },
    }),
    'the number of the request': () => ({ status: 400, body: {}, headers: { 'x-request-id': one } }),
    'the number of a request that succeeded': () => ({ body: { data: [row] }, headers: { 'x-request-id': one } }),
    'an odd content type': () => ({ body: { data: [row] }, headers: { 'content-encoding': one } }),
    'a redirect to another path': ({ path }) =>
      path.startsWith('/again') ? { status: 400, body: {} } : { status: 302, headers: { location: elsewhere } },
    'a redirect that succeeds': ({ path }) =>
      path.startsWith('/again') ? { body: { data: [row] } } : { status: 307, headers: { location: elsewhere } },
    'a redirect to another scheme': () => ({
      status: 302,
      headers: { location: `ftp://${TEST_USERNAME}@127.0.0.1/${encodeURIComponent(one)}` },
    }),
  }
}

describe('R44: nothing is shown of what a server repeats', () => {
  it.each(Object.entries(echoes(afterLogin)))('%s', async (_what, answer) => {
    const server = await serve(request => (request.path === '/login' ? { body: { token } } : answer(request)))
    const watch = watchLeaks(server, hurried())
    for (const call of Object.values(calls)) await watch.run(call)
    expect(server.requests.some(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true)
    expectClean(watch, 'log', 'event')
  })

  it.each(Object.entries(echoes(atLogin)))('at the login: %s', async (_what, answer) => {
    const server = await serve(request => answer(request))
    const watch = watchLeaks(server, hurried())
    await watch.run(calls['getHistorical'] as Call)
    await watch.run(calls['getForecast'] as Call)
    expect(server.requests.some(({ headers }) => headers.authorization === `Basic ${basic}`)).toBe(true)
    expectClean(watch, 'error', 'log', 'event')
  })

  it('of a registration by a client of somebody else', async () => {
    const server = await serve(({ body }) => ({
      status: 400,
      body: { error: `weak password in ${body} ${TEST_PASSWORD}` },
    }))
    const watch = watchLeaks(server, { ...PATIENT, username: 'somebody', password: 'else-1234!' })
    const error = await watch.run((client, options) => client.register(account, options))
    expect(error).toBeInstanceOf(RequestError)
    expect((error as RequestError).serverMessage).toContain('weak password in')
    expectClean(watch, 'error')
  })
})
