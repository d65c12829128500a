import { RequestError } from '../../src/errors.ts'
import { measureCompleteness, type Gathering } from '../../src/retrieval/index.ts'
import type {
  Batch,
  CallOptions,
  Piece,
  Question,
  ResponseMeta,
  Retrieving,
  Stretch,
  Transport,
} from '../../src/transport/index.ts'

/** A row of the scripted transport. */
export interface Row {
  readonly at: number
  readonly [extra: string]: unknown
}

/** What one run of a scripted transport does. */
export interface Script {
  readonly batches?: readonly Batch<Row>[]
  readonly failures?: readonly RequestError[]
  /** Received behind the part that failed. */
  readonly undelivered?: readonly Batch<Row>[]
  readonly left?: readonly Piece[]
  readonly pin?: string
}

export interface Scripted {
  readonly gathering: (call?: CallOptions) => Gathering<Row>
  /** What each run was asked, in order. */
  readonly runs: { readonly question: Question<Row>; readonly call: CallOptions }[]
}

export const STEP = 10
const rules = { stepMs: STEP, chunkMs: 40, mostMs: 40, ends: 'trimmed' } as const
export const piece = (start: number, end: number, more: Partial<Piece> = {}): Piece => ({
  span: { start, end },
  part: 0,
  depth: 0,
  ...more,
})
export const span = (start: number, end: number): object => ({ start: new Date(start), end: new Date(end) })
export const whole = [piece(0, 110)]

export function failure(message = 'refused'): RequestError {
  return new RequestError('http_4xx', message, {
    service: 'toy',
    operation: 'getToy',
    method: 'GET',
    url: 'https://toy.test/',
    status: 400,
    attempts: 1,
  })
}

/** A batch for a stretch: a row per step, and a metadata row. */
export function batchOf(
  start: number,
  end: number,
  more: { chunk?: number; warnings?: string[]; extra?: object; page?: number; left?: Piece[] } = {},
): Batch<Row> {
  const rows: Row[] = []
  for (let at = start; at <= end; at += STEP) rows.push({ at, ...more.extra })
  const source = more.warnings ? { warnings: more.warnings } : {}
  const meta = {
    span: span(start, end),
    rows: rows.length,
    page: more.page ?? 1,
    chunk: more.chunk ?? 0,
    source,
  } as unknown as ResponseMeta
  return { rows, meta, piece: piece(start, end), left: more.left ?? [] }
}

/** A transport that does as it is told, run by run, and notes what it was asked. */
export function scripted(...scripts: readonly Script[]): Scripted {
  const runs: Scripted['runs'] = []
  const retrieve = (question: Question<Row>, call: CallOptions): Retrieving<Row> => {
    const script = scripts[runs.length] ?? {}
    runs.push({ question, call })
    const { batches = [], failures = [], undelivered = [], left = [], pin } = script
    const running: Partial<Retrieving<Row>> = {
      async *batches() {
        yield* batches
      },
      failures,
      undelivered: () => [...undelivered],
      left: () => [...left],
      leftAfter: batch => [...batch.left, ...left],
      account: received => inOrder([...received.map(batch => ({ batch })), ...left.map(one => ({ piece: one }))]),
      ...(pin === undefined ? {} : { pin }),
    }
    return running as Retrieving<Row>
  }
  const gathering = (call: CallOptions = {}): Gathering<Row> => ({
    transport: { service: 'toy', retrieve } as unknown as Transport,
    question: {
      operation: 'getToy',
      series: '',
      facts: { rules },
      todo: whole,
      priority: 'interactive',
      streaming: false,
    } as unknown as Question<Row>,
    call,
    query: { region: 'X' },
    columns: rows =>
      [...new Set(rows.flatMap(row => Object.keys(row)))].map(name => ({ name, kind: 'number' as const })),
    completeness: (rows, _meta, asked) => {
      const ends = asked.flatMap(one => (one.span ? [one.span] : []))
      const asOne = { start: ends[0]?.start ?? 0, end: ends.at(-1)?.end ?? 0 }
      return measureCompleteness(
        rows.map(({ at }) => at),
        asOne,
        STEP,
      )
    },
  })
  return { gathering, runs }
}

/** What was received and what was not, by time. */
function inOrder(stretches: readonly Stretch<Row>[]): Stretch<Row>[] {
  const startOf = (stretch: Stretch<Row>): number =>
    ('piece' in stretch ? stretch : stretch.batch).piece.span?.start ?? 0
  return [...stretches].sort((a, b) => startOf(a) - startOf(b))
}
