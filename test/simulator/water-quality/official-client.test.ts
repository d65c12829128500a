import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  startSimulator,
  type Simulator,
  type TruthResult,
  type WaterQualityQuery,
} from '../../../src/simulator/index.ts'

/**
 * The Portal and Samples functions of the official Python client, as they are, against the simulator. Wants a checkout of it,
 * and a Python that has pandas, httpx and anyio (or folders with them, named behind the checkout):
 * HEADRACE_DATARETRIEVAL_PYTHON=<checkout>[:<folder>] [HEADRACE_PYTHON=<interpreter>].
 */
const paths = process.env['HEADRACE_DATARETRIEVAL_PYTHON'] ?? ''
const python = process.env['HEADRACE_PYTHON'] ?? '/usr/bin/python3'
const run = promisify(execFile)

type Row = readonly [instant: number | null, id: string, ...rest: (string | number | null)[]]

interface Found {
  readonly legacy: Row[]
  readonly fullPhysChem: Row[]
  readonly narrow: Row[]
  readonly samples: Row[]
  readonly samples_columns: number
  readonly announced: string
  readonly site_info: string[]
  readonly zones: Record<string, number | null>
  readonly tables: Record<string, { rows: number; columns: string[] }>
  readonly refused: [string, string]
  readonly box: string[]
  readonly summary: number
  readonly codes: Record<string, number>
}

describe.skipIf(paths === '')('the official Python client (HEADRACE_DATARETRIEVAL_PYTHON names its checkout)', () => {
  let simulator: Simulator
  let folder: string
  let found: Found

  beforeAll(async () => {
    simulator = await startSimulator()
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

  const siteid = ['USGS-05510007', 'WIDNR_WQX-10001']
  const span = { startDateLo: '01-01-2022', startDateHi: '12-31-2022' }
  /** The client takes SST for the time of Samoa, where the truth is that nobody can know. */
  const seen = ({ instant, zone, date, time }: TruthResult): number | null =>
    zone === 'SST' ? Date.parse(`${date}T${time}-11:00`) : instant
  const told = (query: WaterQualityQuery): [string, number | null, number | null][] =>
    [...simulator.truth.waterQuality.results(query)]
      .map((result): [string, number | null, number | null] => [
        result.id,
        seen(result),
        // It knows no conditions either: a zero that stands for nothing is a zero to it.
        result.value ?? (result.text === '0' ? 0 : null),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1))
  const got = (rows: readonly Row[]): [string, number | null, number | null][] =>
    rows
      .map((row): [string, number | null, number | null] => [row[1], row[0], row.at(-1) as number | null])
      .sort(([a], [b]) => (a < b ? -1 : 1))

  it('pulls results of the older interface, instants and codes included', () => {
    expect(got(found.legacy)).toEqual(told({ service: 'legacy', query: { siteid, ...span } }))
    expect(found.announced).toBe(String(found.legacy.length))
    expect(found.legacy.map(([, , code]) => code)).toContain('00010')
    expect(found.site_info.sort()).toEqual(siteid)
  })

  it.each(['fullPhysChem', 'narrow'] as const)('pulls results of the newer interface: %s', profile => {
    expect(got(found[profile])).toEqual(told({ service: 'wqx3', query: { siteid, ...span } }))
  })

  it('F08: finds the instants of the specimens, and none where there is none', () => {
    const at = (hour: number): number => Date.parse('2023-07-15T00:30:00Z') + hour * 3_600_000
    expect(found.zones).toEqual({ UTC: at(10), EST: at(15), EDT: at(14), XYZ: null, nan: null })
  })

  it('reads every other table', () => {
    const { tables } = found
    const query = { countycode: 'US:55:025', ...span }
    const counts = Object.values(simulator.truth.waterQuality.counts({ service: 'legacy', query }))
    const sum = (what: 'sites' | 'activities'): number => counts.reduce((total, tally) => total + tally[what], 0)
    expect(tables['sites']?.rows).toBe(sum('sites'))
    expect(tables['sites']?.columns).toHaveLength(37)
    expect(tables['activities']?.rows).toBe(sum('activities'))
    for (const [name, { rows }] of Object.entries(tables)) expect([name, rows > 0]).toEqual([name, true])
    expect(tables['project_weights']?.columns).toContain('ResourceSubjectText.1')
  })

  it('is refused a bad site', () => {
    expect(found.refused).toEqual(['HTTPError', 'HTTP 400 Bad Request'])
  })

  it('pulls from Samples', () => {
    const query = { monitoringLocationIdentifier: siteid.slice(0, 1) }
    const year = { activityStartDateLower: '2022-01-01', activityStartDateUpper: '2022-12-31' }
    const { results, counts, sites } = simulator.truth.waterQuality
    expect(got(found.samples)).toEqual(told({ service: 'samples', query: { ...query, ...year } }))
    expect(found.samples.length).toBe([...results({ service: 'samples', query: { ...query, ...year } })].length)
    expect(found.samples_columns).toBe(181 + 6)
    expect(found.box).toEqual([...sites({ service: 'samples', query: { boundingBox: '-89.6,42.7,-88.9,43.6' } })])
    expect(found.summary).toBe(counts({ service: 'samples', query })['USGS']?.results)
  })

  it('reads every list of codes', () => {
    for (const [name, rows] of Object.entries(found.codes)) expect([name, rows > 0]).toEqual([name, true])
    expect(Object.keys(found.codes)).toHaveLength(8)
  })

  it('was refused nothing else', () => {
    expect(simulator.requests.filter(({ status }) => status !== 200)).toHaveLength(1)
  })
})
