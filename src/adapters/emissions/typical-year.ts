import { Retrieval, type Column } from '../../retrieval/index.ts'
import { parseInstant, zoneOffsets } from '../../time.ts'
import type { HolidayCalendar } from './holidays.ts'
import type { TypicalYearQuery } from './queries.ts'
import type { HistoricalRow, TypicalYearRow } from './rows.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Of each month 24 hours, on working days and on others. */
const CELLS = 12 * 24 * 2

const COLUMNS: readonly Column[] = [
  { name: 'point_time', kind: 'instant', when: true },
  { name: 'value', kind: 'number' },
  { name: 'month', kind: 'number' },
  { name: 'hour', kind: 'number' },
  { name: 'is_weekday', kind: 'boolean' },
  { name: 'samples', kind: 'number' },
]

/** The stretch of history that a typical year is made of: three years of 365 days. */
export function historyOf({ end }: TypicalYearQuery, now: number): { readonly start: Date; readonly end: Date } {
  const until = end === undefined ? now : parseInstant(end, 'end')
  return { start: new Date(until - 3 * 365 * DAY_MS), end: new Date(until) }
}

/**
 * Averages history by month, hour and kind of day, and lays the averages on the calendar of a year.
 *
 * @param most - hours to give, from the first of the year on
 */
export function typicalYear(
  history: Retrieval<HistoricalRow>,
  { zone, year }: TypicalYearQuery,
  holidays: HolidayCalendar,
  most = Number.POSITIVE_INFINITY,
): Retrieval<TypicalYearRow> {
  const cellOf = cellFinder(zone, holidays)
  const [sums, counts] = [new Float64Array(CELLS), new Uint32Array(CELLS)]
  for (const { point_time, value } of history.rows) {
    if (value === null) continue
    const { cell } = cellOf(point_time.getTime())
    sums[cell] = (sums[cell] as number) + value
    counts[cell] = (counts[cell] as number) + 1
  }
  const rows: TypicalYearRow[] = []
  let last: number | null = null
  for (const at of hoursOf(year, zone).slice(0, most)) {
    const { cell, month, hour, isWeekday } = cellOf(at)
    const samples = counts[cell] as number
    if (samples > 0) last = (sums[cell] as number) / samples
    rows.push({ point_time: new Date(at), value: last, month, hour, is_weekday: isWeekday, samples })
  }
  const carried = rows.filter(({ samples }) => samples === 0).length
  const unit = history.columns.find(({ name }) => name === 'value')?.unit
  return new Retrieval<TypicalYearRow>({
    service: history.service,
    operation: 'getTypicalYear',
    rows,
    meta: history.meta,
    // No row comes from one response.
    origins: new Int32Array(rows.length).fill(-1),
    columns: COLUMNS.map(column => (column.name === 'value' && unit !== undefined ? { ...column, unit } : column)),
    warnings: [
      ...history.warnings,
      ...(carried > 0
        ? [`${carried} hours have no sample behind them (samples: 0): they repeat the hour in front`]
        : []),
    ],
    completeness: history.completeness,
  })
}

/** Every hour of a year of local time: one less where clocks go forward, one more where they go back. */
function hoursOf(year: number, zone: string): number[] {
  const [start, end] = [startOf(year, zone), startOf(year + 1, zone)]
  return Array.from({ length: Math.ceil((end - start) / HOUR_MS) }, (_, at) => start + at * HOUR_MS)
}

function startOf(year: number, zone: string): number {
  return parseInstant(`${String(year).padStart(4, '0')}-01-01T00:00`, 'year', zone)
}

interface Cell {
  readonly cell: number
  /** 1 to 12. */
  readonly month: number
  /** 0 to 23. */
  readonly hour: number
  readonly isWeekday: boolean
}

/** Which average an instant belongs to. A day is looked at once, whatever number of samples it has. */
function cellFinder(zone: string, holidays: HolidayCalendar): (at: number) => Cell {
  const offset = zoneOffsets(zone)
  const days = new Map<number, { readonly month: number; readonly isWeekday: boolean }>()
  const dayOf = (day: number) => {
    const known = days.get(day)
    if (known) return known
    const date = new Date(day * DAY_MS)
    const weekday = date.getUTCDay()
    const isWeekday = weekday !== 0 && weekday !== 6 && !holidays.isHoliday(date.toISOString().slice(0, 10))
    const found = { month: date.getUTCMonth() + 1, isWeekday }
    days.set(day, found)
    return found
  }
  return at => {
    const local = at + offset(at)
    const day = Math.floor(local / DAY_MS)
    const hour = Math.floor((local - day * DAY_MS) / HOUR_MS)
    const { month, isWeekday } = dayOf(day)
    return { month, hour, isWeekday, cell: ((month - 1) * 24 + hour) * 2 + (isWeekday ? 0 : 1) }
  }
}
