import { describe, expect, it } from 'vitest'
import {
  CODES_DATE,
  findCodes,
  SITE_TYPES,
  STATE_CODES,
  type CodeList,
} from '../../../src/adapters/water-quality/index.ts'
import { QueryError } from '../../../src/index.ts'
import { errorOf } from '../../support/field-case.ts'
import { qualityClient, simulateQuality, SITES, targets, truthOf, YEAR } from '../../support/water-quality.ts'

const SITE = SITES[0]

describe('Samples', () => {
  it('results come once each, with instants and meanings, and dates as it takes them', async () => {
    const simulator = await simulateQuality()
    const query = { monitoringLocationIdentifier: SITE, ...YEAR }
    const truth = truthOf(simulator, {
      service: 'samples',
      query: {
        monitoringLocationIdentifier: SITE,
        activityStartDateLower: YEAR.start,
        activityStartDateUpper: YEAR.end,
      },
    })
    const { rows, meta, columns } = await qualityClient(simulator).getSamples(query)
    expect(truth.size).toBeGreaterThan(10)
    expect(rows).toHaveLength(truth.size)
    for (const row of rows) {
      const { instant, value, censored } = truth.get(String(row['Result_MeasureIdentifier'])) ?? {}
      const at = (row.Activity_StartDateTime as Date | null)?.getTime() ?? null
      expect([at, row.value, row.censored]).toEqual([instant, value, censored])
    }
    expect(targets(simulator)).toEqual([
      `/samples-data/results/fullphyschem?monitoringLocationIdentifier=${SITE}&activityStartDateLower=2022-01-01&activityStartDateUpper=2022-12-31&mimeType=text/csv`,
    ])
    expect(meta).toMatchObject([{ source: { interface: 'samples', profile: 'fullphyschem' } }])
    // Spelt as the Portal spells it.
    expect(columns.map(({ name }) => name)).toContain('Activity_MediaSubdivisionName')
  })

  it('a span is cut, and what is cut gives the same', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const query = { monitoringLocationIdentifier: SITE, ...YEAR, profile: 'narrow' }
    const whole = await client.getSamples(query)
    const cut = await client.getSamples(query, { chunk: 'P30D' })
    expect(cut.rows).toEqual(whole.rows)
    expect(cut.meta.length).toBeGreaterThan(10)
  })

  it('the key goes to Samples, and never to the Portal', async () => {
    const key = 'k'.repeat(40)
    const simulator = await simulateQuality({ waterQuality: { samplesKeys: [key] } })
    const client = qualityClient(simulator, { apiKey: key })
    await client.getSamples({ monitoringLocationIdentifier: SITE, ...YEAR })
    await client.getResults({ siteId: SITE, ...YEAR })
    const keys = simulator.requests.map(({ path, headers }) => [path, 'x-api-key' in headers])
    expect(keys).toContainEqual(['/samples-data/results/fullphyschem', true])
    expect(keys).toContainEqual(['/wqx3/Result/search', false])
  })

  it('a key that it does not know is an error in its own words', async () => {
    const simulator = await simulateQuality({ waterQuality: { samplesKeys: ['known'] } })
    const error = await errorOf(
      qualityClient(simulator, { apiKey: 'unknown' }).getSamples({ resource: 'locations', stateFips: '55' }),
    )
    expect(error).toMatchObject({ status: 403, serverMessage: 'An invalid api_key was supplied.' })
  })

  it('other resources, and counts', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const places = await client.getSamples({ resource: 'locations', stateFips: 'US:55' })
    expect(places.rows.length).toBeGreaterThan(5)
    expect(places.rows[0]).toMatchObject({ latitude: expect.any(Number) as number })
    const [count] = (await client.getSamples({ resource: 'results', profile: 'count', stateFips: '55' })).rows
    expect(Number(count?.['resultCount'])).toBeGreaterThan(100)
    expect(targets(simulator).at(-1)).toContain('stateFips=US:55')
  })

  it.each([
    [{ stateFips: '6' }, 'stateFips=US:06'],
    [{ stateFips: ['US:15', '55'] }, 'stateFips=US:15&stateFips=US:55'],
    [{ countyFips: '6:001' }, 'countyFips=US:06:001'],
    [{ countryFips: 'US' }, 'countryFips=US&'],
  ])('F48: codes are sent in full, with their zeros: %j', async (query, sent) => {
    const simulator = await simulateQuality()
    await qualityClient(simulator).getSamples({ resource: 'locations', ...query })
    expect(targets(simulator)[0]).toContain(sent)
  })

  it('a summary of sites is one request each, in order', async () => {
    const simulator = await simulateQuality()
    const sites = simulator.truth.waterQuality.sites({ service: 'samples', query: { stateFips: 'US:55' } }).slice(0, 3)
    const { rows, meta } = await qualityClient(simulator).getSamplesSummary({ monitoringLocationIdentifier: sites })
    expect(meta.map(({ url }) => decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''))).toEqual(sites)
    expect(new Set(rows.map(row => row['monitoringLocationIdentifier']))).toEqual(new Set(sites))
    expect(Number(rows[0]?.['resultCount'])).toBeGreaterThan(0)
  })

  it.each([
    [{ monitoringLocationIdentifier: '05406500' }, /needs the prefix of its agency/],
    [{ stateFips: 'US:55', profile: 'fullphychem' }, /did you mean 'fullphyschem'/],
    [{}, /at least one filter/],
    [{ stateFipsCode: 'US:55' }, /has no 'stateFipsCode'; did you mean 'stateFips'/],
    [{ stateFips: 'US:55', start: '2022-13-01' }, /start is not a date that exists/],
  ])('refuses %j before anything is sent', async (query, message) => {
    const simulator = await simulateQuality()
    const error = await errorOf(qualityClient(simulator).getSamples(query as never))
    expect(error).toBeInstanceOf(QueryError)
    expect((error as Error).message).toMatch(message)
    expect(simulator.requests).toEqual([])
  })
})

describe('planSamples', () => {
  it('says how a query is asked, and sends nothing', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const query = { monitoringLocationIdentifier: SITES[0], start: '2021-01-01', end: '2022-12-31' } as const
    const plan = client.planSamples(query)
    expect(simulator.requests).toEqual([])
    expect(plan).toMatchObject({ operation: 'getSamples', requests: 2, besides: 0, expectedRows: undefined })
    expect(plan.parts.map(({ sites }) => sites)).toEqual([[SITES[0]], [SITES[0]]])
    await client.getSamples(query)
    expect(simulator.requests).toHaveLength(plan.requests)
  })
})

describe('codes', () => {
  it('the kept lists are searched without a request, whatever the case', () => {
    expect(findCodes('stateCode', 'wisc')).toEqual([{ value: 'US:55', text: 'Wisconsin (WI)' }])
    expect(findCodes('siteType', 'lake').map(({ value }) => value)).toEqual(['Lake, Reservoir, Impoundment'])
    expect(findCodes('characteristicType', 'minor metals').map(({ value }) => value)).toEqual([
      'Inorganics, Minor, Metals',
      'Inorganics, Minor, Non-metals',
    ])
    expect(findCodes('providers', '')).toHaveLength(3)
    expect(STATE_CODES.every(({ value }) => /^US:\d\d$/.test(value))).toBe(true)
    expect(new Set(SITE_TYPES).size).toBe(SITE_TYPES.length)
    expect(CODES_DATE).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(() => findCodes('huc' as CodeList, '')).toThrow(/no list of codes is kept for 'huc'/)
  })

  it('the services are asked for the others', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const names = await client.getCodes({ list: 'characteristicname', text: 'phosph' })
    expect(names.rows).toContainEqual(expect.objectContaining({ value: 'Phosphorus' }))
    const counties = await client.getCodes({ list: 'countycode', stateCode: ['US:55', 'US:19'] })
    expect(counties.rows.every(row => /^US:(?:55|19):\d{3}$/.test(String(row['value'])))).toBe(true)
    const groups = await client.getCodes({ from: 'samples', list: 'characteristics', group: 'Nutrient' })
    expect(groups.rows.length).toBeGreaterThan(0)
    expect(new Set(groups.rows.map(row => row['characteristicGroup']))).toEqual(new Set(['Nutrient']))
    const error = await errorOf(client.getCodes({ from: 'samples', list: 'organization' }))
    expect(error).toMatchObject({ argument: 'list' })
  })
})
