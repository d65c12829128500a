import type { AnyRow, Column } from '../retrieval/index.ts'
import type { ResponseMeta } from '../transport/index.ts'

/** Columns of the table of metadata: one row per response, joined to rows by task. */
export const META_COLUMNS: readonly Column[] = [
  { name: 'task', kind: 'text' },
  { name: 'service', kind: 'text' },
  { name: 'operation', kind: 'text' },
  { name: 'url', kind: 'text' },
  { name: 'status', kind: 'number' },
  { name: 'requestId', kind: 'text' },
  { name: 'span_start', kind: 'instant' },
  { name: 'span_end', kind: 'instant' },
  { name: 'chunk', kind: 'number' },
  { name: 'depth', kind: 'number' },
  { name: 'page', kind: 'number' },
  { name: 'attempts', kind: 'number' },
  { name: 'waitedMs', kind: 'number' },
  { name: 'elapsedMs', kind: 'number' },
  { name: 'requestedAt', kind: 'instant' },
  { name: 'receivedAt', kind: 'instant' },
  { name: 'bytes', kind: 'number' },
  { name: 'rows', kind: 'number' },
  { name: 'rowsOutside', kind: 'number' },
  { name: 'rowsMerged', kind: 'number' },
  { name: 'quotaRemaining', kind: 'number' },
  { name: 'source', kind: 'json' },
]

export function metaRow(task: string, { span, ...facts }: ResponseMeta): AnyRow {
  return { task, ...facts, span_start: span?.start ?? null, span_end: span?.end ?? null }
}
