import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator, type TruthObservation } from '../../../src/simulator/index.ts'
import { NO_QUOTAS } from './pages.ts'

/**
 * The service's own Python client, as it is, against the simulator. Wants a checkout of it, and a Python that has pandas,
 * httpx and anyio (or folders with them, named behind the checkout):
 * HEADRACE_DATARETRIEVAL_PYTHON=<checkout>[:<folder>] [HEADRACE_PYTHON=<interpreter>].
 */
const paths = process.env['HEADRACE_DATARETRIEVAL_PYTHON'] ?? ''
const python = process.env['HEADRACE_PYTHON'] ?? '/usr/bin/python3'
const run = promisify(execFile)

type Rows = [string, number, number | null][]
type Found = Readonly<Record<string, unknown>>

describe.skipIf(paths === '')('the official Python client (HEADRACE_DATARETRIEVAL_PYTHON names its checkout)', () => {
  let simulator: Simulator
  let folder: string
  let found: Found

  beforeAll(async () => {
    simulator = await startSimulator({ streamflow: NO_QUOTAS })
    folder = await mkdtemp(join(tmpdir(), 'headrace-python-'))
    const { stdout } = await run(python, [join(import.meta.dirname, 'official_client.py')], {
      maxBuffer: 64 * 2 ** 20,
      cwd: folder,
      env: { PYTHONPATH: paths, PYTHONDONTWRITEBYTECODE: '1', HOME: folder, SIMULATOR_URL: simulator.url },
    })
    found = JSON.parse(stdout) as Found
  }, 120_000)

  afterAll(async () => {
    await simulator.close()
    await rm(folder, { recursive: true })
  })

  const sites = (): string[] => [0, 1, 2, 3].map(n => simulator.truth.site(n))
  const site = 'USGS-01000000'
  const count = (collection: string, filters: Record<string, string>): number =>
    simulator.truth.records(collection, filters, { version: 'v0' }).length
  const field = (name: string, collection: string, filters: Record<string, string>): string[] =>
    simulator.truth
      .records(collection, filters, { version: 'v0' })
      .map(({ properties }) => String(properties[name]))
      .sort()
  const told = (rows: readonly TruthObservation[]): Rows =>
    rows.map(({ monitoring_location_id: id, time, value }) => {
      const number = Number(value === '' ? NaN : (value ?? NaN))
      return [id, Date.parse(time), Number.isNaN(number) ? null : number]
    })

  it('pulls three years of days of four sites, page after page', () => {
    const truth = simulator.truth.daily({
      monitoringLocationId: sites(),
      parameterCode: '00060',
      statisticId: '00003',
      start: '2019-01-01',
      end: '2021-12-31',
    })
    expect(found['daily']).toEqual(told(truth))
    expect(truth.length).toBeGreaterThan(4000)
    const pages = simulator.requests.filter(({ path, query }) => path.endsWith('/daily/items') && query['cursor'])
    expect(pages.length).toBeGreaterThan(3)
  })

  it('pulls instants', () => {
    const truth = simulator.truth.continuous({
      monitoringLocationId: site,
      parameterCode: '00060',
      start: '2024-01-01',
      end: '2024-01-10',
    })
    expect(found['continuous']).toEqual(told(truth))
  })

  it('finds sites by their place and kind, and by a list that it posts', () => {
    expect(found['sites']).toEqual(
      simulator.truth
        .records('monitoring-locations', { state_name: 'Alabama', site_type: 'Stream' })
        .map(({ id }) => id),
    )
    expect(found['chosen']).toEqual(sites())
    expect(
      simulator.requests.some(({ method, path }) => method === 'POST' && path.includes('monitoring-locations')),
    ).toBe(true)
  })

  it('reads metadata, the newest values, visits and peaks', () => {
    const all = { monitoring_location_id: sites().join() }
    const own = { monitoring_location_id: site }
    expect(found).toMatchObject({
      series: field('id', 'time-series-metadata', all),
      combined: field('data_type', 'combined-metadata', own),
      'latest daily': count('latest-daily', all),
      'latest continuous': count('latest-continuous', all),
      field: count('field-measurements', { ...own, parameter_code: '00060' }),
      'field series': field('parameter_code', 'field-measurements-metadata', all),
      channel: count('channel-measurements', own),
      peaks: field('water_year', 'peaks', { ...own, parameter_code: '00060' }),
    })
  })

  it('reads reference tables to their end, and what may be asked', () => {
    expect(found).toMatchObject({ states: 52, parameters: 19_200 })
    expect(found['queryables']).toEqual(expect.arrayContaining(['geometry', 'parameter_code', 'time', 'state_code']))
  })

  it('asks in CQL2, with lists, comparisons and patterns', () => {
    expect(found['cql']).toBe(
      simulator.truth.daily({
        monitoringLocationId: sites().slice(0, 2),
        parameterCode: ['00060', '00065'],
        start: '2024-12-01',
        end: '2024-12-31',
      }).length,
    )
    expect(found['like']).toEqual(
      field('hydrologic_unit_code', 'monitoring-locations', { hydrologic_unit_code: '0301' }),
    )
  })

  it('finds the nearest instants', () => {
    expect(found['nearest']).toEqual(['2020-05-01T10:00:00+00:00', '2023-05-01T10:15:00+00:00'])
  })

  it('reads statistics of every kind', () => {
    expect(found['normals']).toEqual(['arithmetic_mean', 'maximum', 'median', 'minimum', 'percentile'])
    // Two days and a month: four figures and seven percentiles each.
    expect(found['normal rows']).toBe(3 * 11)
    expect(found['intervals']).toEqual([
      'calendar_year',
      ...Array<string>(12).fill('month'),
      'water_year',
      'water_year',
    ])
  })

  it('downloads ratings', () => {
    const ratings = found['ratings'] as Record<string, [string[], number]>
    expect(Object.keys(ratings)).toEqual(
      ['USGS-01000000', 'USGS-01000002'].flatMap(id => [`${id}.base.rdb`, `${id}.exsa.rdb`]),
    )
    for (const [name, [columns, rows]] of Object.entries(ratings)) {
      const truth = simulator.truth.rating(name.split('.')[0] ?? '', name.includes('.base.') ? 'base' : 'exsa')
      expect([columns, rows]).toEqual([truth?.columns, truth?.rows.length])
    }
  })

  it('reaches the neighbours', () => {
    expect(found).toMatchObject({ 'well sites': 43, levels: 12, use: 480, watershed: ['DRNAREA', 'PRECIP', 'FOREST'] })
  })

  it('is refused nothing', () => {
    expect(simulator.requests.filter(({ status }) => status !== 200)).toEqual([])
    expect(simulator.requests.length).toBeGreaterThan(40)
  })
})
