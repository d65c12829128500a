import { describe, expect, it } from 'vitest'
import type { ResultRow } from '../../../src/adapters/water-quality/index.ts'
import type { TruthResult } from '../../../src/simulator/index.ts'
import { answer, inTurn, startScripted } from '../../support/scripted-server.ts'
import { qualityClient, simulateQuality, SITES, targets, truthOf, YEAR } from '../../support/water-quality.ts'

const DATES = { startDateLo: '01-01-2022', startDateHi: '12-31-2022' }

/** The service's own names of what a row says. */
const NAMES = {
  wqx3: {
    id: 'Result_MeasureIdentifier',
    site: 'Location_Identifier',
    date: 'Activity_StartDate',
    time: 'Activity_StartTime',
    zone: 'Activity_StartTimeZone',
    instant: 'Activity_StartDateTime',
    text: 'Result_Measure',
    condition: 'Result_ResultDetectionCondition',
  },
  legacy: {
    id: 'ResultIdentifier',
    site: 'MonitoringLocationIdentifier',
    date: 'ActivityStartDate',
    time: 'ActivityStartTime/Time',
    zone: 'ActivityStartTime/TimeZoneCode',
    instant: 'ActivityStartDateTime',
    text: 'ResultMeasureValue',
    condition: 'ResultDetectionConditionText',
  },
} as const

function asTruth(row: ResultRow, service: keyof typeof NAMES): Partial<TruthResult> {
  const names = NAMES[service]
  const text = (name: keyof typeof names): string => (row[names[name]] as string | null) ?? ''
  return {
    id: text('id'),
    site: text('site'),
    date: text('date'),
    time: text('time'),
    zone: text('zone'),
    instant: (row[names.instant] as Date | null)?.getTime() ?? null,
    text: text('text'),
    condition: text('condition'),
    value: row.value ?? null,
    censored: row.censored ?? null,
  }
}

describe.each(['wqx3', 'legacy'] as const)('getResults of the %s interface', service => {
  it('returns every result once, with its instant and what it means', async () => {
    const simulator = await simulateQuality()
    const truth = truthOf(simulator, { service, query: { statecode: 'US:55', ...DATES } })
    const { rows, meta, completeness } = await qualityClient(simulator).getResults({
      stateCode: 'US:55',
      ...YEAR,
      interface: service,
    })
    expect(truth.size).toBeGreaterThan(20_000)
    expect(rows).toHaveLength(truth.size)
    const odd = rows.filter(row => {
      const said = asTruth(row, service)
      const told = truth.get(said.id ?? '')
      return (Object.keys(said) as (keyof TruthResult)[]).some(name => told?.[name] !== said[name])
    })
    expect(odd).toEqual([])
    expect(new Set(rows.map(row => row[NAMES[service].id])).size).toBe(truth.size)
    expect(completeness).toEqual({ expected: truth.size, received: truth.size, missing: [] })
    expect(meta.map(({ source }) => source['interface'])).toEqual(meta.map(() => service))
  })

  it('stands by day, then by instant, with those that have none behind', async () => {
    const simulator = await simulateQuality()
    const { rows } = await qualityClient(simulator).getResults({ siteId: SITES, ...YEAR, interface: service })
    const { date, instant } = NAMES[service]
    const keys = rows.map(row => [String(row[date]), (row[instant] as Date | null)?.getTime() ?? Infinity] as const)
    expect(keys).toEqual([...keys].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) || a[1] - b[1] || 0))
    expect(new Set(keys.map(([day]) => day)).size).toBeGreaterThan(5)
  })

  it('has the same rows whichever order they are sent in, and however they are cut', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const query = { siteId: SITES, ...YEAR, interface: service }
    const whole = await client.getResults(query)
    const cut = await client.getResults(query, { chunk: 'P20D' })
    expect(cut.rows).toEqual(whole.rows)
    expect(cut.meta.length).toBeGreaterThan(15)
    const streamed: ResultRow[] = []
    for await (const { rows } of client.streamResults(query, { chunk: 'P20D' })) streamed.push(...rows)
    expect(streamed).toEqual(whole.rows)
  })

  it('borders of pieces lie between days: the next begins on the day behind', async () => {
    const simulator = await simulateQuality()
    const query = { siteId: SITES, start: '2022-01-01', end: '2022-02-15', interface: service }
    await qualityClient(simulator).getResults(query, { chunk: 'P20D', concurrency: 1 })
    const days = simulator.requests
      .filter(({ path }) => path.endsWith('/search'))
      .map(({ query: asked }) => [asked['startDateLo'], asked['startDateHi']])
    expect(days).toEqual([
      ['01-01-2022', '01-20-2022'],
      ['01-21-2022', '02-09-2022'],
      ['02-10-2022', '02-15-2022'],
    ])
  })

  it('columns of the service stay as they came when nothing is to be derived', async () => {
    const simulator = await simulateQuality()
    const { rows, columns } = await qualityClient(simulator).getResults({
      siteId: SITES,
      ...YEAR,
      interface: service,
      derive: false,
    })
    expect(columns.map(({ name }) => name)).not.toContain('value')
    expect(Object.keys(rows[0] ?? {})).toEqual(columns.map(({ name }) => name))
    expect(rows.every(row => Object.values(row).every(cell => cell === null || typeof cell === 'string'))).toBe(true)
  })

  it('F29: a column that only a later answer has is a column of all', async () => {
    const older = 'OrganizationIdentifier,ProviderName\nA,STORET\n'
    const newer = 'OrganizationIdentifier,LocalAqfrName,ProviderName\nB,sand,STORET\n'
    const server = await startScripted(
      inTurn(
        visit => answer(visit, { headers: { 'content-type': 'text/csv' }, body: older }),
        visit => answer(visit, { headers: { 'content-type': 'text/csv' }, body: newer }),
      ),
    )
    const siteId = Array.from({ length: 150 }, (_, n) => `USGS-${n}`)
    const result = await qualityClient(server, { concurrency: 1 }).getSites({ siteId })
    expect(result.columns.map(({ name }) => name)).toEqual(['OrganizationIdentifier', 'ProviderName', 'LocalAqfrName'])
    expect(result.toCsv()).toBe('OrganizationIdentifier,ProviderName,LocalAqfrName\nA,STORET,\nB,STORET,sand\n')
  })

  it('F42: nothing found is no error, and has the same columns', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const none = await client.getResults({ siteId: SITES, start: '1901-01-01', end: '1901-01-02', interface: service })
    const some = await client.getResults({ siteId: SITES, ...YEAR, interface: service })
    expect(none.rows).toEqual([])
    expect(none.columns).toEqual(some.columns)
    expect(none.meta).toMatchObject([{ status: 200, rows: 0 }])
  })
})

describe('a cap on rows', () => {
  it('R49: takes the same rows however the days are cut, where sites are asked for in groups', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const nobody = Array.from({ length: 110 }, (_, n) => `USGS-${n}`)
    const query = { siteId: [SITES[0], ...nobody, SITES[1]], ...YEAR }
    const [first, ...others] = await Promise.all(
      [{ count: false }, { count: true, pieceRows: 10 }, { count: true, pieceRows: 1000 }].map(
        async choice => (await client.getResults({ ...query, ...choice }, { maxRows: 30 })).rows,
      ),
    )
    expect(first).toHaveLength(30)
    for (const rows of others) expect(rows).toEqual(first)
  })
})

describe('what is sent', () => {
  it('F50: lists in the form of each interface, dates as both take them, no name that the service does not know', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const query = { siteId: SITES, characteristicName: 'Temperature, water', start: '2022-03-01', end: '2022-03-02' }
    await client.getResults(query)
    await client.getResults({ ...query, interface: 'legacy' })
    const [newer, , older] = targets(simulator)
    const [one, other] = SITES
    expect(newer).toBe(
      `/wqx3/Result/search?siteid=${one}&siteid=${other}&characteristicName=Temperature, water&startDateLo=03-01-2022&startDateHi=03-02-2022&mimeType=csv&dataProfile=narrow`,
    )
    expect(older).toBe(
      `/data/Result/search?siteid=${one};${other}&characteristicName=Temperature, water&startDateLo=03-01-2022&startDateHi=03-02-2022&mimeType=csv&dataProfile=resultPhysChem&sorted=no`,
    )
  })

  it('F50: a plus, a space and a quote arrive as they are', async () => {
    const simulator = await simulateQuality({ faults: [{ do: { type: 'status', status: 404 } }] })
    const odd = "a+b c'd & e=f%"
    await qualityClient(simulator)
      .getResults({ characteristicName: odd })
      .catch(() => {})
    expect(simulator.requests[0]?.query['characteristicName']).toBe(odd)
  })

  it('a state of two digits is one of the United States: alone it would match nothing', async () => {
    const simulator = await simulateQuality()
    await qualityClient(simulator).getSites({ stateCode: ['19', 'US:55'] })
    expect(targets(simulator)[0]).toContain('statecode=US:19&statecode=US:55')
  })

  it('many sites are asked for in groups, each once; by the older interface in a body', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator, { concurrency: 1 })
    const siteId = Array.from({ length: 250 }, (_, n) => `USGS-${String(5_510_000 + n).padStart(8, '0')}`)
    await client.getResults({ siteId, ...YEAR })
    const newer = simulator.requests.filter(({ path }) => path === '/wqx3/Result/search')
    const sent = newer.flatMap(({ search }) => new URLSearchParams(search).getAll('siteid'))
    expect(newer).toHaveLength(3)
    expect(sent).toEqual(siteId)
    await client.getResults({ siteId, ...YEAR, interface: 'legacy' })
    const older = simulator.requests.filter(({ path }) => path === '/data/Result/search')
    expect(older).toMatchObject([{ method: 'POST', status: 200 }])
    expect(new URLSearchParams(older[0]?.body).get('siteid')?.split(';')).toEqual(siteId)
  })
})

describe('what the result says', () => {
  it('that data of the Survey end in the older interface, and that rows without a date match no span', async () => {
    const simulator = await simulateQuality()
    const client = qualityClient(simulator)
    const dated = await client.getResults({ siteId: SITES, ...YEAR, interface: 'legacy' })
    expect(dated.warnings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/2024-03-11/),
        expect.stringMatching(/without a date match no span/),
      ]),
    )
    const undated = await client.getResults({ siteId: SITES[1] })
    expect(undated.warnings.join()).not.toMatch(/2024-03-11|match no span/)
    const states = await client.getResults({ siteId: SITES[1], interface: 'legacy', providers: 'STORET' })
    expect(states.warnings.join()).not.toMatch(/2024-03-11/)
  })
})
