import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  startSimulator,
  type ContentAction,
  type Fault,
  type FaultAction,
  type Simulator,
} from '../../../src/simulator/index.ts'
import { ask, type Reply } from '../ask.ts'
import { createHandClock } from '../hand-clock.ts'
import { bodyOf, features, itemsPath, nextOf, NO_QUOTAS, observations, page, walk, type PageBody } from './pages.ts'

const SITE = 'USGS-01000001'
const QUERY = {
  monitoring_location_id: SITE,
  parameter_code: '00060',
  statistic_id: '00003',
  time: '2024-01-01/2024-03-31',
}
const PATH = itemsPath('daily', { ...QUERY, limit: 20 })
const TRUTH = { monitoringLocationId: SITE, parameterCode: '00060', start: '2024-01-01', end: '2024-03-31' }
let simulator: Simulator

beforeEach(async () => {
  simulator = await startSimulator({ streamflow: NO_QUOTAS })
})
afterEach(() => simulator.close())

const get = (path = PATH, patienceMs = 2000): Promise<Reply> => ask(simulator.url + path, { patienceMs })
const strike = (...actions: FaultAction[]): void => simulator.setFaults(actions.map(action => ({ do: action })))
const ids = (body: PageBody): unknown[] => body.features.map(({ id }) => id)

describe('faults of the connection and of the answer', () => {
  it.each<[string, FaultAction, (reply: Reply) => void]>([
    ['hang', { type: 'hang' }, reply => expect(reply.failure).toBe('silence')],
    ['silent', { type: 'silent', at: 0.5 }, reply => expect([reply.status, reply.failure]).toEqual([200, 'silence'])],
    ['drip', { type: 'drip', pieces: 3, everyMs: 5 }, reply => expect(bodyOf(reply).features).toHaveLength(20)],
    ['reset', { type: 'reset', at: 0.5 }, reply => expect(reply.failure).toMatch(/ECONNRESET|aborted/)],
    ['cut', { type: 'cut', at: 0.5, lie: 'clean' }, reply => expect(() => bodyOf(reply)).toThrow(SyntaxError)],
    ['html', { type: 'html' }, reply => expect(reply.text).toContain('<!doctype html>')],
    ['body', { type: 'body', text: '{}' }, reply => expect(reply.text).toBe('{}')],
    [
      'redirect',
      { type: 'redirect', location: 'http://localhost:9/' },
      reply => expect([reply.status, reply.headers.location]).toEqual([302, 'http://localhost:9/']),
    ],
  ])('%s', async (_, action, check) => {
    // The first page takes longer: the world behind it has to be thought up.
    await get()
    strike(action)
    check(await get(PATH, 1000))
  })

  it.each([
    [400, 'application/json', '"code":"InvalidParameterValue"'],
    [403, 'application/json', '"code":"API_KEY_INVALID"'],
    [404, 'application/json', '"description":"Collection not found"'],
    [414, 'text/html', '414 Request-URI Too Large'],
    [429, 'application/json', '{"error":{"code":"OVER_RATE_LIMIT"'],
    [500, 'application/json', '"code":"NoApplicableCode"'],
    [502, 'text/html', '502 Bad Gateway'],
    [503, 'application/json', '"code":"ServiceUnavailable"'],
    [504, 'text/html', '504 Gateway Time-out'],
  ])('%d is said by whoever says it: %s', async (status, type, text) => {
    strike({ type: 'status', status })
    const reply = await get()
    expect([reply.status, reply.headers['content-type']]).toEqual([status, type])
    expect(reply.text).toContain(text)
  })

  it.each([
    '/statistics/v0/observationNormals?monitoring_location_id=USGS-01000000&start_date=01-01&end_date=01-01',
    '/stac/v0/search?limit=1',
    '/nldi/linked-data',
    '/nwaa-data/models',
    '/streamstatsservices/watershed.geojson?rcode=NY&xlocation=-74.5&ylocation=43.9',
    '/ngwmn/ogcapi/collections/providers/items',
  ])('strike the neighbours: %s', async path => {
    simulator.setFaults([{ when: { attempts: 1 }, do: { type: 'status', status: 503 } }])
    expect([(await get(path)).status, (await get(path)).status]).toEqual([503, 200])
  })

  it('strike by the length of the span, and by page', async () => {
    const faults: Fault[] = [
      { when: { spanOverMs: 40 * 86_400_000, nth: [2, 3] }, do: { type: 'status', status: 500 } },
    ]
    simulator.setFaults(faults)
    const first = bodyOf(await get())
    const next = nextOf(first) ?? ''
    const statuses = [await ask(next), await ask(next), await ask(next)].map(({ status }) => status)
    expect(statuses).toEqual([500, 500, 200])
    const short = itemsPath('daily', { ...QUERY, time: '2024-01-01/2024-01-31' })
    expect([(await get(short)).status, (await get(short)).status]).toEqual([200, 200])
  })
})

describe('rows', () => {
  const good = async (): Promise<PageBody> => {
    strike()
    return bodyOf(await get())
  }
  const changed = async (...actions: ContentAction[]): Promise<PageBody> => {
    strike(...actions)
    return bodyOf(await get())
  }

  it('come in the opposite order', async () => {
    expect(ids(await changed({ type: 'rows', order: 'reversed' }))).toEqual(ids(await good()).toReversed())
  })

  it('come twice, with their identifiers', async () => {
    const found = ids(await changed({ type: 'rows', duplicate: 3 }))
    expect([found.length, new Set(found).size]).toEqual([23, 20])
  })

  it('are missing, by place and by time, and the next page begins where it would', async () => {
    const whole = await good()
    const byPlace = await changed({ type: 'rows', drop: [0, -1] })
    expect(ids(byPlace)).toEqual(ids(whole).slice(1, -1))
    expect(nextOf(byPlace)).toBe(nextOf(whole))
    const byTime = await changed({ type: 'rows', drop: [{ from: '2024-02-01', to: '2024-02-29' }] })
    expect(ids(byTime)).toEqual(
      whole.features.filter(({ properties }) => !String(properties['time']).startsWith('2024-02')).map(({ id }) => id),
    )
    expect(ids(byTime).length).toBeLessThan(20)
  })

  it('come from beyond the span', async () => {
    const { features: found } = await changed({ type: 'rows', beyond: 2 })
    expect(found).toHaveLength(24)
    const times = found.map(({ properties }) => String(properties['time']))
    expect(times).toEqual(expect.arrayContaining(['2023-12-30', '2023-12-31', '2024-04-01', '2024-04-02']))
    expect(times.filter(time => time < '2024-01-01' || time > '2024-03-31')).toHaveLength(4)
  })

  it('hold a bare NaN', async () => {
    strike({ type: 'rows', nan: true })
    const reply = await get()
    expect(reply.text.match(/"value":NaN/g)).toHaveLength(1)
    expect(() => bodyOf(reply)).toThrow(SyntaxError)
  })

  it('were revised, in truth as well', async () => {
    strike({ type: 'revise', from: '2024-01-10', to: '2024-01-12', at: '2025-01-01T00:00Z', add: 1000 })
    const found = await features(simulator, 'daily', QUERY)
    expect(observations(found)).toEqual(simulator.truth.daily(TRUTH))
    const revised = found.filter(({ properties }) => properties['last_modified'] === '2025-01-01T00:00:00+00:00')
    expect(revised.map(({ properties }) => Number(properties['value']) >= 1000)).toEqual([true, true, true])
    expect(
      simulator.truth.records('daily', QUERY).filter(({ properties }) => Number(properties['value']) >= 1000),
    ).toHaveLength(3)
  })

  it('were taken away, in truth and number as well', async () => {
    const before = simulator.truth.daily(TRUTH).length
    strike({ type: 'withdraw', from: '2024-01-10', to: '2024-01-12' })
    const found = await features(simulator, 'daily', QUERY)
    expect(observations(found)).toEqual(simulator.truth.daily(TRUTH))
    expect(found).toHaveLength(before - 3)
    expect(simulator.truth.records('daily', QUERY)).toHaveLength(before - 3)
    strike({ type: 'withdraw', from: '2024-01-01', to: '2024-12-31' })
    expect(bodyOf(await get())).toMatchObject({ numberReturned: 0, features: [] })
  })

  it('are not there at all, nor their number', async () => {
    const body = await changed({
      type: 'meta',
      without: ['features', 'numberReturned'],
      patch: { code: 'InvalidQuery' },
    })
    expect(Object.keys(body)).toEqual(['type', 'links', 'timeStamp', 'code'])
    expect((await changed({ type: 'meta', patch: { features: 'none' } })).features).toBe('none')
  })
})

describe('cursors', () => {
  const rowsOf = (pages: readonly PageBody[]): number[] => pages.map(({ features: found }) => found.length)

  it.each([
    ['daily', PATH],
    ['sorted rows', itemsPath('daily', { ...QUERY, limit: 20, sortby: 'time' })],
    ['a reference table', itemsPath('states', { limit: 20 })],
  ])('lead to the same page again: %s', async (_, path) => {
    strike({ type: 'cursor', how: 'repeat' })
    const [first, second] = await walk(simulator.url + path, {}, 4)
    expect(nextOf(first as PageBody)).toBe(nextOf(second as PageBody))
    expect(ids(first as PageBody)).toEqual(ids(second as PageBody))
  })

  it('lead round and round', async () => {
    simulator.setFaults([{ when: { nth: 5 }, do: { type: 'cursor', how: 'loop' } }])
    const pages = await walk(simulator.url + PATH, {}, 8)
    expect(rowsOf(pages)).toEqual([20, 20, 20, 20, 11, 20, 20, 20])
    expect(ids(pages[5] as PageBody)).toEqual(ids(pages[0] as PageBody))
  })

  it.each([
    ['overlap', 3, 91 + 3],
    ['skip', 3, 91 - 3],
  ] as const)('%s by %d rows', async (how, rows, count) => {
    simulator.setFaults([{ when: { nth: 1 }, do: { type: 'cursor', how, rows } }])
    const pages = await walk(simulator.url + PATH)
    const found = pages.flatMap(ids)
    expect([found.length, new Set(found).size]).toEqual([count, Math.min(91, count)])
  })

  it('overlap where pages are counted by rows', async () => {
    simulator.setFaults([{ when: { nth: 1 }, do: { type: 'cursor', how: 'overlap', rows: 5 } }])
    const pages = await walk(simulator.url + itemsPath('states', { limit: 20 }))
    expect(rowsOf(pages)).toEqual([20, 20, 17])
    expect(new Set(pages.flatMap(ids)).size).toBe(52)
  })

  it('lead elsewhere', async () => {
    strike({ type: 'cursor', how: 'foreign', origin: 'http://localhost:9' })
    const foreign = nextOf(bodyOf(await get())) ?? ''
    expect(foreign).toMatch(/^http:\/\/localhost:9\/ogcapi\/v1\/collections\/daily\/items\?cursor=/)
  })

  it('lead to another version of the API, and hold a password, and are none in full', async () => {
    strike({ type: 'cursor', how: 'version', version: 'v0' })
    const other = nextOf(bodyOf(await get())) ?? ''
    expect(other.startsWith(`${simulator.url}/ogcapi/v0/collections/daily/items?cursor=`)).toBe(true)
    expect((await page(other)).features).toHaveLength(20)

    strike({ type: 'cursor', how: 'userinfo', userinfo: 'me:secret' })
    expect(nextOf(bodyOf(await get()))).toContain('http://me:secret@127.0.0.1:')

    strike({ type: 'cursor', how: 'relative' })
    const relative = nextOf(bodyOf(await get())) ?? ''
    expect(relative).toMatch(/^\?cursor=/)
    expect((await page(new URL(relative, simulator.url + PATH).href)).features).toHaveLength(20)
  })

  it('are empty, or missing although there is more', async () => {
    strike({ type: 'cursor', how: 'empty' })
    expect(nextOf(bodyOf(await get()))).toBe('')
    strike({ type: 'cursor', how: 'lost' })
    const body = bodyOf(await get())
    expect([body.features.length, nextOf(body)]).toEqual([20, undefined])
  })

  it.each([
    ['the first page', 1],
    ['a later page', 3],
  ])('come with an empty page, after which nothing is missing: %s', async (_, nth) => {
    simulator.setFaults([{ when: { nth }, do: { type: 'cursor', how: 'empty-page' } }])
    const pages = await walk(simulator.url + PATH)
    expect(rowsOf(pages)).toEqual([20, 20, 20, 20, 11].toSpliced(nth - 1, 0, 0))
    expect(pages[nth - 1]?.numberReturned).toBe(0)
    expect(new Set(pages.flatMap(ids)).size).toBe(91)
    const addresses = simulator.requests.map(({ search }) => search)
    expect(new Set(addresses).size).toBe(addresses.length)
  })
})

describe('reissue', () => {
  it('puts the rows of a walk under way in another order: some come twice, some never', async () => {
    simulator.setFaults([{ when: { nth: [3, 4, 5, 6, 7, 8] }, do: { type: 'reissue', generation: 1 } }])
    const pages = await walk(simulator.url + PATH)
    const times = pages.flatMap(({ features: found }) => found.map(({ properties }) => String(properties['time'])))
    expect(new Set(times).size).toBeLessThan(91)
    expect(times.length).toBeGreaterThan(new Set(times).size)
    const found = pages.flatMap(ids)
    expect(new Set(found).size).toBe(found.length)
  })

  it('brings the same rows when the walk is whole', async () => {
    strike({ type: 'reissue', generation: 4 })
    const found = await features(simulator, 'daily', QUERY)
    expect(observations(found)).toEqual(simulator.truth.daily(TRUTH))
    strike()
    expect((await features(simulator, 'daily', QUERY)).map(({ id }) => id)).not.toEqual(found.map(({ id }) => id))
  })
})

describe('the present', () => {
  it('moves on: a page that was cached is not served for another day', async () => {
    const clock = createHandClock('2024-02-01T12:00:00Z')
    const other = await startSimulator({ clock, streamflow: NO_QUOTAS })
    const latest = async (): Promise<unknown[]> => {
      const query = { monitoring_location_id: SITE, parameter_code: '00060' }
      const daily = await features(other, 'daily', { ...query, time: '2024-01-30/..' })
      const newest = await features(other, 'latest-continuous', query)
      return [daily.length, newest[0]?.properties['time']]
    }
    expect(await latest()).toEqual([2, '2024-02-01T11:45:00+00:00'])
    clock.advance(86_400_000)
    expect(await latest()).toEqual([3, '2024-02-02T11:45:00+00:00'])
    await other.close()
  })
})
