import type { Feed } from '../world/sites.ts'
import type { Order, Selection } from '../select/selection.ts'
import type { Dialect } from '../wire/dialect.ts'

/** Rows of one kind: where they come from, and how they are written. */
export interface Table<Row = unknown> {
  readonly columns: readonly string[]
  rows(selection: Selection, order: Order): Iterable<Row>
  /** A writer of rows. It remembers the row before, so every answer needs its own. */
  createWriter(dialect: Dialect): (row: Row) => string
  providerOf(row: Row): Feed['provider']
  /** Local day of a row, or `null` where it has none. */
  dayOf(row: Row): number | null
}

/** Forgets of which kind the rows are, once a table has been put together. */
export function sealed<Row>(table: Table<Row>): Table {
  return table as Table
}
