import type { AnyRow } from '../../retrieval/index.ts'
import { readNumber } from './censoring.ts'
import type { Layout } from './layout.ts'
import type { TableOptions, TableRead } from './read-table.ts'
import { zoneOffsetMs } from './zones.ts'

/** What is said of the rows of one answer in its metadata row. */
export function sourceOf({ notes }: TableRead): Record<string, unknown> {
  if (notes === undefined) return {}
  const { withoutInstant, censored, unknownConditions } = notes
  const { date, time, zone, unreadable, unknownZones } = withoutInstant
  const reasons = Object.entries({ date, time, zone, unreadable }).filter(([, rows]) => rows > 0)
  return {
    ...(censored > 0 ? { censored } : {}),
    ...(reasons.length > 0 ? { withoutInstant: Object.fromEntries(reasons) } : {}),
    ...(unknownZones.size > 0 ? { unknownZones: Object.fromEntries(unknownZones) } : {}),
    ...(unknownConditions.size > 0 ? { unknownConditions: Object.fromEntries(unknownConditions) } : {}),
  }
}

/** What the reader of a result should know of its rows. */
export function noteWarnings(rows: readonly AnyRow[], layout: Layout, { derive, zones }: TableOptions): string[] {
  return derive ? [...instantWarnings(rows, layout, zones), ...valueWarnings(rows, layout)] : []
}

function instantWarnings(rows: readonly AnyRow[], layout: Layout, zones: TableOptions['zones']): string[] {
  const start = layout.triples.find(({ date }) => date === layout.place('date'))
  if (start === undefined) return []
  const zone = layout.names[start.zone] ?? ''
  let without = 0
  const codes = new Set<string>()
  for (const row of rows) {
    if (row[start.name] !== null) continue
    without += 1
    const code = row[zone]
    if (typeof code === 'string' && codes.size < 10 && zoneOffsetMs(code, zones) === undefined) codes.add(code)
  }
  if (without === 0) return []
  const doubtful = codes.size > 0 ? `; codes that were not read: ${[...codes].sort().join(', ')}` : ''
  return [
    `${without} of ${rows.length} rows have no instant: date, time or zone is missing or means nothing${doubtful}`,
  ]
}

/** Text in place of a number stays in its own column, and `value` is empty. */
function valueWarnings(rows: readonly AnyRow[], layout: Layout): string[] {
  const name = layout.nameOf('value')
  if (name === undefined) return []
  let odd = 0
  let first = ''
  for (const row of rows) {
    const text = row[name]
    if (row['value'] !== null || row['censored'] !== null || typeof text !== 'string') continue
    if (readNumber(text) !== null) continue
    odd += 1
    if (odd === 1) first = text.slice(0, 40)
  }
  return odd === 0 ? [] : [`${odd} values are no plain number, such as '${first}'; their text is in ${name}`]
}
