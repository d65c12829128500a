import type { AnyRow, Column } from '../retrieval/index.ts'
import type { SpanMs } from '../span.ts'
import type { CallOptions } from '../transport/index.ts'
import { mergeIntoFiles, type Change, type MergeTarget, type SeenInstant } from './merge-files.ts'
import { identityIn } from './merge-rows.ts'
import type { ProgressBoard } from './progress.ts'
import { removeGone } from './remove-gone.ts'
import type { RunControl } from './run-control.ts'
import { batchesOf, type OperationEntry, type PlainQuery, type ServiceClient } from './service-entry.ts'
import { queryOf } from './tasks.ts'

/** So many rows are gathered before they are merged. */
const MOST_ROWS = 200_000

/** What is needed to ask for a stretch again. */
export interface AskAgain extends MergeTarget {
  readonly client: ServiceClient
  readonly control: RunControl
  readonly board: ProgressBoard
}

/** What came of asking again. */
export interface AskedAgain extends Change {
  /** Rows that the service does not have any more. */
  readonly removed: number
  /** Instants without a row since then. */
  readonly emptied: readonly SeenInstant[]
}

/**
 * Asks for stretches of a series once more and merges what comes into its files.
 *
 * @param more - what is added to the query
 * @param whole - all that the service has is asked for: rows that do not come are taken away
 */
export async function askAgain(
  work: AskAgain,
  spans: readonly SpanMs[],
  more: PlainQuery,
  whole = false,
): Promise<AskedAgain> {
  const { series, client, control, board } = work
  const { entry } = series
  const skipped = new Set(entry.revisions?.extra)
  const call = callOf(control, board)
  const total = { added: 0, revised: 0, removed: 0, instants: [] as SeenInstant[], emptied: [] as SeenInstant[] }
  let rows: AnyRow[] = []
  let columns: readonly Column[] = []
  const merge = async (): Promise<void> => {
    const { added, revised, instants } = await mergeIntoFiles(work, rows, columns)
    total.added += added
    total.revised += revised
    total.instants = [...total.instants, ...instants]
    rows = []
  }
  for (const span of spans) {
    const came = new Set<string>()
    let doubt: string | undefined
    for await (const batch of batchesOf(client, entry, queryOf(series, span, more), call)) {
      const constants = Object.keys(series.constants).map((name): Column => ({ name, kind: 'text' }))
      columns = [...constants, ...batch.columns().filter(({ name }) => !skipped.has(name))]
      for (const row of batch.rows) rows.push({ ...series.constants, ...row })
      if (whole) for (const row of rows.slice(-batch.rows.length)) came.add(identityIn(row, entry))
      doubt ??= batch.meta.map(({ source }) => doubtIn(source, entry)).find(Boolean)
      if (rows.length >= MOST_ROWS) await merge()
    }
    if (!whole) continue
    await merge()
    const { removed, instants } = await removeGone(work, { span, came, doubt })
    total.removed += removed
    total.emptied = [...total.emptied, ...instants]
  }
  await merge()
  board.rows += total.added + total.revised
  return total
}

/** What a service says against its own answer. */
function doubtIn(source: PlainQuery, { isWhole = () => true }: OperationEntry): string | undefined {
  const { warnings } = source
  if (Array.isArray(warnings) && warnings.length > 0) return String(warnings[0])
  return isWhole(source) ? undefined : 'nobody could confirm it'
}

/** Calls obey the run, and are counted by it. */
export function callOf(control: RunControl, board: ProgressBoard): CallOptions {
  return {
    signal: control.signal,
    onEvent(event) {
      if (event.type === 'attempt') control.countRequest()
      if (event.type === 'refresh') board.requests -= 1
      board.tell({ type: 'retrieval', event })
    },
  }
}
