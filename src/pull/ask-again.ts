import type { AnyRow, Column } from '../retrieval/index.ts'
import type { SpanMs } from '../span.ts'
import type { CallOptions } from '../transport/index.ts'
import { mergeIntoFiles, type Change, type MergeTarget } from './merge-files.ts'
import type { ProgressBoard } from './progress.ts'
import type { RunControl } from './run-control.ts'
import { batchesOf, type PlainQuery, type ServiceClient } from './service-entry.ts'
import { queryOf } from './tasks.ts'

/** So many rows are gathered before they are merged. */
const MOST_ROWS = 200_000

/** What is needed to ask for a stretch again. */
export interface AskAgain extends MergeTarget {
  readonly client: ServiceClient
  readonly control: RunControl
  readonly board: ProgressBoard
}

/**
 * Asks for stretches of a series once more and merges what comes into its files.
 *
 * @param more - what is added to the query
 */
export async function askAgain(work: AskAgain, spans: readonly SpanMs[], more: PlainQuery): Promise<Change> {
  const { series, client, control, board } = work
  const skipped = new Set(series.entry.revisions?.extra)
  const call = callOf(control, board)
  let change: Change = { added: 0, revised: 0, instants: [] }
  let rows: AnyRow[] = []
  let columns: readonly Column[] = []
  const merge = async (): Promise<void> => {
    const { added, revised, instants } = await mergeIntoFiles(work, rows, columns)
    change = {
      added: change.added + added,
      revised: change.revised + revised,
      instants: [...change.instants, ...instants],
    }
    rows = []
  }
  for (const span of spans) {
    for await (const batch of batchesOf(client, series.entry, queryOf(series, span, more), call)) {
      const constants = Object.keys(series.constants).map((name): Column => ({ name, kind: 'text' }))
      columns = [...constants, ...batch.columns().filter(({ name }) => !skipped.has(name))]
      for (const row of batch.rows) rows.push({ ...series.constants, ...row })
      if (rows.length >= MOST_ROWS) await merge()
    }
  }
  await merge()
  board.rows += change.added + change.revised
  return change
}

/** Calls obey the run, and are counted by it. */
function callOf(control: RunControl, board: ProgressBoard): CallOptions {
  return {
    signal: control.signal,
    onEvent(event) {
      if (event.type === 'attempt') control.countRequest()
      if (event.type === 'refresh') board.requests -= 1
      board.tell({ type: 'retrieval', event })
    },
  }
}
