import type { AnyRow, Column, Gathering } from '../../retrieval/index.ts'
import type { CallOptions, Operation, Piece, RowOrder, Transport } from '../../transport/index.ts'

/** A question whose rows stay as the service sends them: a table, a list, the answer of a model. */
export interface TableQuestion<Row extends AnyRow> {
  readonly transport: Transport
  readonly operation: string
  readonly query: object
  readonly call: CallOptions
  /** The documented columns; what comes on top of them is added. */
  readonly columns: readonly Column[]
  readonly request: Operation<Row>['request']
  readonly read: Operation<Row>['read']
  /** @defaultValue one piece for everything */
  readonly todo?: readonly Piece[]
  readonly finish?: Gathering<Row>['finish']
  /** How long an answer may be used again, milliseconds. */
  readonly keepMs: number
}

export function tableGathering<Row extends AnyRow>({
  transport,
  operation,
  query,
  call,
  columns,
  request,
  read,
  todo = [{ depth: 0 }],
  finish,
  keepMs,
}: TableQuestion<Row>): Gathering<Row> {
  return {
    transport,
    call,
    question: {
      operation,
      series: '',
      facts: {
        rules: { stepMs: 1, chunkMs: Number.MAX_SAFE_INTEGER, mostMs: Number.MAX_SAFE_INTEGER, ends: 'trimmed' },
        order: unsorted<Row>(),
        request,
        read,
        keepMs: () => keepMs,
      },
      todo,
      priority: todo.length > 1 ? 'bulk' : 'interactive',
      streaming: false,
    },
    query: JSON.parse(JSON.stringify(query)) as Record<string, unknown>,
    columns: rows => withSeen(columns, rows),
    finish,
  }
}

/** Rows keep the order in which the service sent them. */
function unsorted<Row extends AnyRow>(): RowOrder<Row> {
  return { compare: () => -1, instant: () => undefined, equal: (a, b) => a === b }
}

/** Nothing that the service says is lost, though nobody documented it. */
function withSeen(columns: readonly Column[], rows: readonly AnyRow[]): readonly Column[] {
  const seen = new Map<string, Column>(columns.map(column => [column.name, column]))
  for (const row of rows) {
    for (const name in row) {
      const value = row[name]
      if (!seen.has(name) && value !== null && value !== undefined) seen.set(name, { name, kind: kindOf(value) })
    }
  }
  return [...seen.values()]
}

function kindOf(value: unknown): Column['kind'] {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'object' ? 'json' : 'text'
}
