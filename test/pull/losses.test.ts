import { describe, expect, it } from 'vitest'
import { pull, type PullClients, type PullFormat, type PullSpec } from '../../src/pull/index.ts'
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
