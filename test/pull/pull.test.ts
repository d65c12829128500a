import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planPull, pull, status, type PullEvent, type PullSpec } from '../../src/pull/index.ts'
import type { TaskLine } from '../../src/pull/manifest-lines.ts'
import { simulate } from '../support/emissions.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { contentsOf, filesIn, manifestOf, TWO_REGIONS } from '../support/pulling.ts'
import { NO_QUOTAS } from '../support/streamflow.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const DAYS: PullSpec = {
  start: '2024-01-01',
  end: '2024-01-20',
  pulls: [
    {
      service: 'streamflow',
      operation: 'daily',
      query: { parameterCode: '00060', statisticId: '00003' },
      each: { monitoringLocationId: ['USGS-01000000', 'USGS-01000001'] },
    },
  ],
}

describe('pull', () => {
  it.each(['csv', 'jsonl'] as const)(
    'writes every sample once, in order, as %s, with what tells its series',
    async format => {
      const simulator = await simulate()
      const out = tempFolder()
      const report = await pull(TWO_REGIONS, { out, format, settings: settingsFor(simulator) })
      expect(report).toMatchObject({
        outcome: 'complete',
        format,
        tasks: { total: 4, covered: 0, done: 4, failed: 0, left: 0 },
        rows: 2 * 60 * 288,
        holes: [],
      })
      const lines = filesIn(join(out, 'data')).map(path => readFileSync(join(out, 'data', path), 'utf8'))
      const truth = ['CAISO_NORTH', 'PJM_DC'].flatMap(region =>
        simulator.truth.historical({ region, start: '2024-01-01', end: '2024-02-29T23:55Z' }).map(row => ({
          region,
          signal_type: 'co2_moer',
          point_time: new Date(row.point_time).toISOString().replace('.000', ''),
          value: row.value,
        })),
      )
      const wanted =
        format === 'csv' ? truth.map(row => Object.values(row).join(',')) : truth.map(row => JSON.stringify(row))
      const got = lines.flatMap(text =>
        text
          .trimEnd()
          .split('\n')
          .slice(format === 'csv' ? 1 : 0),
      )
      expect(got).toEqual(wanted)
      if (format === 'csv') expect(lines[0]?.split('\n')[0]).toBe('region,signal_type,point_time,value')
    },
  )

  it('gives each task a file of its own in a folder of its series, and each response a row of metadata', async () => {
    const simulator = await simulate()
    const out = tempFolder()
    await pull(TWO_REGIONS, { out, settings: settingsFor(simulator) })
    const folders = filesIn(join(out, 'data')).map(path => path.replace(/part-[0-9a-f]{16}/, 'part-*'))
    expect(folders).toEqual(
      ['CAISO_NORTH', 'CAISO_NORTH', 'PJM_DC', 'PJM_DC'].map(
        region => `emissions_historical/region=${region}/signal_type=co2_moer/year=2024/part-*.csv`,
      ),
    )
    const meta = filesIn(join(out, 'meta')).flatMap(path =>
      readFileSync(join(out, 'meta', path), 'utf8')
        .trimEnd()
        .split('\n')
        .slice(1),
    )
    expect(meta).toHaveLength(simulator.stats.dataRequests)
  })

  it('says in the manifest what each file is, and what the service said of itself', async () => {
    const simulator = await simulate()
    const out = tempFolder()
    await pull(TWO_REGIONS, { out, settings: settingsFor(simulator) })
    const [first, ...tasks] = manifestOf(out) as [unknown, ...TaskLine[]]
    expect(first).toMatchObject({ type: 'plan', format: 'csv', spec: TWO_REGIONS })
    const january = tasks.find(({ labels, span }) => labels['region'] === 'PJM_DC' && span?.start.startsWith('2024-01'))
    expect(january).toMatchObject({
      type: 'task',
      service: 'emissions',
      operation: 'historical',
      query: { region: 'PJM_DC' },
      span: { start: '2024-01-01T00:00:00Z', end: '2024-01-31T23:55:00Z' },
      rows: 31 * 288,
      expected: 31 * 288,
      received: 31 * 288,
      holes: [],
      requests: 2,
      versions: { headrace: expect.any(String) as string, model_date: '2026-03-01', data_point_period_seconds: 300 },
      files: [
        {
          holds: 'data',
          table: 'emissions_historical',
          rows: 31 * 288,
          columns: [
            { name: 'region' },
            { name: 'signal_type' },
            { name: 'point_time' },
            { name: 'value', unit: 'lbs_co2_per_mwh' },
          ],
        },
        { holds: 'meta', table: 'emissions_historical_meta', rows: 2 },
      ],
    })
  })

  it('pulls several services in one, and asks for nothing when it is run again', async () => {
    const simulator = await simulate({ streamflow: NO_QUOTAS })
    const out = tempFolder()
    const settings = settingsFor(simulator)
    const spec: PullSpec = { pulls: [...TWO_REGIONS.pulls, ...DAYS.pulls], start: '2024-01-01', end: '2024-01-03' }
    const plan = await planPull(spec, { out, settings })
    expect(simulator.requests).toHaveLength(0)
    const first = await pull(spec, { out, settings })
    expect(first).toMatchObject({ outcome: 'complete', plan: plan.id, rows: plan.expectedRows })
    expect(first.requests).toBe(simulator.stats.dataRequests)
    expect(plan.requests.low).toBe(simulator.stats.dataRequests)
    simulator.reset()
    const again = await pull(spec, { out, settings })
    expect(again).toMatchObject({ outcome: 'unchanged', tasks: { covered: 4, done: 0 }, rows: 0, requests: 0 })
    expect(simulator.requests).toHaveLength(0)
    expect((await planPull(spec, { out, settings })).requests).toEqual({ low: 0, high: 0 })
  })

  it('asks for the new part only when a specification has grown', async () => {
    const simulator = await simulate()
    const out = tempFolder()
    const settings = settingsFor(simulator)
    await pull({ ...TWO_REGIONS, end: '2024-01-20' }, { out, settings })
    simulator.reset()
    const report = await pull(TWO_REGIONS, { out, settings })
    expect(report.tasks).toMatchObject({ covered: 0, done: 4 })
    const starts = simulator.requests.filter(({ path }) => path === '/v3/historical').map(({ query }) => query['start'])
    expect(starts.map(String).sort()).toEqual([
      '2024-01-20T00:05:00Z',
      '2024-01-20T00:05:00Z',
      '2024-02-01T00:00:00Z',
      '2024-02-01T00:00:00Z',
    ])
    expect((await status(out)).rows).toBe(2 * 60 * 288)
  })

  it('lists holes, and takes them as they are when told to', async () => {
    const drop = [{ from: '2024-01-05T00:00Z', to: '2024-01-05T00:55Z' }]
    const simulator = await simulate({
      faults: [{ when: { query: { region: 'PJM_DC' } }, do: { type: 'rows', drop } }],
    })
    const out = tempFolder()
    const settings = settingsFor(simulator)
    const report = await pull(TWO_REGIONS, { out, settings })
    const hole = {
      service: 'emissions',
      operation: 'historical',
      series: { region: 'PJM_DC', signal_type: 'co2_moer' },
      start: new Date('2024-01-05T00:00Z'),
      end: new Date('2024-01-05T00:55Z'),
      samples: 12,
    }
    expect(report).toMatchObject({ outcome: 'incomplete', tasks: { left: 0 }, holes: [{ ...hole, accepted: false }] })
    const accepted = await pull(TWO_REGIONS, { out, settings, acceptHoles: true })
    expect(accepted).toMatchObject({ outcome: 'unchanged', holes: [{ ...hole, accepted: true }] })
    expect((await pull(TWO_REGIONS, { out, settings })).outcome).toBe('unchanged')
  })

  it('leaves other tasks alone when one fails, says which, and does it when run again', async () => {
    const simulator = await simulate({
      faults: [
        { when: { query: { region: 'PJM_DC' }, startsFrom: '2024-02-01' }, do: { type: 'status', status: 400 } },
      ],
    })
    const out = tempFolder()
    const settings = settingsFor(simulator)
    await expect(pull(TWO_REGIONS, { out, settings })).rejects.toMatchObject({
      name: 'PullError',
      kind: 'failed',
      failures: [{ task: { series: { region: 'PJM_DC' } }, error: { kind: 'http_4xx' } }],
      report: { outcome: 'incomplete', tasks: { done: 3, failed: 1, left: 1 } },
    })
    expect(filesIn(out).filter(path => path.endsWith('.part'))).toEqual([])
    simulator.setFaults([])
    simulator.reset()
    expect(await pull(TWO_REGIONS, { out, settings })).toMatchObject({
      outcome: 'complete',
      tasks: { covered: 3, done: 1 },
    })
    expect(simulator.stats.dataRequests).toBe(1)
  })

  it('stops at once when nothing can succeed: bad credentials are tried once', async () => {
    const simulator = await simulate()
    const settings = { emissions: { ...settingsFor(simulator).emissions, password: 'wrong-pass-1!' } }
    const out = tempFolder()
    await expect(pull(TWO_REGIONS, { out, settings, parallel: 1 })).rejects.toMatchObject({
      kind: 'failed',
      failures: [{ error: { kind: 'login' } }],
      report: { tasks: { left: 4 } },
    })
    expect(simulator.requests).toHaveLength(1)
  })

  it('takes up a folder whose manifest lost half of its last line', async () => {
    const simulator = await simulate()
    const out = tempFolder()
    const settings = settingsFor(simulator)
    await pull(TWO_REGIONS, { out, settings })
    const whole = contentsOf(out)
    const path = join(out, 'manifest.jsonl')
    const text = readFileSync(path, 'utf8')
    const last = text.trimEnd().slice(text.trimEnd().lastIndexOf('\n') + 1)
    truncateSync(path, text.length - Math.floor(last.length / 2))
    const taken = new Set(wholeTasks(path).map(({ task }) => task))
    simulator.reset()
    const report = await pull(TWO_REGIONS, { out, settings })
    expect(report).toMatchObject({ outcome: 'complete', tasks: { covered: 3, done: 1 } })
    expect(taken.size).toBe(3)
    expect(contentsOf(out)).toEqual(whole)
  })

  it('removes what a process that was killed left behind, and nothing of anybody else', async () => {
    const simulator = await simulate()
    const out = tempFolder()
    const settings = settingsFor(simulator)
    await pull(TWO_REGIONS, { out, settings })
    const before = filesIn(out)
    const folder = join(out, 'data/emissions_historical/region=PJM_DC/signal_type=co2_moer/year=2024')
    writeFileSync(join(folder, 'part-00000000000000aa.csv.part'), 'half')
    writeFileSync(join(folder, 'part-00000000000000bb.csv'), 'finished, and never written down')
    writeFileSync(join(folder, 'notes.csv'), 'mine')
    await pull(TWO_REGIONS, { out, settings })
    expect(filesIn(out)).toEqual([...before, join(folder, 'notes.csv').slice(out.length + 1)].sort())
  })

  it('refuses another format in the same folder', async () => {
    const simulator = await simulate()
    const out = tempFolder()
    const settings = settingsFor(simulator)
    const spec = { ...TWO_REGIONS, end: '2024-01-02' }
    await pull(spec, { out, settings })
    await expect(pull(spec, { out, settings, format: 'jsonl' })).rejects.toMatchObject({ kind: 'format' })
  })

  it('tells what happens, with how far it is', async () => {
    const simulator = await simulate()
    const events: PullEvent[] = []
    await pull(TWO_REGIONS, {
      out: tempFolder(),
      settings: settingsFor(simulator),
      parallel: 1,
      onEvent: event => void events.push(event),
    })
    const types = events.map(({ type }) => type).filter(type => type !== 'retrieval')
    expect(types).toEqual(['planned', ...Array.from({ length: 4 }, () => ['task-started', 'task-done']).flat(), 'done'])
    expect(events.at(-1)?.progress).toMatchObject({
      tasks: 4,
      tasksDone: 4,
      rows: 34_560,
      expectedRows: 34_560,
      requests: 6,
    })
  })

  it('leaves a missing folder, or one that was emptied, as if it had never been', async () => {
    const out = join(tempFolder(), 'not', 'there')
    expect(await status(out)).toMatchObject({ format: undefined, tasks: undefined, files: [] })
    const simulator = await simulate()
    const settings = settingsFor(simulator)
    const spec = { ...TWO_REGIONS, end: '2024-01-02' }
    await pull(spec, { out, settings })
    rmSync(out, { recursive: true })
    expect((await pull(spec, { out, settings })).outcome).toBe('complete')
  })
})

function wholeTasks(path: string): TaskLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(1, -1)
    .map(line => JSON.parse(line) as TaskLine)
}
