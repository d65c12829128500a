import { describe, expect, it } from 'vitest'
import { createWaterQuality } from '../../../src/adapters/water-quality/index.ts'
import { readMeasurement, type Limit } from '../../../src/adapters/water-quality/censoring.ts'
import { daysOf } from '../../../src/adapters/water-quality/days.ts'
import { clockMs, dayMs, zoneOffsetMs, ZONE_OFFSETS } from '../../../src/adapters/water-quality/zones.ts'
import { ConfigurationError, isRetrievalInterrupted, QueryError } from '../../../src/index.ts'
import { errorOf } from '../../support/field-case.ts'
import { qualityClient, simulateQuality, SITES, targets, YEAR } from '../../support/water-quality.ts'

const HOUR_MS = 3_600_000
const NOON = Date.UTC(2026, 10, 30, 12)

describe('queries that cannot work', () => {
  it.each<[object, RegExp]>([
    [{}, /needs at least one filter/],
    [{ start: '2020-01-01' }, /needs at least one filter/],
    [{ siteId: '05406500' }, /siteId needs the prefix of its agency/],
    [{ statecode: 'US:17' }, /has no 'statecode'; did you mean 'stateCode'/],
    [{ provider: 'STORET' }, /did you mean 'providers'/],
    [{ stateCode: 'Illinois' }, /stateCode must be a code such as 'US:17'/],
    [{ parameterCode: 665 }, /parameterCode must be text|parameterCode must have five digits/],
    [{ huc: '123' }, /huc must have 2, 4, 6, 8, 10 or 12 digits/],
    [{ bbox: [10, 0, -10, 5] }, /bbox must be \[west, south, east, north\]/],
    [{ near: { latitude: 44 } }, /near\.longitude/],
    [{ characteristicName: 'a;b' }, /holds a semicolon/],
    [{ siteId: SITES, start: '2022-02-30' }, /start is not a date that exists/],
    [{ siteId: SITES, start: '2022-02-02', end: '2022-02-01' }, /end 2022-02-01 is before start/],
    [{ siteId: SITES, profile: 'pcresult', interface: 'wqx3' }, /profile 'pcresult' is not one of the wqx3 interface/],
    [{ siteId: SITES, profile: 'narow' }, /profile/],
  ])('%j is refused before anything is sent', async (query, message) => {
    const simulator = await simulateQuality()
    const error = await errorOf(qualityClient(simulator).getResults(query as never))
    expect(error).toBeInstanceOf(QueryError)
    expect((error as Error).message).toMatch(message)
    expect(simulator.requests).toEqual([])
  })

  it('R44: an option that belongs elsewhere is named, and its value is not shown: it may be a key', async () => {
    const client = qualityClient(await simulateQuality())
    const query = { apiKey: 'a-key-of-somebody' } as never
    for (const error of [await errorOf(client.getResults(query)), await errorOf(client.getSamples(query))]) {
      expect(error).toMatchObject({ name: 'QueryError', argument: 'apiKey' })
      expect(JSON.stringify(error)).not.toContain('a-key-of-somebody')
    }
  })

  it.each([
    [{ stateCode: '6' }, 'statecode=US:06'],
    [{ stateCode: ['US:17', '55'] }, 'statecode=US:17&statecode=US:55'],
    [{ countyCode: '6:001' }, 'countycode=US:06:001'],
    [{ countyCode: 'US:17:031' }, 'countycode=US:17:031'],
  ])('F48: codes are sent in full: %j', async (query, sent) => {
    const simulator = await simulateQuality()
    await qualityClient(simulator).getSites(query)
    expect(targets(simulator)[0]).toContain(sent)
  })

  it('tables without a date take no span, and those that one interface has no other', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const query = { siteId: SITES, ...YEAR }
    expect(await errorOf(client.getOrganizations(query))).toMatchObject({ argument: 'start' })
    expect(await errorOf(client.getDetectionLimits({ ...query, interface: 'wqx3' } as never))).toMatchObject({
      argument: 'interface',
    })
  })

  it('a profile of the older interface chooses it', async () => {
    const simulator = await simulateQuality()
    const { meta } = await qualityClient(simulator).getResults({ siteId: SITES, ...YEAR, profile: 'pcresult' })
    expect(meta).toMatchObject([{ source: { interface: 'legacy', profile: 'pcresult' } }])
  })

  it('rows of a profile without numbers are all kept, those that say the same included', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const plain = await client.getResults({ siteId: SITES, ...YEAR, profile: 'pcresult' })
    const numbered = await client.getResults({ siteId: SITES, ...YEAR, interface: 'legacy' })
    expect(plain.rows).toHaveLength(numbered.rows.length)
  })
})

describe('settings', () => {
  it('addresses are https, but on this machine', () => {
    expect(() => createWaterQuality({ baseUrl: 'http://example.org', env: {} })).toThrow(ConfigurationError)
    expect(() => createWaterQuality({ samplesUrl: 'ftp://example.org', env: {} })).toThrow(/samplesUrl/)
    expect(() => createWaterQuality({ retrys: 3, env: {} } as never)).toThrow(/did you mean 'retries'/)
  })

  it('the key is shown as set, and nothing else of it', () => {
    const settings = createWaterQuality({ env: { API_USGS_PAT: 'a-secret-key' } }).describeSettings()
    expect(settings).toContainEqual({ setting: 'apiKey', value: 'set', source: 'API_USGS_PAT' })
    expect(JSON.stringify(settings)).not.toContain('a-secret-key')
    expect(settings).toContainEqual(
      expect.objectContaining({ setting: 'readTimeoutMs', value: '110000', source: 'service preference' }),
    )
  })
})

describe('interrupted', () => {
  it('R60: what came is not lost, and a checkpoint asks for the rest', async () => {
    const simulator = await simulateQuality({
      faults: [{ when: { startsFrom: '2022-07-01' }, do: { type: 'incomplete' } }],
    })
    const client = qualityClient(simulator, { retries: 0, maxSplitDepth: 0, concurrency: 1 })
    const query = { siteId: SITES[1], ...YEAR, interface: 'legacy' } as const
    const error = await errorOf(client.getResults(query, { chunk: 'P60D' }))
    if (!isRetrievalInterrupted(error)) throw error
    simulator.setFaults([])
    const whole = await client.getResults(query)
    const rest = await client.resumeFrom(error.checkpoint())
    const partial = error.partial() as unknown as typeof whole
    expect(partial.rows.length).toBeGreaterThan(0)
    expect([...partial.rows, ...rest.rows]).toEqual(whole.rows)
  })

  it('R60: what was cut by rows is asked for in the same pieces when it is taken up', async () => {
    const simulator = await simulateQuality()
    const query = {
      stateCode: 'US:19',
      start: '2023-01-01',
      end: '2023-01-16',
      interface: 'legacy',
      pieceRows: 10_000,
    } as const
    const planned = (await qualityClient(simulator).planResults(query)).parts.length
    expect(planned).toBeGreaterThan(4)
    simulator.setFaults([
      { path: /Result\/search$/, when: { startsFrom: '2023-01-05' }, do: { type: 'status', status: 400 } },
    ])
    const first = qualityClient(simulator, { concurrency: 1 })
    const error = await errorOf(first.getResults(query))
    if (!isRetrievalInterrupted(error)) throw error
    const begun = error.partial() as { rows: unknown[]; meta: unknown[] }
    simulator.setFaults([])
    simulator.reset()
    const checkpoint = JSON.parse(JSON.stringify(error.checkpoint())) as ReturnType<typeof error.checkpoint>
    // Clients that have not learned what is too much.
    let rows = begun.rows.length
    for await (const batch of qualityClient(simulator).streamFrom(checkpoint)) rows += batch.rows.length
    const asked = targets(simulator)
    expect(asked).toHaveLength(planned - begun.meta.length)
    simulator.reset()
    await error.resume()
    expect(targets(simulator)).toEqual(asked)
    const counts = simulator.truth.waterQuality.counts({
      service: 'legacy',
      query: { statecode: 'US:19', startDateLo: '01-01-2023', startDateHi: '01-16-2023' },
    })
    expect(rows).toBe(Object.values(counts).reduce((sum, { results }) => sum + results, 0))
  })

  it('a checkpoint of another service is refused', async () => {
    const checkpoint = { version: 1, service: 'emissions', operation: 'getHistorical', query: {}, left: [] } as const
    const error = await errorOf(createWaterQuality({ env: {} }).resumeFrom(checkpoint as never))
    expect(error).toMatchObject({ argument: 'checkpoint' })
  })
})

describe('days', () => {
  const day = (text: string): number => Date.parse(text)

  it.each([
    [{ start: '2023-01-01', end: '2023-12-31' }, '2023-01-01', '2023-12-31'],
    [{ start: '2026-11-01' }, '2026-11-01', '2026-12-01'],
    [{ end: '1950-12-31' }, '1800-01-01', '1950-12-31'],
    [{ last: 'P7D' }, '2026-11-23', '2026-12-01'],
    [{ start: '2023-01-01', end: '2023-01-01' }, '2023-01-01', '2023-01-01'],
  ])('%j are whole days as they stand', (query, start, end) => {
    expect(daysOf(query, NOON)).toEqual({ span: { start: day(start), end: day(end) }, window: undefined })
  })

  it('anything with a time of day is a window, a day wider on each side', () => {
    expect(daysOf({ start: '2023-07-15T06:00-05:00', end: new Date('2023-07-16T00:00Z') }, NOON)).toEqual({
      span: { start: day('2023-07-14'), end: day('2023-07-17') },
      window: { start: day('2023-07-15T11:00Z'), end: day('2023-07-16T00:00Z') },
    })
    expect(daysOf({}, NOON)).toEqual({ span: undefined, window: undefined })
  })
})

describe('zones and clocks', () => {
  it('a code is so many hours, whatever the season; some that are doubtful are none', () => {
    expect(Object.entries(ZONE_OFFSETS).every(([code, hours]) => zoneOffsetMs(code) === hours * HOUR_MS)).toBe(true)
    expect(['-0500', '+05:30', '-14:00'].map(code => zoneOffsetMs(code))).toEqual([
      -5 * HOUR_MS,
      5.5 * HOUR_MS,
      -14 * HOUR_MS,
    ])
    for (const code of ['SST', 'GST', 'AMT', 'BST', 'IST', 'XYZ', '', 'US/Central', '+25:00'])
      expect(zoneOffsetMs(code)).toBeUndefined()
    expect(zoneOffsetMs('ChST')).toBe(10 * HOUR_MS)
    expect(zoneOffsetMs('SST', { SST: -11 })).toBe(-11 * HOUR_MS)
  })

  it.each([
    ['10:30:00', 10.5],
    ['10:30', 10.5],
    ['0001-01-01 10:30:00', 10.5],
    ['00:00:00', 0],
  ])('reads %j', (text, hours) => expect(clockMs(text)).toBe(hours * HOUR_MS))

  it.each(['24:00:00', '10:60', '10', 'noon', '', '1:30'])('finds no time of day in %j', text => {
    expect(clockMs(text)).toBeUndefined()
  })

  it.each(['2023-02-30', '02-03-2023', '2023-1-1', ''])('finds no day in %j', text =>
    expect(dayMs(text)).toBeUndefined(),
  )
})

describe('non-detects', () => {
  const limit = (value: string, type: string, unit = 'mg/l'): Limit => ({ value, type, unit })
  const said = (text: string | null, condition: string | null, ...limits: Limit[]) => {
    const { value, censored, limit: at, limit_type } = readMeasurement(text, condition, limits, 'ug/l')
    return [value, censored, at, limit_type]
  }

  it('a limit alone says nothing', () => {
    expect(said('0.4', null, limit('0.5', 'Method Detection Level'))).toEqual([0.4, null, null, null])
  })

  it('the condition decides, whatever its capitals, and the value is never the limit', () => {
    const stated = limit('0.5', 'Method Detection Level')
    expect(said(null, 'NOT DETECTED', stated)).toEqual([null, 'below', 0.5, 'Method Detection Level'])
    expect(said('0', 'Not Detected', stated)).toEqual([null, 'below', 0.5, 'Method Detection Level'])
    expect(said(null, 'Present Above Quantification Limit', stated)).toEqual([
      null,
      'above',
      0.5,
      'Method Detection Level',
    ])
    expect(said(null, 'Not Detected')).toEqual([null, 'below', null, null])
  })

  it('some conditions say that there is no value, not where it lies', () => {
    for (const condition of ['Not Reported', 'High Moisture', 'Value Decensored', 'Something new'])
      expect(said(null, condition, limit('1', 'Lower Reporting Limit'))).toEqual([null, null, null, null])
  })

  it('of two limits the one on the right side counts', () => {
    const lower = limit('0.5', 'Lower Reporting Limit')
    const upper = limit('90', 'Upper Reporting Limit')
    expect(said(null, 'Not Detected', upper, lower)[2]).toBe(0.5)
    expect(said(null, 'Present Above Quantification Limit', lower, upper)[2]).toBe(90)
    expect(said(null, 'Not Detected', upper)[2]).toBeNull()
  })

  it('a sign in the value is a limit of its own', () => {
    expect(readMeasurement('<0.05', null, [], 'ug/l')).toEqual({
      value: null,
      censored: 'below',
      limit: 0.05,
      limit_unit: 'ug/l',
      limit_type: null,
    })
    expect(said('> 2400', null)).toEqual([null, 'above', 2400, null])
    expect(said('≤1', null)).toEqual([null, 'below', 1, null])
  })
})
