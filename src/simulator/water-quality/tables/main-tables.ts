import type { Activity } from '../world/activities.ts'
import type { Result } from '../world/results.ts'
import type { Feed } from '../world/sites.ts'
import { createWriter, type Cells } from '../wire/layout.ts'
import { sealed, type Table } from './table.ts'

/** One row for each result. */
export function resultTable(columns: readonly string[], cells: Cells): Table {
  const table: Table<Result> = {
    columns,
    rows: (selection, order) => selection.results(order),
    createWriter: dialect => createWriter(columns, cells, dialect).result,
    providerOf: ({ activity }) => activity.feed.provider,
    dayOf: ({ activity }) => activity.day,
  }
  return sealed(table)
}

/** One row for each activity. */
export function activityTable(columns: readonly string[], cells: Cells): Table {
  const table: Table<Activity> = {
    columns,
    *rows(selection, order) {
      for (const { activity } of selection.picks(order)) yield activity
    },
    createWriter: dialect => createWriter(columns, cells, dialect).activity,
    providerOf: ({ feed }) => feed.provider,
    dayOf: ({ day }) => day,
  }
  return sealed(table)
}

/** One row for each site, always in order. */
export function stationTable(columns: readonly string[], cells: Cells): Table {
  const table: Table<Feed> = {
    columns,
    rows: selection => selection.feedsWithData({ sorted: true, turn: 0 }),
    createWriter: dialect => createWriter(columns, cells, dialect).feed,
    providerOf: ({ provider }) => provider,
    dayOf: () => null,
  }
  return sealed(table)
}
