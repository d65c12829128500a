import type { Batch, Operation, Piece, Stretch } from '../transport/index.ts'

/** The plan of a retrieval as it stands: what was received, and between it what is still to be asked for, in order. */
export type Itinerary<Row> = readonly Stretch<Row>[]

/** What has not been received. */
export function piecesOf<Row>(itinerary: Itinerary<Row>): Piece[] {
  return itinerary.flatMap(stretch => ('piece' in stretch ? [stretch.piece] : []))
}

/** What has been received. */
export function batchesOf<Row>(itinerary: Itinerary<Row>): Batch<Row>[] {
  return itinerary.flatMap(stretch => ('batch' in stretch ? [stretch.batch] : []))
}

/** The itinerary with every piece replaced by what came of it in a run that was given `piecesOf` it. */
export function carriedOn<Row>(
  itinerary: Itinerary<Row>,
  run: Itinerary<Row>,
  identity: Operation<Row>['identity'],
): Itinerary<Row> {
  const known = new Set(
    identity ? batchesOf(itinerary).flatMap(({ rows }) => rows.flatMap(row => identity(row) ?? [])) : [],
  )
  const byPart = new Map<number, Stretch<Row>[]>()
  for (const stretch of run) {
    const part = ('piece' in stretch ? stretch.piece : stretch.batch.piece).part ?? 0
    const came = byPart.get(part) ?? []
    byPart.set(part, came)
    came.push(
      'batch' in stretch && identity && known.size > 0
        ? { batch: withoutRepeats(stretch.batch, known, identity) }
        : stretch,
    )
  }
  let part = 0
  return itinerary.flatMap(stretch => ('piece' in stretch ? (byPart.get(part++) ?? []) : [stretch]))
}

/**
 * Joins neighbouring pieces that were cut from one, so that it is cut anew. Walks that have begun stay as they are, and so
 * do the parts that the query was given in: they may be as long as was found to be good.
 */
export function regrouped<Row>(itinerary: Itinerary<Row>, step: number): Itinerary<Row> {
  const grouped: Stretch<Row>[] = []
  for (const stretch of itinerary) {
    const last = grouped.at(-1)
    if (!('piece' in stretch)) grouped.push(stretch)
    else if (last && 'piece' in last && joins(last.piece, stretch.piece, step))
      grouped[grouped.length - 1] = {
        piece: { ...last.piece, kept: undefined, span: spanOver(last.piece, stretch.piece) },
      }
    else grouped.push({ piece: { ...stretch.piece, kept: undefined, depth: 0 } })
  }
  return grouped
}

function joins(last: Piece, next: Piece, step: number): boolean {
  if (last.part === undefined || last.part !== next.part) return false
  if (!last.span || !next.span || last.cursor !== undefined || next.cursor !== undefined || last.ids !== next.ids)
    return false
  return next.span.start - last.span.end <= step && next.span.start >= last.span.end
}

function spanOver({ span: first }: Piece, { span: second }: Piece): Piece['span'] {
  return first && second ? { start: first.start, end: second.end } : (first ?? second)
}

/** Where a walk is taken up at its cursor, its pages may have moved in between: what a first run had received is merged. */
function withoutRepeats<Row>(
  batch: Batch<Row>,
  known: ReadonlySet<string>,
  identity: (row: Row) => string | undefined,
): Batch<Row> {
  const isNew = (row: Row): boolean => !known.has(identity(row) ?? '')
  if (batch.rows.every(isNew)) return batch
  const rows = batch.rows.filter(isNew)
  const { meta } = batch
  return {
    ...batch,
    rows,
    meta: { ...meta, rows: rows.length, rowsMerged: meta.rowsMerged + batch.rows.length - rows.length },
  }
}
