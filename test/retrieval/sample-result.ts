import type { AnyRow, Column } from '../../src/retrieval/columns.ts'
import { Retrieval } from '../../src/retrieval/index.ts'
import type { RetrievalParts } from '../../src/retrieval/parts.ts'
import type { ResponseMeta } from '../../src/transport/index.ts'

/** Midnight of 1 March 2024, UTC. */
export const MIDNIGHT = Date.UTC(2024, 2, 1)
export const MINUTE_MS = 60_000

export const COLUMNS: readonly Column[] = [
  { name: 'point_time', kind: 'instant' },
  { name: 'value', kind: 'number', unit: 'lbs_co2_per_mwh' },
]

/** An instant so many minutes after the first. */
export function minute(at: number): Date {
  return new Date(MIDNIGHT + at * MINUTE_MS)
}

/** Rows five minutes apart. */
export function fiveMinutely(values: readonly (number | null)[], from = 0): AnyRow[] {
  return values.map((value, at) => ({ point_time: minute(from + 5 * at), value }))
}

export function resultOf(rows: AnyRow[], parts: Partial<RetrievalParts<AnyRow>> = {}): Retrieval {
  return new Retrieval({
    service: 'acme',
    operation: 'historical',
    columns: COLUMNS,
    meta: [],
    warnings: [],
    rows,
    ...parts,
  })
}

export function metaRow(given: Partial<ResponseMeta> = {}): ResponseMeta {
  return {
    service: 'acme',
    operation: 'historical',
    url: 'https://acme.test/v1/historical',
    status: 200,
    requestId: null,
    span: { start: minute(0), end: minute(60) },
    chunk: 0,
    depth: 0,
    page: 1,
    attempts: 1,
    waitedMs: 0,
    elapsedMs: 20,
    requestedAt: minute(0),
    receivedAt: minute(1),
    bytes: 100,
    rows: 13,
    rowsOutside: 0,
    cached: false,
    rowsMerged: 0,
    quotaRemaining: null,
    source: {},
    ...given,
  }
}
