import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it } from 'vitest'
import { handlers, mockSimulation, type DeliveryAction, type MockedSimulation } from '../../src/simulator/index.ts'
import { basic, historicalPath, truthOf, type WireBody } from './ask.ts'

const ORIGIN = 'https://api.watttime.org'
const PATH = historicalPath('2024-03-01T00:00Z', '2024-03-01T01:00Z')
let stop: (() => void) | undefined
afterEach(() => {
  stop?.()
  stop = undefined
})

/** Puts handlers in place of the network. */
function intercept(list: MockedSimulation['handlers']): void {
  const server = setupServer(...list)
  server.listen({ onUnhandledRequest: 'error' })
  stop = () => server.close()
}

async function logIn(origin = ORIGIN): Promise<{ authorization: string }> {
  const response = await fetch(`${origin}/login`, { headers: basic('demo:demo-pass-1!') })
  return { authorization: `Bearer ${((await response.json()) as { token: string }).token}` }
}

describe('handlers', () => {
  it('answer in place of the service, without a server', async () => {
    intercept(handlers())
    const response = await fetch(ORIGIN + PATH, { headers: await logIn() })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
    expect(((await response.json()) as WireBody).data).toHaveLength(13)
  })

  it('answer at another address', async () => {
    intercept(handlers({ baseUrl: 'http://emissions.test/api' }))
    expect((await fetch('http://emissions.test/api/password')).status).toBe(400)
  })

  it('know every path', async () => {
    intercept(handlers())
    const headers = await logIn()
    const paths = [
      '/v3/my-access',
      '/v3/maps?signal_type=co2_moer',
      '/v3/region-from-loc?latitude=39.75&longitude=-105',
      '/v3/forecast?region=PSCO&signal_type=co2_moer',
      '/v3/signal-index?region=PSCO',
    ]
    const spans = ['/v3/historical', '/v3/forecast/historical'].map(path => PATH.replace('/v3/historical', path))
    for (const path of [...paths, ...spans, '/password?username=demo'])
      expect([path, (await fetch(ORIGIN + path, { headers })).status]).toEqual([path, 200])
    const body = JSON.stringify({ username: 'freddo', password: 'Fr0g!frog', email: 'freddo@example.org' })
    expect((await fetch(`${ORIGIN}/register`, { method: 'POST', body })).status).toBe(200)
  })
})

describe('mockSimulation', () => {
  it('keeps a record and knows the truth', async () => {
    const simulation = mockSimulation()
    intercept(simulation.handlers)
    const response = await fetch(ORIGIN + PATH, { headers: await logIn() })
    const truth = simulation.truth.historical({ region: 'CAISO_NORTH', start: '2024-03-01', end: '2024-03-01T01:00' })
    expect(truthOf(((await response.json()) as WireBody).data)).toEqual(truth)
    expect(simulation.requests).toMatchObject([
      { n: 1, path: '/login', user: 'demo', status: 200, connection: 0 },
      { n: 2, path: '/v3/historical', tokenNumber: 1, status: 200, spanMs: 3_600_000 },
    ])
    expect(simulation.stats).toMatchObject({ requests: 2, logins: 1 })
  })

  it('shows the faults that need no connection, and limits', async () => {
    const simulation = mockSimulation({ limits: { requests: { count: 4, perMs: 60_000 } } })
    intercept(simulation.handlers)
    const headers = await logIn()
    simulation.setFaults([
      { do: { type: 'latency', ms: 30 } },
      { when: { nth: 1 }, do: { type: 'status', status: 503 } },
      { when: { nth: 2 }, do: { type: 'rows', drop: [0] } },
      { when: { nth: 3 }, do: { type: 'expireToken' } },
    ])
    const started = performance.now()
    const statuses: number[] = []
    for (let n = 1; n <= 4; n++) statuses.push((await fetch(ORIGIN + PATH, { headers })).status)
    expect(statuses).toEqual([503, 200, 401, 429])
    expect(performance.now() - started).toBeGreaterThan(85)
  })

  it('breaks the connection and hangs, as far as that can be told here', async () => {
    const simulation = mockSimulation()
    intercept(simulation.handlers)
    const headers = await logIn()
    simulation.setFaults([
      { when: { nth: 1 }, do: { type: 'reset', at: 'before-headers' } },
      { when: { nth: 2 }, do: { type: 'hang' } },
    ])
    await expect(fetch(ORIGIN + PATH, { headers })).rejects.toThrow('Failed to fetch')
    await expect(fetch(ORIGIN + PATH, { headers, signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout')
    expect(simulation.requests.slice(1)).toMatchObject([{ status: 'reset' }, { status: 'hung' }])
  })

  it.each<DeliveryAction>([
    { type: 'silent' },
    { type: 'drip', pieces: 2, everyMs: 1 },
    { type: 'cut', at: 0.5 },
    { type: 'reset', at: 0.5 },
  ])('refuses a fault that needs a real connection: $type', action => {
    expect(() => mockSimulation({ faults: [{ do: action }] })).toThrow('use startSimulator')
    expect(() => mockSimulation().setFaults([{ do: action }])).toThrow(action.type)
  })
})
