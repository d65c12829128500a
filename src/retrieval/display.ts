import type { RetrievalParts } from './parts.ts'
import type { AnyRow } from './columns.ts'
export function display<Row extends AnyRow>(result: RetrievalParts<Row>): string {
  return `${result.operation}: ${result.rows.length} rows`
}
