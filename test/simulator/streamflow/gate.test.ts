import { afterEach, describe, expect, it } from 'vitest'
import { fingerprint, startSimulator, type Simulator, type StreamflowOptions } from '../../../src/simulator/index.ts'
import { seen } from '../../tooling/leaks.ts'
import { TEST_API_KEY } from '../../tooling/secrets.ts'
import { ask, type Reply } from '../ask.ts'
import { createHandClock, type HandClock } from '../hand-clock.ts'
import { itemsPath, NO_QUOTAS } from './pages.ts'

const HOUR_MS = 3_600_000
const PATH = itemsPath('states', { limit: 1 })
let simulator: Simulator
let clock: HandClock
afterEach(() => {
  seen('simulator', simulator.requests)
  return simulator.close()
})

async function start(streamflow: StreamflowOptions = {}): Promise<void> {
  clock = createHandClock('2026-09-15T12:00:00Z')
  simulator = await startSimulator({ clock, streamflow })
}

const get = (path = PATH, headers: Record<string, string> = {}): Promise<Reply> =>
  ask(simulator.url + path, { headers })
const withKey = (key = TEST_API_KEY): Record<string, string> => ({ 'x-api-key': key })
const balance = ({ headers }: Reply): unknown[] => [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]

describe('quotas', () => {
  it('are fifty an hour without a key, told with every answer, and a 429 of the gateway after that', async () => {
    await start()
    const replies: Reply[] = []
    for (let n = 0; n < 52; n++) replies.push(await get())
    expect(balance(replies[0] as Reply)).toEqual(['50', '49'])
    expect(balance(replies[49] as Reply)).toEqual(['50', '0'])
    expect(replies.map(({ status }) => status)).toEqual([...Array<number>(50).fill(200), 429, 429])
    const refusal = replies[50] as Reply
    expect(balance(refusal)).toEqual(['50', '0'])
    expect(refusal.headers['retry-after']).toBe('3600')
    expect(JSON.parse(refusal.text)).toMatchObject({ error: { code: 'OVER_RATE_LIMIT' } })
  })

  it('are a thousand an hour for each key', async () => {
    await start()
    expect(balance(await get(PATH, withKey()))).toEqual(['1000', '999'])
    expect(balance(await get(PATH, withKey()))).toEqual(['1000', '998'])
    expect(balance(await get(PATH, withKey('other')))).toEqual(['1000', '999'])
    expect(balance(await get())).toEqual(['50', '49'])
  })

  it('slide: each request makes room an hour after it came, and what was refused does not count', async () => {
    await start({ quotas: { withoutKey: { count: 2, perMs: HOUR_MS } } })
    await get()
    clock.advance(1_200_500)
    await get()
    expect((await get()).headers['retry-after']).toBe('2400')
    clock.advance(2_399_000)
    expect((await get()).status).toBe(429)
    clock.advance(1000)
    expect(balance(await get())).toEqual(['2', '0'])
    expect((await get()).headers['retry-after']).toBe('1200')
  })

  it.each([
    ['date', 'Tue, 15 Sep 2026 13:00:00 GMT'],
    [null, undefined],
  ] as const)('tell when to come back as told: %s', async (retryAfter, header) => {
    await start({ retryAfter, quotas: { withoutKey: { count: 1, perMs: HOUR_MS } } })
    await get()
    const refusal = await get()
    expect([refusal.status, refusal.headers['retry-after']]).toEqual([429, header])
  })

  it.each([
    ['csv', 'text/csv', 'Error Code,Error Message\nOVER_RATE_LIMIT,'],
    ['html', 'text/html', '<html><body><h1>OVER_RATE_LIMIT</h1>'],
    ['json', 'application/json', '{"error":{"code":"OVER_RATE_LIMIT"'],
  ])('refuse in the format that was asked for: %s', async (f, type, text) => {
    await start({ quotas: { withoutKey: { count: 0, perMs: HOUR_MS } } })
    const reply = await get(`${PATH}&f=${f}`)
    expect([reply.status, reply.headers['content-type'], reply.text.startsWith(text)]).toEqual([429, type, true])
  })

  it('are counted by group: Water Data with its groundwater, statistics, and the river network twice', async () => {
    await start()
    const paths: [string, string, string][] = [
      [PATH, '50', '49'],
      ['/ngwmn/ogcapi/collections/providers/items', '50', '48'],
      ['/stac/v0/search?limit=1', '50', '47'],
      [
        '/statistics/v0/observationNormals?monitoring_location_id=USGS-01000000&start_date=01-01&end_date=01-01',
        '4000',
        '3999',
      ],
      ['/nldi/linked-data/comid/13290002', '3600', '3599'],
      ['/nldi/linked-data/comid/13290002/navigation/UM/flowlines?distance=1', '400', '399'],
    ]
    for (const [path, limit, remaining] of paths)
      expect([path, ...balance(await get(path))]).toEqual([path, limit, remaining])
    expect(balance(await get('/nwaa-data/models'))).toEqual([undefined, undefined])
  })

  it('start anew with a reset, and can be switched off', async () => {
    await start({ quotas: { withoutKey: { count: 1, perMs: HOUR_MS }, withKey: null } })
    expect([(await get()).status, (await get()).status]).toEqual([200, 429])
    simulator.reset()
    expect((await get()).status).toBe(200)
    expect(balance(await get(PATH, withKey()))).toEqual([undefined, undefined])
  })

  it('do not count against those of the emissions service, nor the other way round', async () => {
    await start({ quotas: { withoutKey: { count: 1, perMs: HOUR_MS } } })
    await ask(`${simulator.url}/login`)
    expect((await get()).status).toBe(200)
    expect((await ask(`${simulator.url}/login`)).headers).not.toHaveProperty('x-ratelimit-limit')
  })

  it('come with the answer of a fault, and are spent by it', async () => {
    await start()
    simulator.setFaults([{ when: { nth: 1 }, do: { type: 'status', status: 503 } }])
    expect(balance(await get())).toEqual(['50', '49'])
    expect(balance(await get())).toEqual(['50', '48'])
    simulator.setFaults([{ do: { type: 'status', status: 429, headers: { 'X-RateLimit-Remaining': '0' } } }])
    expect(balance(await get())).toEqual(['50', '0'])
  })

  it('have a limit per second beside them, when told', async () => {
    await start({ ...NO_QUOTAS, perSecond: { count: 2, retryAfter: 1 } })
    const statuses = [await get(), await get(), await get()].map(reply => [reply.status, reply.headers['retry-after']])
    expect(statuses).toEqual([
      [200, undefined],
      [200, undefined],
      [429, '1'],
    ])
    clock.advance(1000)
    expect((await get()).status).toBe(200)
  })
})

describe('keys', () => {
  it.each<[string, () => Promise<Reply>]>([
    ['X-Api-Key', () => get(PATH, withKey())],
    ['api_key as a header', () => get(PATH, { api_key: TEST_API_KEY })],
    ['api_key in the query', () => get(`${PATH}&api_key=${TEST_API_KEY}`)],
    ['the name of Basic credentials', () => get(PATH, { authorization: `Basic ${btoa(`${TEST_API_KEY}:`)}` })],
  ])('are taken from %s, and kept as a fingerprint', async (_, request) => {
    await start()
    expect(balance(await request())).toEqual(['1000', '999'])
    expect(simulator.requests[0]?.key).toBe(fingerprint(TEST_API_KEY))
    expect(JSON.stringify(simulator.requests)).not.toContain(TEST_API_KEY)
  })

  it('are accepted whatever they are, unless there is a list of them', async () => {
    await start({ keys: [TEST_API_KEY] })
    expect((await get(PATH, withKey())).status).toBe(200)
    expect((await get()).status).toBe(200)
    const reply = await get(PATH, withKey('wrong'))
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([403, { error: { code: 'API_KEY_INVALID' } }])
  })

  it('can be refused by a fault', async () => {
    await start()
    simulator.setFaults([{ do: { type: 'expireToken' } }])
    expect(JSON.parse((await get()).text)).toMatchObject({ error: { code: 'API_KEY_INVALID' } })
  })
})

describe('the edge', () => {
  const long = (bytes: number): string => {
    const path = itemsPath('daily', { monitoring_location_id: '' })
    return path + 'x'.repeat(bytes - simulator.url.length - path.length)
  }

  it.each([
    [8200, 200],
    [8201, 414],
    [60_000, 414],
  ])('lets an address of %d bytes through or not: %d', async (bytes, status) => {
    await start()
    const reply = await get(long(bytes))
    expect(reply.status).toBe(status)
    if (status === 414)
      expect([reply.headers['content-type'], reply.text]).toEqual(['text/html', expect.stringContaining('414')])
  })

  it('counts the body with the address', async () => {
    await start()
    const post = (bytes: number): Promise<Reply> => {
      const address = simulator.url + itemsPath('monitoring-locations')
      const ends = ['{"op":"=","args":[{"property":"id"},"', '"]}']
      const body = ends.join('x'.repeat(bytes - address.length - ends.join('').length))
      return ask(address, { method: 'POST', body })
    }
    expect((await post(8200)).status).toBe(200)
    expect((await post(8201)).status).toBe(414)
    expect((await post(200_000)).status).toBe(414)
  })

  it('can say 403 in plain words, and spends no quota', async () => {
    await start({ overLong: 403, maxRequestBytes: 300 })
    const reply = await get(long(301))
    expect([reply.status, reply.headers['content-type'], reply.text.slice(0, 13)]).toEqual([
      403,
      'text/plain',
      'Access Denied',
    ])
    expect(balance(reply)).toEqual([undefined, undefined])
    expect(balance(await get())).toEqual(['50', '49'])
  })
})

describe('the record', () => {
  it('keeps what was posted, and counts the same address with another body as another question', async () => {
    await start(NO_QUOTAS)
    const body = (id: string): string => JSON.stringify({ op: '=', args: [{ property: 'id' }, id] })
    const url = simulator.url + itemsPath('monitoring-locations')
    for (const id of ['USGS-01000000', 'USGS-01000001', 'USGS-01000001'])
      await ask(url, { method: 'POST', body: body(id) })
    expect(simulator.requests.map(request => request.body)).toEqual([
      body('USGS-01000000'),
      body('USGS-01000001'),
      body('USGS-01000001'),
    ])
    expect(simulator.stats.repeats).toBe(1)
  })

  it('does not keep what accounts send', async () => {
    await start(NO_QUOTAS)
    await ask(`${simulator.url}/register`, { method: 'POST', body: '{"password":"x"}' })
    expect(simulator.requests[0]).not.toHaveProperty('body')
  })

  it('knows the span of a request', async () => {
    await start(NO_QUOTAS)
    const query = { monitoring_location_id: 'USGS-01000000', limit: 1 }
    await get(itemsPath('daily', { ...query, time: '2024-01-01/2024-01-11' }))
    await get(itemsPath('continuous', query))
    await get(itemsPath('daily', { ...query, time: 'P7D' }))
    await get(itemsPath('daily', query))
    expect(simulator.requests.map(({ spanMs }) => spanMs && spanMs / 86_400_000)).toEqual([10, 365, 7, undefined])
  })

  it('numbers requests in the header that the gateway uses', async () => {
    await start()
    const { headers } = await get()
    expect(headers['x-api-umbrella-request-id']).toMatch(/^[0-9a-f]{32}$/)
    expect(headers).not.toHaveProperty('x-request-id')
  })
})
