import type { AnyRow } from '../retrieval/index.ts'
import { spanOf, type SpanMs } from '../span.ts'
import { isoText } from '../time.ts'
import { instantIn } from './holes.ts'
import { unionOf } from './load-tables.ts'
import type { LineFile } from './manifest-lines.ts'
import { placesOf, type MergeTarget, type SeenInstant } from './merge-files.ts'
import { identityIn } from './merge-rows.ts'
import { replaceWithRows } from './rewrite.ts'
import { isRowOf, nameOf } from './series.ts'
import { readTable } from './table-reader.ts'

/** What an answer that should be whole brought of a stretch. */
export interface WholeAnswer {
  readonly span: SpanMs
  /** Samples that came, by what they are. */
  readonly came: ReadonlySet<string>
  /** Why it may not be whole after all. */
  readonly doubt: string | undefined
}

/** Rows that were taken away, and the instants that have none any more. */
export interface Removal {
  readonly removed: number
  readonly instants: readonly SeenInstant[]
}

/**
 * Takes rows away that the service does not have any more. They stay, with a warning, where nothing came at all or where
 * the answer may not be whole: that is more likely trouble than a decision of the service.
 */
export async function removeGone(target: MergeTarget, answer: WholeAnswer): Promise<Removal> {
  const { series, folder, warn } = target
  const instants: SeenInstant[] = []
  let removed = 0
  let kept = 0
  for (const files of filesWithin(target, answer.span)) {
    const rows: AnyRow[] = []
    for (const file of files)
      for await (const part of readTable(folder.disk, folder.out, file)) for (const row of part) rows.push(row)
    const isGone = (row: AnyRow): boolean => isGoneFrom(row, answer, target, files)
    const gone = rows.filter(isGone)
    if (gone.length === 0) continue
    if (answer.came.size === 0 || answer.doubt !== undefined) {
      kept += gone.length
      continue
    }
    const left = rows.filter(row => !isGone(row))
    await replaceWithRows({ ...target, replaces: files }, [left], unionOf(files))
    removed += gone.length
    instants.push(...emptied(gone, left, target))
  }
  if (kept > 0) warn(keptText(kept, answer, nameOf(series)))
  return { removed, instants }
}

/** Files with rows of a stretch, those together whose rows belong to the same tasks. */
function filesWithin({ folder, series }: MergeTarget, { start, end }: SpanMs): readonly (readonly LineFile[])[] {
  const groups = new Map<string, readonly LineFile[]>()
  for (const { span, files } of placesOf(folder, series)) {
    if (span.start > end || span.end < start || files.length === 0) continue
    groups.set(files.map(({ path }) => path).join(), files)
  }
  return [...groups.values()]
}

function isGoneFrom(
  row: AnyRow,
  { span, came }: WholeAnswer,
  { series }: MergeTarget,
  files: readonly LineFile[],
): boolean {
  const { time } = series.entry
  if (time === undefined) return false
  const at = instantIn(row, time.column)
  if (!(at >= span.start && at <= span.end)) return false
  // Where several series share a file, only what says itself whose it is.
  if (files.some(file => file.series.length > 1) && !isRowOf(row, series)) return false
  return !came.has(identityIn(row, series.entry))
}

function emptied(gone: readonly AnyRow[], left: readonly AnyRow[], { series }: MergeTarget): SeenInstant[] {
  const { time, within } = series.entry
  if (time === undefined) return []
  const seenIn = (row: AnyRow): SeenInstant => ({
    at: instantIn(row, time.column),
    within: within === undefined ? undefined : String(row[within]),
  })
  const key = ({ at, within: name }: SeenInstant): string => `${at} ${name}`
  const there = new Set(left.map(row => key(seenIn(row))))
  return gone.map(seenIn).filter(seen => !there.has(key(seen)))
}

function keptText(kept: number, { span, came, doubt }: WholeAnswer, name: string): string {
  const { start, end } = spanOf(span)
  const where = `${isoText(start.getTime())} to ${isoText(end.getTime())}`
  const why = came.size === 0 ? 'nothing came at all' : `its answer may not be whole: ${doubt}`
  return `${name}: the service did not bring ${kept} of the folder's rows again (${where}); they are kept, since ${why}`
}
