import type { ResponseMeta } from '../transport/index.ts'
import type { ChartHints } from './chart-hints.ts'
import type { AnyRow, Column } from './columns.ts'
import type { Completeness } from './completeness.ts'

/** What a result is made from. */
export interface RetrievalParts<Row extends AnyRow> {
  readonly service: string
  readonly operation: string
  readonly rows: Row[]
  readonly meta: readonly ResponseMeta[]
  /** For each row, the place of its response in `meta`. @defaultValue rows stand in the order of their responses */
  readonly origins?: ArrayLike<number> | undefined
  readonly columns: readonly Column[]
  readonly warnings: readonly string[]
  readonly completeness?: Completeness | undefined
  /** How it is drawn unless somebody says otherwise. */
  readonly chart?: ChartHints | undefined
}
