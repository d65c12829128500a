import { describe, expect, it } from 'vitest'
import type { RatingRow, StreamflowClient } from '../../../src/adapters/streamflow/index.ts'
import { isRetrievalInterrupted, QueryError } from '../../../src/index.ts'
import type { Retrieval } from '../../../src/retrieval/index.ts'
import { errorOf } from '../../support/field-case.ts'
import { answer, startScripted } from '../../support/scripted-server.ts'
import { NO_QUOTAS, simulateWater, siteIds, streamflowBody, targets, waterClient } from '../../support/streamflow.ts'

const SITE = 'USGS-01000000'
/** Path and decoded query of the requests that reached a server. */
const sent = (simulator: Awaited<ReturnType<typeof simulateWater>>): string[] =>
  targets(simulator).map(decodeURIComponent)

describe('getStatistics', () => {
  it('F50: repeats the name of a list, and writes a state as the service wants it', async () => {
    const simulator = await simulateWater()
    await waterClient(simulator).getStatistics({
      monitoringLocationId: siteIds(2),
      parameterCode: ['00060', '00065'],
      normalType: 'DOY',
      start: '01-01',
      end: '01-02',
      state: 'Virginia',
      computationType: 'median',
    })
    expect(sent(simulator)).toEqual([
      '/statistics/v0/observationNormals?monitoring_location_id=USGS-01000000&monitoring_location_id=USGS-01000001&parameter_code=00060&parameter_code=00065&computation_type=median&normal_type=DOY&state_code=US:51&start_date=01-01&end_date=01-02',
    ])
  })

  it('walks along its tokens, and gives every site once', async () => {
    const simulator = await simulateWater()
    const query = {
      monitoringLocationId: siteIds(7),
      parameterCode: '00060',
      normalType: 'MOY',
      computationType: ['arithmetic_mean', 'percentile'],
    } as const
    const whole = await waterClient(simulator).getStatistics(query)
    const paged = await waterClient(simulator).getStatistics({ ...query, pageSize: 2 })
    expect(paged.rows).toEqual(whole.rows)
    expect(paged.meta.length).toBeGreaterThan(1)
    expect(new Set(whole.rows.map(({ monitoring_location_id }) => monitoring_location_id)).size).toBeGreaterThan(1)
  })

  it('gives a row for each percentile, and ranks of minimum, median and maximum', async () => {
    const simulator = await simulateWater()
    const { rows } = await waterClient(simulator).getStatistics({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      normalType: 'DOY',
      start: '03-01',
      end: '03-01',
    })
    const ranks = rows.map(({ computation, percentile }) => `${computation} ${percentile}`)
    expect(ranks).toEqual(
      expect.arrayContaining([
        'minimum 0',
        'median 50',
        'maximum 100',
        'arithmetic_mean null',
        'percentile 5',
        'percentile 95',
      ]),
    )
    for (const { value, sample_count } of rows)
      expect([typeof value, typeof sample_count]).toEqual(['number', 'number'])
  })

  it('asks for months and years of a date range', async () => {
    const simulator = await simulateWater()
    const { rows, columns } = await waterClient(simulator).getStatistics({
      of: 'dateRange',
      monitoringLocationId: SITE,
      parameterCode: '00060',
      intervalType: ['M', 'WY'],
      start: '2010-01-01',
      end: '2010-02-01',
    })
    expect(sent(simulator)[0]).toContain('/observationIntervals?')
    expect(new Set(rows.map(({ interval_type }) => interval_type))).toEqual(new Set(['month', 'water_year']))
    expect(columns.filter(({ kind }) => kind === 'date').map(({ name }) => name)).toEqual(['start_date', 'end_date'])
  })

  it.each<[object, string]>([
    [{ start: '2010-01-01' }, 'MM-DD'],
    [{ of: 'dateRange', start: '01-01' }, 'YYYY-MM-DD'],
    [{ intervalType: 'M' }, 'does not go with'],
    [{ of: 'dateRange', normalType: 'DOY' }, 'does not go with'],
    [{ computationType: 'mode' }, 'computationType'],
    [{ sites: 'x' }, "'sites' is not known"],
  ])('refuses %j', async (query, help) => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getStatistics(query as never))
    expect(error).toBeInstanceOf(QueryError)
    expect((error as Error).message).toContain(help)
    expect(simulator.requests).toEqual([])
  })

  it('has a quota of its own', async () => {
    const simulator = await simulateWater({
      streamflow: { quotas: { ...NO_QUOTAS.quotas, withoutKey: { count: 1, perMs: 3_600_000 } } },
    })
    const client = waterClient(simulator)
    await client.getReferenceTable('states')
    expect(client.planDaily({ monitoringLocationId: SITE }).quota.remaining).toBe(0)
    expect(
      (await client.getStatistics({ monitoringLocationId: SITE, parameterCode: '00060', normalType: 'MOY' })).length,
    ).toBeGreaterThan(0)
  })
})

describe('getRatings', () => {
  it('finds the files and reads them, line by line', async () => {
    const simulator = await simulateWater()
    const { rows, columns, meta } = await waterClient(simulator).getRatings({
      monitoringLocationId: ['USGS-01000000', 'USGS-01000002'],
      fileType: ['exsa', 'base', 'corr'],
    })
    for (const [site, type] of new Set(
      rows.map(row => `${row.monitoring_location_id} ${row.file_type}`),
    ).entries() as never as [string, string][]) {
      const [name = '', kind = ''] = String(site).split(' ')
      const truth = simulator.truth.rating(name, kind as never)
      expect(type).toBeDefined()
      const mine = rows.filter(row => row.monitoring_location_id === name && row.file_type === kind)
      expect(
        mine.map(row => truth?.columns.map(column => (column === 'STOR' ? row[column] : Number(row[column])))),
      ).toEqual(truth?.rows.map(cells => cells.map((cell, at) => (truth.columns[at] === 'STOR' ? cell : Number(cell)))))
    }
    expect(new Set(rows.map(({ file_type }) => file_type))).toEqual(new Set(['exsa', 'base', 'corr']))
    expect(columns.map(({ name }) => name)).toEqual([
      'monitoring_location_id',
      'file_type',
      'rating_id',
      'INDEP',
      'SHIFT',
      'DEP',
      'STOR',
      'CORR',
      'CORRINDEP',
    ])
    expect(meta[0]?.source['rating_id']).toMatch(/\.rdb$/)
  })

  it('reads a rating as it was recorded', async () => {
    const server = await startScripted(visit =>
      visit.arrival.path.includes('/search')
        ? answer(visit, {
            body: {
              features: [
                {
                  id: 'USGS-01594440.base.rdb',
                  properties: { file_type: 'base', monitoring_location_id: 'USGS-01594440' },
                  assets: { data: { href: `${server.url}/stac-files/x.rdb` } },
                },
              ],
              links: [],
            },
          })
        : answer(visit, { body: streamflowBody('rating.base.rdb') }),
    )
    const { rows, meta } = await waterClient(server).getRatings({
      monitoringLocationId: 'USGS-01594440',
      fileType: 'base',
    })
    expect(rows).toHaveLength(3)
    expect(typeof rows[0]?.INDEP).toBe('number')
    expect(Object.keys(meta[0]?.source ?? {}).length).toBeGreaterThan(3)
  })

  it('R46: walks along all pages of the search', async () => {
    const simulator = await simulateWater()
    const listed = await waterClient(simulator).getRatings({ files: 'listed', monitoringLocationId: siteIds(60) })
    const paged = await waterClient(simulator).getRatings({
      files: 'listed',
      monitoringLocationId: siteIds(60),
      pageSize: 5,
    })
    expect(paged.rows).toEqual(listed.rows)
    expect(paged.meta.length).toBeGreaterThan(3)
  })

  it('passes over a file that is gone or no table, with a warning, and reads the others', async () => {
    const simulator = await simulateWater({
      faults: [
        { path: /USGS\.01000000\.exsa/, do: { type: 'status', status: 404 } },
        { path: /USGS\.01000002\.exsa/, do: { type: 'body', text: 'no table', contentType: 'text/plain' } },
      ],
    })
    const { rows, warnings } = await waterClient(simulator).getRatings({ monitoringLocationId: siteIds(12) })
    expect(rows.length).toBeGreaterThan(0)
    expect(
      rows.some(({ monitoring_location_id }) =>
        ['USGS-01000000', 'USGS-01000002'].includes(String(monitoring_location_id)),
      ),
    ).toBe(false)
    expect(warnings).toHaveLength(2)
    expect(warnings.join()).toContain('USGS-01000000.exsa.rdb was passed over: the file is gone (status 404)')
  })

  it('R60: a service in trouble does not pass over a file: the call is interrupted, and can be taken up', async () => {
    const simulator = await simulateWater({
      faults: [{ path: /USGS\.01000002\.exsa/, when: { upTo: 2 }, do: { type: 'status', status: 503 } }],
    })
    const client = waterClient(simulator, { retries: 1, concurrency: 1 })
    const query = { monitoringLocationId: siteIds(12) }
    const error = await errorOf(client.getRatings(query))
    if (!isRetrievalInterrupted(error)) throw error
    const rest = (await client.resumeFrom(
      JSON.parse(JSON.stringify(error.checkpoint())) as never,
    )) as Retrieval<RatingRow>
    const whole = (await error.resume()) as Retrieval<RatingRow>
    expect(whole.rows).toEqual((await client.getRatings(query)).rows)
    expect(rest.length).toBeLessThan(whole.length)
    expect(rest.rows.at(-1)).toEqual(whole.rows.at(-1))
  })

  it('R40: a file on another host is read without the key', async () => {
    const elsewhere = await simulateWater()
    const simulator = await simulateWater({
      streamflow: { ...NO_QUOTAS, assetOrigin: elsewhere.url.replace('127.0.0.1', 'localhost') },
    })
    const { rows } = await waterClient(simulator, { apiKey: 'a-key' }).getRatings({ monitoringLocationId: SITE })
    expect(rows.length).toBeGreaterThan(0)
    expect(simulator.requests.every(({ key }) => key !== undefined)).toBe(true)
    expect(elsewhere.requests.map(({ key }) => key)).toEqual([undefined])
  })

  it('finds nothing where there is nothing', async () => {
    const simulator = await simulateWater()
    const { rows, columns } = await waterClient(simulator).getRatings({ monitoringLocationId: 'USGS-99999999' })
    expect(rows).toEqual([])
    expect(columns.map(({ name }) => name)).toContain('SHIFT')
  })
})

describe('getNearestContinuous', () => {
  const query = { monitoringLocationId: siteIds(2), parameterCode: '00060' }

  it('chooses for every target and series the nearest reading', async () => {
    const simulator = await simulateWater()
    const moments = ['2024-03-01T10:03:00Z', '2024-03-01T10:12:00Z', '2024-03-05T23:59:59Z']
    const { rows, columns } = await waterClient(simulator).getNearestContinuous({ ...query, targets: moments })
    expect(columns.slice(0, 2).map(({ name }) => name)).toEqual(['target_time', 'offset_seconds'])
    const truth = simulator.truth.continuous({ ...query, start: '2024-03-01', end: '2024-03-07' })
    const series = [...new Set(truth.map(({ time_series_id }) => time_series_id))]
    expect(rows).toHaveLength(moments.length * series.length)
    for (const row of rows) {
      const distances = truth
        .filter(one => one.time_series_id === row.time_series_id)
        .map(one => Math.abs(Date.parse(one.time) - row.target_time.getTime()))
      expect(Math.abs(row.offset_seconds) * 1000).toBe(Math.min(...distances))
    }
  })

  it.each<['first' | 'last' | 'mean', number]>([
    ['first', -450],
    ['last', 450],
    ['mean', 0],
  ])('of two at the same distance takes the %s', async (ties, offset) => {
    const simulator = await simulateWater()
    const target = '2024-03-01T10:07:30Z'
    const readings = simulator.truth.continuous({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      start: '2024-03-01T10:00Z',
      end: '2024-03-01T10:15Z',
    })
    expect(readings).toHaveLength(2)
    const { rows } = await waterClient(simulator).getNearestContinuous({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      targets: target,
      ties,
    })
    const values = readings.map(({ value }) => Number(value))
    const expected = { first: values[0], last: values[1], mean: ((values[0] ?? 0) + (values[1] ?? 0)) / 2 }[ties]
    expect(rows).toMatchObject([{ offset_seconds: offset, value: expected, target_time: new Date(target) }])
    expect(rows[0]?.continuous_id === null).toBe(ties === 'mean')
  })

  it('asks for many targets in few requests, none too long, none over more than the service takes', async () => {
    const simulator = await simulateWater()
    const start = Date.UTC(2012, 0, 1)
    const targetTimes = Array.from({ length: 400 }, (_, n) => start + n * 10 * 86_400_000 + 60_000)
    const { rows, warnings } = await waterClient(simulator).getNearestContinuous({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      targets: targetTimes,
    })
    expect(simulator.stats.statuses).toEqual({ 200: simulator.requests.length })
    expect(simulator.requests.length).toBeLessThan(30)
    expect(rows.length + Number(/^\d+/.exec(warnings[0] ?? '0')?.[0])).toBe(400)
    const order = rows.map(({ target_time }) => target_time.getTime())
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })

  it('counts the targets that have no reading, and gives them no row', async () => {
    const simulator = await simulateWater()
    const { rows, warnings } = await waterClient(simulator).getNearestContinuous({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      targets: ['1890-01-01', '2024-03-01T10:00Z'],
    })
    expect(rows).toHaveLength(1)
    expect(warnings).toEqual(['1 of 2 targets have no reading within 450 s'])
  })

  it.each<[object, string]>([
    [{ targets: [] }, 'targets'],
    [{}, 'targets'],
    [{ targets: 'soon' }, 'soon'],
    [{ targets: '2024-01-01', window: 'wide' }, 'window'],
    [{ targets: '2024-01-01', ties: 'any' }, 'ties'],
    [{ targets: '2024-01-01', start: '2024-01-01' }, "'start' is not known"],
    [{ targets: '2024-01-01', filter: "a = 'b'" }, "'filter' is not known"],
    [{ targets: '2024-01-01', properties: ['value'] }, 'time_series_id'],
    [{ targets: '2024-01-01', monitoringLocationId: siteIds(600) }, 'fewer sites'],
  ])('refuses %j', async (more, help) => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getNearestContinuous({ ...query, ...more } as never))
    expect(error).toBeInstanceOf(QueryError)
    expect((error as Error).message).toContain(help)
    expect(simulator.requests).toEqual([])
  })
})

describe('the river network', () => {
  const origin = { featureSource: 'WQP', featureId: SITE }

  it.each<[(client: StreamflowClient) => Promise<unknown>, string]>([
    [
      client => client.getFlowlines({ ...origin, navigation: 'UM', trimStart: false }),
      '/nldi/linked-data/WQP/USGS-01000000/navigation/UM/flowlines?f=json&distance=5&trimStart=false',
    ],
    [
      client => client.getFlowlines({ comid: 13294314, navigation: 'DD', distanceKm: 50, stopComid: 13294316 }),
      '/nldi/linked-data/comid/13294314/navigation/DD/flowlines?f=json&distance=50&stopComid=13294316',
    ],
    [
      client => client.getBasin(origin),
      '/nldi/linked-data/WQP/USGS-01000000/basin?f=json&simplified=true&splitCatchment=false',
    ],
    [client => client.getFeatures(origin), '/nldi/linked-data/WQP/USGS-01000000?f=json'],
    [
      client => client.getFeatures({ ...origin, navigation: 'UM', dataSource: 'nwissite' }),
      '/nldi/linked-data/WQP/USGS-01000000/navigation/UM/nwissite?f=json&distance=50',
    ],
    [
      client => client.getFeatures({ latitude: 43.087, longitude: -89.509 }),
      '/nldi/linked-data/comid/position?f=json&coords=POINT(-89.509 43.087)',
    ],
    [client => client.getFeatureSources(), '/nldi/linked-data?f=json'],
  ])('F50: the contract, section 10 (%#)', async (call, target) => {
    const simulator = await simulateWater()
    await call(waterClient(simulator))
    expect(sent(simulator)).toEqual([target])
  })

  it('F42: an answer without bytes, or with a text that is no JSON, is no rows', async () => {
    for (const body of ['', 'No catchment found']) {
      const server = await startScripted(visit => answer(visit, { body }))
      const { rows, columns, meta } = await waterClient(server).getFlowlines({ ...origin, navigation: 'UM' })
      expect([rows.length, columns.length, meta.length]).toEqual([0, 2, 1])
    }
  })

  it('F44: a web page is an error', async () => {
    const server = await startScripted(visit => answer(visit, { body: '<html><title>Maintenance</title></html>' }))
    await expect(waterClient(server).getBasin(origin)).rejects.toMatchObject({ kind: 'bad_response' })
  })

  it.each<[(client: StreamflowClient) => Promise<unknown>, string]>([
    [client => client.getFlowlines({ navigation: 'UM' }), 'featureSource and featureId, or comid'],
    [client => client.getFlowlines({ ...origin, comid: 5, navigation: 'UM' }), 'one of them'],
    [client => client.getFlowlines({ ...origin, navigation: 'UP' as never }), 'navigation'],
    [client => client.getFeatures({ latitude: 43 }), 'together'],
    [client => client.getFeatures({ latitude: 43, longitude: -89, comid: 5 }), 'one of them'],
    [client => client.getFeatures({ ...origin, dataSource: 'WQP' }), 'navigation'],
    [client => client.getFeatures({ ...origin, navigation: 'UM' }), 'dataSource'],
    [client => client.getBasin({ featureSource: 'WQP' } as never), 'featureId is missing'],
  ])('refuses what cannot work (%#)', async (call, help) => {
    const simulator = await simulateWater()
    const error = await errorOf(call(waterClient(simulator)))
    expect(error).toBeInstanceOf(QueryError)
    expect((error as Error).message).toContain(help)
    expect(simulator.requests).toEqual([])
  })
})

describe('getWatershed', () => {
  const place = { longitude: -74.524, latitude: 43.939 }

  it('gives the outline and a column for each characteristic', async () => {
    const simulator = await simulateWater()
    const { rows, columns } = await waterClient(simulator).getWatershed({ state: 'New York', ...place })
    expect(sent(simulator)).toEqual([
      '/streamstatsservices/watershed.geojson?rcode=NY&xlocation=-74.524&ylocation=43.939&crs=4326&includeparameters=true&includeflowtypes=false&includefeatures=true&simplify=true',
    ])
    expect(rows).toMatchObject([
      { rcode: 'NY', geometry: { type: 'Polygon' }, point: { type: 'Point' }, DRNAREA: expect.any(Number) as number },
    ])
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['workspaceID', 'DRNAREA', 'FOREST']))
  })

  it('reads a watershed as it was described', async () => {
    const server = await startScripted(visit => answer(visit, { body: streamflowBody('streamstats.watershed.json') }))
    const { rows } = await waterClient(server).getWatershed({ region: 'NY', ...place })
    expect(rows[0]?.['DRNAREA']).toEqual(expect.any(Number))
  })

  it('R6: a place off the network is refused once, in the words of the service', async () => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getWatershed({ state: 'NY', longitude: 10, latitude: 50 }))
    expect(error).toMatchObject({
      kind: 'http_5xx',
      status: 500,
      serverMessage: expect.stringContaining('delineating') as string,
    })
    expect(simulator.requests).toHaveLength(1)
  })

  it.each<[object, string]>([
    [{ ...place }, 'state is missing'],
    [{ ...place, state: 'NY', region: 'NY' }, 'not both'],
    [{ state: 'NY', latitude: 43 }, 'longitude is missing'],
    [{ state: 'NY', ...place, latitude: 99 }, 'latitude'],
  ])('refuses %j', async (query, help) => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getWatershed(query as never))
    expect((error as Error).message).toContain(help)
    expect(simulator.requests).toEqual([])
  })
})

describe('the groundwater network', () => {
  it('ends a walk at the first page without records, which costs one request', async () => {
    const simulator = await simulateWater()
    const { rows, meta } = await waterClient(simulator).getGroundwaterProviders({ pageSize: 2 })
    expect(rows).toEqual((await waterClient(simulator).getGroundwaterProviders()).rows)
    expect(meta.at(-1)?.rows).toBe(0)
    expect(meta).toHaveLength(Math.ceil(rows.length / 2) + 1)
  })

  it('F47: numbers that come as text are numbers, sorted by well and time', async () => {
    const simulator = await simulateWater()
    const { rows } = await waterClient(simulator).getWaterLevels({ start: '2020-01-01', end: '2020-12-31' })
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      expect(row.sample_time).toBeInstanceOf(Date)
      expect(row.sample_time?.getUTCFullYear()).toBe(2020)
      expect(row.orig_value === null || typeof row.orig_value === 'number').toBe(true)
      expect(typeof row.id).toBe('string')
    }
    const order = rows.map(row => `${row.monitoring_location_id} ${row.sample_time?.toISOString()}`)
    expect(order).toEqual([...order].sort())
  })

  it('streams water levels, and plans them', async () => {
    const simulator = await simulateWater()
    const query = { start: '2020-01-01', end: '2020-03-31' }
    expect(waterClient(simulator).planWaterLevels(query)).toMatchObject({ requests: 1, expectedRows: undefined })
    let count = 0
    for await (const { rows } of waterClient(simulator).streamWaterLevels(query)) count += rows.length
    expect(count).toBe((await waterClient(simulator).getWaterLevels(query)).length)
  })

  it.each<[string, (client: StreamflowClient) => Promise<Retrieval>, string]>([
    [
      'sites',
      client => client.getGroundwaterSites({ monitoringLocationId: 'AKDNR-535134236016630' }),
      '/ngwmn/ogcapi/collections/sites/items',
    ],
    [
      'lithology',
      client => client.getLithology({ monitoringLocationId: 'AKDNR-535134236016630' }),
      '/ngwmn/ogcapi/collections/lithologyObs/items',
    ],
    [
      'construction',
      client => client.getWellConstruction({ monitoringLocationId: 'AKDNR-535134236016630' }),
      '/ngwmn/ogcapi/collections/constructionObs/items',
    ],
  ])('gives %s of a well', async (_what, call, path) => {
    const simulator = await simulateWater()
    const { rows } = await call(waterClient(simulator))
    expect(simulator.requests[0]?.path).toBe(path)
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(row => row['monitoring_location_id']))).toEqual(new Set(['AKDNR-535134236016630']))
  })

  it('finds providers by any spelling of a state', async () => {
    const simulator = await simulateWater()
    const { state } = (await waterClient(simulator).getGroundwaterProviders()).rows[0] ?? {}
    const { rows } = await waterClient(simulator).getGroundwaterProviders({ state: String(state) })
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(row => row.state))).toEqual(new Set([state]))
  })
})

describe('getWaterUse', () => {
  const query = {
    model: 'wu-public-supply-wd',
    variable: ['pswdtot', 'pswdgw'],
    start: '2020-01',
    end: '2020-06',
    resolution: 'monthly',
  } as const

  it('asks for each place in a walk of its own', async () => {
    const simulator = await simulateWater()
    const { rows, columns } = await waterClient(simulator).getWaterUse({
      ...query,
      state: ['RI', 'Connecticut'],
      pageSize: 25,
    })
    expect(
      sent(simulator)
        .filter(target => !target.includes('skip'))
        .sort(),
    ).toEqual(
      ['CT', 'RI'].map(
        code =>
          `/nwaa-data/data?format=csv&model=wu-public-supply-wd&variable=pswdtot,pswdgw&location=stateCd:${code}&timeres=monthly&startdate=2020-01&enddate=2020-06&intersection=overlap&limit=25`,
      ),
    )
    expect(rows).toHaveLength(2 * 40 * 6)
    expect(columns.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'location text',
      'huc12_id text',
      'year_month text',
      'pswdtot_mgd number',
      'pswdgw_mgd number',
    ])
    expect(rows[0]).toMatchObject({
      location: 'stateCd:RI',
      huc12_id: expect.stringMatching(/^\d{12}$/) as string,
      year_month: '2020-01',
    })
  })

  it('F50: derives the level of a hydrologic unit from its length', async () => {
    const simulator = await simulateWater()
    await waterClient(simulator).getWaterUse({ ...query, huc: ['04', '010900020502'] })
    expect(sent(simulator).map(target => /location=([^&]*)/.exec(target)?.[1])).toEqual(
      expect.arrayContaining(['huc2:04', 'huc12:010900020502']),
    )
  })

  it.each<[string, string]>([
    ['its former name', 'https://water.usgs.gov/nwaa-data/data?skip=1'],
    ['plain http', 'http://api.water.usgs.gov:80/nwaa-data/data?skip=1'],
    ['a relative reference', '/nwaa-data/data?skip=1'],
  ])('follows a link that names the host by %s', async (_what, href) => {
    const server = await startScripted(visit =>
      answer(visit, {
        headers: {
          'content-type': 'text/csv',
          ...(visit.arrival.query.has('skip') ? {} : { link: `<${href}>; rel="next"` }),
        },
        body: `huc12_id,year\n${visit.arrival.n}0900020502,2020\n`,
      }),
    )
    const { rows } = await waterClient(server).getWaterUse({
      model: 'm',
      variable: 'v',
      huc: '010900020502',
      resolution: 'annualcy',
    })
    expect(rows.map(({ huc12_id, year }) => [huc12_id, year])).toEqual([
      ['10900020502', 2020],
      ['20900020502', 2020],
    ])
  })

  it('R46: refuses a link to any other host', async () => {
    const server = await startScripted(visit =>
      answer(visit, {
        headers: { link: '<https://example.org/nwaa-data/data?skip=1>; rel="next"' },
        body: 'huc12_id,year\n1,2020\n',
      }),
    )
    await expect(waterClient(server).getWaterUse({ model: 'm', variable: 'v', huc: '04' })).rejects.toMatchObject({
      kind: 'pagination',
    })
  })

  it('R8: a refused query is final, in the words of the service', async () => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getWaterUse({ ...query, model: 'nothing', state: 'RI' }))
    expect(error).toMatchObject({ status: 400, serverMessage: 'Invalid model name: nothing' })
    expect(simulator.requests).toHaveLength(1)
  })

  it.each<[string, string]>([
    ['huc12_id,year\n1\n', 'fields'],
    ['', 'empty'],
    ['<html>gone</html>', 'no table'],
    ['{"detail":"x"}', 'no table'],
  ])('R11: refuses a body of %j', async (body, help) => {
    const server = await startScripted(visit => answer(visit, { body }))
    const error = await errorOf(waterClient(server).getWaterUse({ model: 'm', variable: 'v', huc: '04' }))
    expect(error).toMatchObject({ kind: 'bad_response' })
    expect((error as Error).message).toContain(help)
  })

  it('F42: a line of names alone is no rows', async () => {
    const server = await startScripted(visit => answer(visit, { body: 'huc12_id,year_month,pswdtot_mgd\n' }))
    const { rows, columns } = await waterClient(server).getWaterUse({ ...query, state: 'RI' })
    expect(rows).toEqual([])
    expect(columns.map(({ name }) => name)).toEqual(['location', 'huc12_id', 'year_month'])
  })

  it.each<[object, string]>([
    [{}, 'one of them'],
    [{ state: 'RI', huc: '04' }, 'one of them'],
    [{ huc: '041' }, '2, 4, 6, 8, 10 or 12 digits'],
    [{ county: '25' }, 'five digits'],
    [{ state: 'XX' }, 'is not known'],
    [{ state: 'RI', start: '2020-1' }, 'a year or a month'],
  ])('refuses %j', async (more, help) => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getWaterUse({ ...query, ...more } as never))
    expect(error).toBeInstanceOf(QueryError)
    expect((error as Error).message).toContain(help)
    expect(simulator.requests).toEqual([])
  })
})
