import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator, type TruthRow } from '../../src/simulator/index.ts'

/**
 * The service's own Python client, as it is, against the simulator. Wants a checkout of it, and a Python that has
 * pandas, requests, pytz and dateutil: HEADRACE_WATTTIME_PYTHON=<checkout> [HEADRACE_PYTHON=<interpreter>].
 */
const checkout = process.env['HEADRACE_WATTTIME_PYTHON'] ?? ''
const python = process.env['HEADRACE_PYTHON'] ?? '/usr/bin/python3'
const run = promisify(execFile)

type Rows = [number, number][]

interface Found {
  readonly region: Record<string, string>
  readonly historical: Rows
  readonly threaded: Rows
  readonly older: Rows
  readonly hourly: Rows
  readonly signals: string[]
  readonly data_start: string
  readonly horizons: number[]
  readonly runs: [number, number, number][]
  readonly chosen: number
  readonly maps: number
  readonly refused: unknown[]
  readonly mix: { readonly rows: number; readonly lowest: number; readonly highest: number }
}

describe.skipIf(checkout === '')('the official Python client (HEADRACE_WATTTIME_PYTHON names its checkout)', () => {
  let simulator: Simulator
  let folder: string
  let found: Found

  beforeAll(async () => {
    simulator = await startSimulator()
    folder = await mkdtemp(join(tmpdir(), 'headrace-python-'))
    // The client imports it for a calculator that is not used here.
    await writeFile(join(folder, 'holidays.py'), '')
    const { stdout } = await run(python, [join(import.meta.dirname, 'official_client.py')], {
      maxBuffer: 64 * 2 ** 20,
      cwd: folder,
      env: {
        PYTHONPATH: `${folder}:${checkout}`,
        PYTHONDONTWRITEBYTECODE: '1',
        HOME: folder,
        WATTTIME_API_URL: simulator.url,
        WATTTIME_USER: 'demo',
        WATTTIME_PASSWORD: 'demo-pass-1!',
      },
    })
    found = JSON.parse(stdout) as Found
  }, 120_000)

  afterAll(async () => {
    await simulator.close()
    await rm(folder, { recursive: true })
  })

  const told = (rows: readonly TruthRow[]): Rows => rows.map(({ point_time, value }) => [point_time, value])
  const query = { region: 'PSCO', start: '2024-01-01', end: '2024-03-01' }

  it('finds a region', () => {
    expect(found.region).toEqual({
      region: 'PSCO',
      region_full_name: 'Public Service Co of Colorado',
      signal_type: 'co2_moer',
    })
  })

  it.each(['historical', 'threaded'] as const)('pulls two months in chunks, every sample once: %s', way => {
    expect(found[way]).toHaveLength(17_281)
    expect(found[way]).toEqual(told(simulator.truth.historical(query)))
  })

  it('pulls an older model, and an hourly signal', () => {
    const day = { ...query, end: '2024-01-02' }
    expect(found.older).toEqual(told(simulator.truth.historical({ ...day, model: '2023-03-01' })))
    expect(found.hourly).toEqual(told(simulator.truth.historical({ ...day, region: 'CAISO', signalType: 'co2_aoer' })))
  })

  it('lists what it may read', () => {
    expect(found.signals).toEqual(['co2_aoer', 'co2_moer', 'health_damage', 'marginal_fuel_mix'])
    expect(found.data_start).toBe('2012-01-01T00:00:00')
  })

  it('reads forecasts, present and past', () => {
    expect(found.horizons).toEqual([1, 288, 864])
    const truth = simulator.truth.historicalForecast({
      region: 'PSCO',
      start: '2024-01-01',
      end: '2024-01-03',
      horizonHours: 1,
    })
    expect(found.runs).toEqual(truth.map(row => [row.generated_at, row.point_time, row.value]))
    expect(found.chosen).toBe(2 * 288)
  })

  it('reads maps and the fuel mix', () => {
    expect(found.maps).toBe(21)
    expect(found.mix.rows).toBe(45 * 288 + 1)
    expect(found.mix.lowest).toBeCloseTo(1, 9)
    expect(found.mix.highest).toBeCloseTo(1, 9)
  })

  it('opens an account, which is refused what the free plan leaves out', () => {
    expect(found.refused).toEqual([])
    expect(simulator.requests.find(({ path }) => path === '/register')?.status).toBe(200)
    expect(simulator.requests.at(-1)).toMatchObject({ path: '/v3/fuel-mix', status: 403 })
  })

  it('is refused nothing else', () => {
    expect(simulator.requests.filter(({ status }) => status !== 200)).toHaveLength(1)
  })
})
