import { zoneOffsets } from '../time.ts'
import { extentOf } from './chart-points.ts'
import type { Chart } from './chart-options.ts'
import { timeAxis, unitText, widened, type Domain } from './chart-axes.ts'
import { chartSeries, type ChartSeries, type Known } from './chart-series.ts'
import type { Picture } from './picture.ts'
import { visibleText } from '../plain-text.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** More columns than this and they are made wider. */
const MOST_COLUMNS = 370
const WIDTHS_DAYS = [1, 7, 28, 91, 364]

/** Means by hour of the day, from left to right over time. Where nothing came, the grey ground is seen. */
export function heatmapPicture(chart: Chart, known: Known): Picture {
  const { shown, all } = chartSeries(chart, known)
  const first = shown[0]
  const offset = zoneOffsets(chart.zone)
  const days = first ? extentOf(first.points.x.map(at => Math.floor((at + offset(at)) / DAY_MS))) : [Number.NaN, 0]
  const wide = WIDTHS_DAYS.find(width => (days[1] - days[0] + 1) / width <= MOST_COLUMNS) ?? 3640
  const means = meansOf(first, at => {
    const local = at + offset(at)
    const day = Math.floor(local / DAY_MS)
    const column = days[0] + Math.floor((day - days[0]) / wide) * wide
    return [column, Math.floor((local - day * DAY_MS) / HOUR_MS)]
  })
  const cells = means.map(({ at: [day, hour], mean }) => ({ day, hour, mean }))
  const left = cells.map(({ day }) => localStart(day, offset))
  const right = cells.map(({ day }) => localStart(Math.min(day + wide, days[1] + 1), offset))
  const empty = cells.length === 0
  const whole: Domain = [localStart(days[0], offset), localStart(days[1] + 1, offset)]
  const domain = empty ? undefined : whole
  return {
    ...frameOf(
      chart,
      all,
      cells.map(({ mean }) => mean),
    ),
    height: chart.height ?? 360,
    marginLeft: 60,
    x: timeAxis(chart, domain),
    y: {
      type: 'linear',
      domain: empty ? undefined : [0, 24],
      reversed: true,
      ticks: [0, 3, 6, 9, 12, 15, 18, 21, 24],
      tickText: (hour: number) => `${String(hour).padStart(2, '0')}:00`,
    },
    yTitle: `hour of day (${visibleText(chart.zone)})`,
    shapes: [
      ...(empty ? [] : [{ kind: 'ground', areas: [[...whole, 0, 24]] } as const]),
      {
        kind: 'cells',
        x1: left,
        x2: right,
        y1: cells.map(({ hour }) => hour),
        y2: cells.map(({ hour }) => hour + 1),
        values: cells.map(({ mean }) => mean),
      },
    ],
  }
}

const DAY_NAMES = ['Mon', '', 'Wed', '', 'Fri', '', 'Sun']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const WEEKS = 53
/** Rows of a year: seven days, the names of its months above, and air. */
const YEAR_ROWS = 9
const CELL = 13

/** One square per day, years below one another, Monday on top. Days of which nothing came are grey. */
export function calendarPicture(chart: Chart, known: Known): Picture {
  const { shown, all } = chartSeries(chart, known)
  const offset = zoneOffsets(chart.zone)
  const days = meansOf(shown[0], at => [Math.floor((at + offset(at)) / DAY_MS), 0]).map(({ at: [day], mean }) => ({
    ...placeOf(day),
    mean,
  }))
  const [firstYear, lastYear] = extentOf(days.map(({ year }) => year))
  const years = days.length === 0 ? [] : Array.from({ length: lastYear - firstYear + 1 }, (_, at) => firstYear + at)
  const top = (year: number): number => (year - firstYear) * YEAR_ROWS + 1
  const months = years.flatMap(year =>
    MONTHS.map((name, month) => ({ name, year, week: placeOf(Date.UTC(year, month, 1) / DAY_MS).week })),
  )
  const rows = Math.max(1, years.length) * YEAR_ROWS
  return {
    ...frameOf(
      chart,
      all,
      days.map(({ mean }) => mean),
    ),
    height: chart.height ?? Math.max(160, Math.round(rows * CELL + 100)),
    marginLeft: 10,
    x: { type: 'linear', domain: [-5, WEEKS], hidden: true },
    y: { type: 'linear', domain: [0, rows], reversed: true, hidden: true },
    yTitle: '',
    shapes: [
      { kind: 'ground', areas: years.flatMap(year => daysOf(year).map(day => squareOf(placeOf(day), top(year)))) },
      {
        kind: 'cells',
        x1: days.map(({ week }) => week + 0.06),
        x2: days.map(({ week }) => week + 0.94),
        y1: days.map(({ year, weekday }) => top(year) + weekday + 0.06),
        y2: days.map(({ year, weekday }) => top(year) + weekday + 0.94),
        values: days.map(({ mean }) => mean),
      },
      {
        kind: 'words',
        anchor: 'start',
        x: months.map(({ week }) => week),
        y: months.map(({ year }) => top(year) - 0.6),
        texts: months.map(({ name }) => name),
      },
      {
        kind: 'words',
        anchor: 'start',
        x: years.flatMap(() => [-4.9, ...DAY_NAMES.map(() => -2.2)]),
        y: years.flatMap(year => [top(year) + 0.5, ...DAY_NAMES.map((_, day) => top(year) + day + 0.5)]),
        texts: years.flatMap(year => [String(year), ...DAY_NAMES]),
      },
    ],
  }
}

/** What a heatmap and a calendar have in common. */
function frameOf(chart: Chart, all: number, means: readonly number[]) {
  const empty = means.length === 0
  return {
    title: visibleText(chart.title),
    description: visibleText(chart.title || `${chart.kind} of ${chart.y.name}`),
    width: chart.width,
    ...(empty ? {} : { colours: { domain: widened(extentOf(means), () => 1), label: `mean ${unitText(chart.y)}` } }),
    legend: empty ? [] : [{ text: 'no values', mark: 'ground' as const, colour: '' }],
    notes: all > 1 ? [`the first of ${all} series is shown; choose one with only`] : [],
    notice: empty ? (chart.rows.length === 0 ? 'no rows' : 'no values') : undefined,
  }
}

/** The mean of all values of a series that fall into one cell. */
function meansOf(
  series: ChartSeries | undefined,
  cellOf: (at: number) => readonly [number, number],
): { readonly at: readonly [number, number]; readonly mean: number }[] {
  const sums = new Map<string, { readonly at: readonly [number, number]; sum: number; count: number }>()
  series?.points.x.forEach((time, place) => {
    const at = cellOf(time)
    const key = at.join(' ')
    const cell = sums.get(key) ?? { at, sum: 0, count: 0 }
    cell.sum += series.points.y[place] as number
    cell.count += 1
    sums.set(key, cell)
  })
  return [...sums.values()].map(({ at, sum, count }) => ({ at, mean: sum / count }))
}

/** Where a local day begins, as an instant. */
function localStart(day: number, offset: (ms: number) => number): number {
  const local = day * DAY_MS
  return local - offset(local - offset(local))
}

interface DayPlace {
  readonly year: number
  /** Column: weeks of the year begin on Monday, the first may be short. */
  readonly week: number
  /** Monday is 0. */
  readonly weekday: number
}

function placeOf(day: number): DayPlace {
  const date = new Date(day * DAY_MS)
  const year = date.getUTCFullYear()
  const first = Date.UTC(year, 0, 1) / DAY_MS
  const weekday = (date.getUTCDay() + 6) % 7
  const before = (new Date(first * DAY_MS).getUTCDay() + 6) % 7
  return { year, weekday, week: Math.floor((day - first + before) / 7) }
}

function daysOf(year: number): number[] {
  const first = Date.UTC(year, 0, 1) / DAY_MS
  return Array.from({ length: Date.UTC(year + 1, 0, 1) / DAY_MS - first }, (_, at) => first + at)
}

function squareOf({ week, weekday }: DayPlace, top: number): readonly [number, number, number, number] {
  return [week + 0.06, week + 0.94, top + weekday + 0.06, top + weekday + 0.94]
}
