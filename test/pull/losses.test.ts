import { describe, expect, it } from 'vitest'
import { pull, sync, type PullClients, type PullFormat, type PullSpec } from '../../src/pull/index.ts'
import type { AnyRow, Column } from '../../src/retrieval/index.ts'
import { rowsIn } from '../support/pulling.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const SPEC: PullSpec = {
  start: '2022-01-01',
  end: '2022-01-31',
  pulls: [{ service: 'water-quality', operation: 'results', query: { siteId: 'A-1' } }],
}
const COLUMNS: readonly Column[] = [
  { name: 'Activity_StartDate', kind: 'date' },
  { name: 'Activity_EndDate', kind: 'date' },
  { name: 'Result_MeasureIdentifier', kind: 'text' },
]
const VALUE: Column = { name: 'value', kind: 'number' }
const ROWS: readonly AnyRow[] = ['2022-01-05', '2022-02-30', 'January'].map((day, at) => ({
  Activity_StartDate: '2022-01-05',
  Activity_EndDate: day,
  Result_MeasureIdentifier: `R${at}`,
}))

/** A client whose service has days that are none. */
const clients = {
  'water-quality': {
    describeSettings: () => [],
    planResults: () => ({ requests: 1 }),
    async *streamResults() {
      yield { rows: ROWS.map(row => ({ ...row })), meta: [], columns: () => COLUMNS }
    },
  },
} as unknown as PullClients

describe('days that a service writes and no calendar has', () => {
  it.each<[PullFormat, warnings: number]>([
    ['csv', 0],
    ['jsonl', 0],
    ['parquet', 1],
  ])('are kept in text, and a warning with their number in Parquet: %s', async (format, warnings) => {
    const out = tempFolder()
    const told: string[] = []
    const report = await pull(SPEC, {
      out,
      format,
      clients,
      onEvent: event => event.type === 'warning' && told.push(event.message),
    })
    expect(report.warnings).toEqual(told)
    expect(told).toHaveLength(warnings)
    if (warnings > 0) expect(told[0]).toMatch(/^Activity_EndDate: 2 values are no date .* '2022-02-30'/)
    const days = (await rowsIn(out)).map(row => row['Activity_EndDate'])
    expect(days).toEqual(format === 'parquet' ? ['2022-01-05', null, null] : ROWS.map(row => row['Activity_EndDate']))
  })
})

describe('a column that came in the middle of a task', () => {
  it.each<PullFormat>(['csv', 'jsonl', 'parquet'])('is kept when another row is revised: %s', async format => {
    const narrow: readonly Column[] = [...COLUMNS.filter(({ name }) => name !== 'Activity_EndDate'), VALUE]
    let isLater = false
    const growing = {
      'water-quality': {
        describeSettings: () => [],
        planResults: () => ({ requests: 1 }),
        async *streamResults() {
          const row = { Activity_StartDate: '2022-01-05', Result_MeasureIdentifier: 'R0', value: isLater ? 2 : 1 }
          // Half of it only, and the service says so: nothing is taken away.
          const meta = isLater ? [{ source: { warnings: ['the service announced 2 rows, and 1 came'] } }] : []
          yield { rows: [row], meta, columns: () => narrow }
          if (isLater) return
          const noted = { Activity_StartDate: '2022-01-06', Result_MeasureIdentifier: 'R1', value: 3, note: 'ice' }
          yield { rows: [noted], meta: [], columns: () => [...narrow, { name: 'note', kind: 'text' }] }
        },
      },
    } as unknown as PullClients
    const out = tempFolder()
    await pull(SPEC, { out, format, clients: growing, compact: false })
    isLater = true
    const report = await sync(undefined, { out, clients: growing, until: '2022-01-31', compact: false })
    expect(report).toMatchObject({ added: 0, removed: 0, revised: 1 })
    expect(report.warnings[0]).toContain('did not bring 1 of the folder')
    expect((await rowsIn(out)).map(row => [row['value'], row['note'] ?? null])).toEqual([
      [2, null],
      [3, 'ice'],
    ])
  })
})
