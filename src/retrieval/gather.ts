import type { Checkpoint } from '../checkpoint.ts'
import { RetrievalInterrupted, type Interruption, type RequestError, type ResumeOptions } from '../errors.ts'
import { mergeSpans, spanOf, subtractSpans } from '../span.ts'
import {
  spansOf,
  toCheckpointPiece,
  type Batch,
  type CallOptions,
  type Piece,
  type Question,
  type ResponseMeta,
  type Transport,
} from '../transport/index.ts'
import type { ChartHints } from './chart-hints.ts'
import type { AnyRow, Column } from './columns.ts'
import type { Completeness } from './completeness.ts'
import { attribute, type Finished } from './finish.ts'
import { batchesOf, carriedOn, piecesOf, regrouped, type Itinerary } from './itinerary.ts'
import { Retrieval } from './retrieval.ts'

/** A query with everything needed to turn its responses into a result. */
export interface Gathering<Row extends AnyRow> {
  readonly transport: Transport
  readonly question: Question<Row>
  readonly call: CallOptions
  /** The query as plain data, for a checkpoint. */
  readonly query: Readonly<Record<string, unknown>>
  /** Columns of the result; may look at what came. */
  readonly columns: (rows: readonly Row[], meta: readonly ResponseMeta[]) => readonly Column[]
  /** What is made of all rows together, where the order of the plan is not that of the result. */
  readonly finish?: ((rows: Row[]) => Finished<Row>) | undefined
  /** Columns that every row has by its making: nobody has to look for gaps in them. */
  readonly filled?: readonly string[] | undefined
  /** How the result is drawn unless somebody says otherwise. */
  readonly chart?: ((rows: readonly Row[]) => ChartHints) | undefined
  /** What was expected of the pieces asked for and what came, where the cadence is known. */
  readonly completeness?:
    | ((rows: readonly Row[], meta: readonly ResponseMeta[], asked: readonly Piece[]) => Completeness | undefined)
    | undefined
}

/** One batch of a stream: rows in order, with the metadata of the response that brought them. */
export interface StreamBatch<Row extends AnyRow> {
  readonly rows: Row[]
  readonly meta: readonly ResponseMeta[]
  /** Columns as far as they are known by now: the documented ones, and what came on top of them. Looks at the rows. */
  columns(): readonly Column[]
  /** Where to go on when everything up to this batch is safely stored. */
  checkpoint(): Checkpoint
}

/**
 * Runs a query to its end and returns it whole.
 *
 * @throws RetrievalInterrupted when a part fails for good; RequestError when there is only one part
 */
export function collect<Row extends AnyRow>(gathering: Gathering<Row>): Promise<Retrieval<Row>> {
  return collectWith(
    gathering,
    gathering.question.todo.map(piece => ({ piece })),
  )
}

/**
 * Runs a query and hands on its batches as they can be put in order. A slow consumer slows the pull.
 *
 * @throws RetrievalInterrupted after the batches in front of the part that failed have been handed on; with
 *   `onFailure: 'collect'`, after those behind it as well: a stream has no other place to list what is missing
 */
export async function* stream<Row extends AnyRow>(
  gathering: Gathering<Row>,
): AsyncGenerator<StreamBatch<Row>, void, void> {
  const { transport, question, call } = gathering
  const running = transport.retrieve({ ...question, streaming: true }, { priority: 'bulk', ...call })
  let notHandedOn: readonly Piece[] = question.todo
  let given = 0
  for await (const batch of running.batches()) {
    const left = (): Piece[] => running.leftAfter(batch)
    const meta = [batch.meta]
    yield {
      rows: batch.rows,
      meta,
      columns: () => gathering.columns(batch.rows, meta),
      checkpoint: () => checkpointOf(gathering, left(), running.pin),
    }
    notHandedOn = left()
    given += batch.rows.length
  }
  if (running.failures.length === 0) return
  // Rows behind a hole do not count: those that are wanted may be in it.
  const most = call.maxRows === undefined ? {} : { maxRows: call.maxRows - Math.min(given, running.inFront) }
  const rest = { ...gathering, question: { ...question, todo: notHandedOn }, call: { ...call, ...most } }
  const itinerary = running.account(running.undelivered())
  throw interrupted(rest, running.failures, {
    itinerary,
    whole: question.todo,
    pin: running.pin,
    uncollected: notHandedOn,
  })
}

async function collectWith<Row extends AnyRow>(
  gathering: Gathering<Row>,
  before: Itinerary<Row>,
): Promise<Retrieval<Row>> {
  const { transport, question, call } = gathering
  const running = transport.retrieve({ ...question, todo: piecesOf(before), streaming: false }, call)
  const batches: Batch<Row>[] = []
  for await (const batch of running.batches()) batches.push(batch)
  const { failures } = running
  // What a first run received agrees no more with what its continuation met: all is asked again, the newer named.
  const outdated = batchesOf(before).length > 0 && question.pin !== undefined && running.pin !== question.pin
  if (outdated) return collect({ ...gathering, question: { ...question, pin: running.pin } })
  const itinerary = carriedOn(before, running.account([...batches, ...running.undelivered()]), question.facts.identity)
  const received = batchesOf(itinerary)
  if (failures.length === 0) return assemble(gathering, received, [])
  if (call.onFailure === 'collect')
    return assemble(
      gathering,
      received,
      failures.map(failure => failure.message),
    )
  const onlyPart = question.todo.every(piece => piece.span === undefined) && received.length === 0
  if (onlyPart && failures[0]) throw failures[0]
  throw interrupted(gathering, failures, {
    itinerary,
    whole: question.todo,
    pin: running.pin,
    uncollected: piecesOf(itinerary),
  })
}

/** What is known when a run ended too early. */
interface Broken<Row> {
  readonly itinerary: Itinerary<Row>
  readonly whole: readonly Piece[]
  readonly pin: string | undefined
  /** What another process must ask for: nothing of it has reached the caller. */
  readonly uncollected: readonly Piece[]
}

function interrupted<Row extends AnyRow>(
  gathering: Gathering<Row>,
  failures: readonly RequestError[],
  broken: Broken<Row>,
): RetrievalInterrupted<Retrieval<Row>> {
  const { question } = gathering
  const step = question.facts.rules.ends === 'trimmed' ? question.facts.rules.stepMs : 0
  const left = mergeSpans(spansOf(piecesOf(broken.itinerary)), step)
  const interruption: Interruption<Retrieval<Row>> = {
    done: subtractSpans(mergeSpans(spansOf(broken.whole), step), left, step).map(spanOf),
    left: left.map(spanOf),
    partial: () => assemble(gathering, batchesOf(broken.itinerary), [], true),
    checkpoint: () => checkpointOf(gathering, broken.uncollected, broken.pin),
    resume: options => {
      const again = { ...gathering, question: { ...question, pin: broken.pin }, call: resumed(gathering.call, options) }
      return collectWith(again, regrouped(broken.itinerary, step))
    },
  }
  return new RetrievalInterrupted(failures[0] as RequestError, interruption)
}

/** Bounds of the first call do not bind its continuation; everything else stays as it was. */
function resumed(call: CallOptions, options: ResumeOptions = {}): CallOptions {
  const { signal: _signal, deadlineMs: _deadlineMs, expiresAt: _expiresAt, maxRequests: _maxRequests, ...rest } = call
  return { ...rest, ...options }
}

function checkpointOf<Row extends AnyRow>(
  { transport, question, query }: Gathering<Row>,
  left: readonly Piece[],
  pin: string | undefined,
): Checkpoint {
  const step = question.facts.rules.ends === 'trimmed' ? question.facts.rules.stepMs : 0
  return {
    version: 1,
    service: transport.service,
    operation: question.operation,
    query,
    left: piecesOf(
      regrouped(
        left.map(piece => ({ piece })),
        step,
      ),
    ).map(toCheckpointPiece),
    ...(pin === undefined ? {} : { pin }),
  }
}

/** Rows of all batches as one result, in the order of the plan. */
function assemble<Row extends AnyRow>(
  gathering: Gathering<Row>,
  batches: readonly Batch<Row>[],
  failures: readonly string[],
  holes = failures.length > 0,
): Retrieval<Row> {
  const { transport, question, call } = gathering
  const limit = call.maxRows ?? Number.POSITIVE_INFINITY
  const received: Row[] = []
  const responses: ResponseMeta[] = []
  for (const batch of batches) {
    const kept = Math.min(batch.rows.length, limit - received.length)
    for (let at = 0; at < kept; at++) received.push(batch.rows[at] as Row)
    responses.push(kept === batch.rows.length ? batch.meta : { ...batch.meta, rows: kept })
  }
  const finished = gathering.finish?.(received) ?? { rows: received }
  const { meta, origins } = attribute(responses, finished)
  const { rows, warnings = [] } = finished
  const columns = gathering.columns(rows, meta)
  fillGaps(
    rows,
    columns.filter(({ name }) => !gathering.filled?.includes(name)),
  )
  return new Retrieval({
    service: transport.service,
    operation: question.operation,
    rows,
    meta,
    origins,
    columns,
    chart: gathering.chart?.(rows),
    warnings: [
      ...new Set([
        ...meta.flatMap(warningsOf),
        ...warnings,
        ...failures.map(message => `a part is missing: ${message}`),
      ]),
    ],
    // A cap that was reached says nothing of what lies behind it.
    completeness: received.length < limit || holes ? gathering.completeness?.(rows, meta, question.todo) : undefined,
  })
}

/** One shape for all: a column that came in some rows only is `null` in the others. */
function fillGaps(rows: readonly AnyRow[], columns: readonly Column[]): void {
  for (const { name } of columns) {
    if (rows.every(row => name in row)) continue
    for (const row of rows) if (!(name in row)) (row as Record<string, unknown>)[name] = null
  }
}

function warningsOf({ source }: ResponseMeta): string[] {
  return Array.isArray(source['warnings']) ? source['warnings'].map(String) : []
}
