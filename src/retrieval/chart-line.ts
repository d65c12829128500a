import { extentOf, thinPoints, type Points } from './chart-points.ts'
import type { Chart } from './chart-options.ts'
import {
  extentOver,
  PALETTE,
  roomForNumbers,
  timeAxis,
  unitText,
  valueAxis,
  widened,
  type Domain,
} from './chart-axes.ts'
import { chartSeries, type ChartSeries, type Known } from './chart-series.ts'
import type { LegendItem, Picture, Series, Shape } from './picture.ts'
import { visibleText } from '../plain-text.ts'

/** From here on points are left out that could not be told apart. */
const MOST_POINTS = 5000
const HOUR_MS = 3_600_000

/** Values over time: holes are gaps, what may still be revised is dashed, what lies below a limit hangs from it. */
export function linePicture(chart: Chart, known: Known): Picture {
  const read = chartSeries(chart, known)
  const shown = chart.scale === 'log' ? read.shown.map(withoutZeros) : read.shown
  const extent = extentOver(shown.flatMap(({ points, below }) => [extentOf(points.y), extentOf(below.y)]))
  const empty = Number.isNaN(extent[0])
  const dropped = pointCount(read.shown) - pointCount(shown)
  return {
    title: visibleText(chart.title),
    description: visibleText(chart.title || `${chart.y.name} by ${chart.x.name}`),
    width: chart.width,
    height: chart.height ?? 360,
    marginLeft: roomForNumbers(extent, chart.scale),
    x: timeAxis(chart, timeDomain(known, shown)),
    y: valueAxis(chart, empty ? undefined : extent),
    yTitle: unitText(chart.y),
    shapes: shown.flatMap((series, at) => shapesOf(chart, series, colourAt(at))),
    legend: legendOf(chart, shown),
    notes: [
      ...(read.all > shown.length ? [`${shown.length} of ${read.all} series are shown`] : []),
      ...(dropped > 0 ? [`${dropped} values of 0 or less have no place on a log axis`] : []),
    ],
    notice: empty ? (chart.rows.length === 0 ? 'no rows' : 'no values') : undefined,
  }
}

function colourAt(at: number): string {
  return PALETTE[at % PALETTE.length] as string
}

function pointCount(shown: readonly ChartSeries[]): number {
  return shown.reduce((sum, { points, below }) => sum + points.x.length + below.x.length, 0)
}

/** Zeros are no hole in the data, but they are one in the picture: the line ends there. */
function withoutZeros(series: ChartSeries): ChartSeries {
  const { points, below } = series
  const kept = points.y.flatMap((value, at) => (value > 0 ? [at] : []))
  let lines = 0
  const line = kept.map((at, place) => {
    const before = kept[place - 1]
    if (before !== undefined && (before !== at - 1 || points.line[before] !== points.line[at])) lines += 1
    return lines
  })
  const pick = (from: readonly number[]): number[] => kept.map(at => from[at] as number)
  const positive = below.y.map(limit => limit > 0)
  return {
    ...series,
    points: { x: pick(points.x), y: pick(points.y), row: pick(points.row), line },
    below: { x: below.x.filter((_, at) => positive[at]), y: below.y.filter(limit => limit > 0) },
  }
}

/** From first to last point, and farther where something is known to be missing there. */
function timeDomain({ completeness }: Known, shown: readonly ChartSeries[]): Domain | undefined {
  const missing = completeness?.missing ?? []
  const [low, high] = extentOver([
    ...shown.flatMap(({ points, below }) => [extentOf(points.x), extentOf(below.x)]),
    ...missing.map(({ start, end }) => [+start, +end] as const),
  ])
  return Number.isNaN(low) ? undefined : widened([low, high], () => HOUR_MS)
}

function shapesOf(chart: Chart, series: ChartSeries, colour: string): Shape[] {
  const points = thinPoints(series.points, MOST_POINTS)
  const below: Shape[] = series.below.x.length > 0 ? [{ kind: 'below', colour, ...series.below }] : []
  if (chart.hints.apart) return [{ kind: 'dots', colour, radius: 2.5, x: points.x, y: points.y }, ...below]
  const isProvisional = provisionalIn(chart, series)
  const { line, dashed, dots } = strokesOf(points, points.row.map(isProvisional))
  return [
    { kind: 'line', colour, ...line },
    ...(dashed.x.length > 0 ? [{ kind: 'line', colour, dashed: true, ...dashed } as const] : []),
    ...(dots.x.length > 0 ? [{ kind: 'dots', colour, ...dots } as const] : []),
    ...below,
  ]
}

function provisionalIn({ hints: { provisional } }: Chart, { rows }: ChartSeries): (row: number) => boolean {
  if (provisional === undefined) return () => false
  return at => provisional.values.includes(String(rows[at]?.[provisional.column]))
}

/**
 * Breaks the line between lines, takes out what stands alone, and parts what may be revised from what is settled;
 * where one follows the other, the dashed part reaches to the settled point.
 */
function strokesOf(
  { x, y, line }: Points,
  provisional: readonly boolean[],
): { readonly line: Series; readonly dashed: Series; readonly dots: Series } {
  const [settled, open, dots] = [emptySeries(), emptySeries(), emptySeries()]
  x.forEach((time, at) => {
    const value = y[at] as number
    const joined = at > 0 && line[at - 1] === line[at]
    if (!joined && line[at + 1] !== line[at]) {
      add(dots, time, value)
      return
    }
    const into = provisional[at] || (joined && provisional[at - 1]) ? open : settled
    const before = at - 1
    const turned = joined && into === open && !(provisional[before] || provisional[before - 1])
    if (!joined || turned) breakIn(into)
    if (turned) add(into, x[before] as number, y[before] as number)
    add(into, time, value)
    // The settled line takes up where the dashed part ends.
    if (into === open && !provisional[at] && line[at + 1] === line[at]) {
      breakIn(settled)
      add(settled, time, value)
    }
  })
  return { line: settled, dashed: open, dots }
}

interface Growing {
  readonly x: number[]
  readonly y: number[]
}

function emptySeries(): Growing {
  return { x: [], y: [] }
}

function add(series: Growing, x: number, y: number): void {
  series.x.push(x)
  series.y.push(y)
}

function breakIn(series: Growing): void {
  const last = series.x.at(-1)
  if (last !== undefined) add(series, last, Number.NaN)
}

function legendOf(chart: Chart, shown: readonly ChartSeries[]): LegendItem[] {
  const { provisional, apart } = chart.hints
  const mark = apart ? 'dot' : 'line'
  const names = shown.flatMap(({ name }, at): LegendItem[] =>
    name === '' ? [] : [{ text: name, mark, colour: colourAt(at) }],
  )
  const colour = shown.length === 1 ? colourAt(0) : '#222222'
  const isOpen = provisional && shown.some(series => series.points.row.some(provisionalIn(chart, series)))
  return [
    ...names,
    ...(isOpen && !apart
      ? [{ text: provisional.values.join(', ').toLowerCase(), mark: 'dashed', colour } as const]
      : []),
    ...(shown.some(({ below }) => below.x.length > 0)
      ? [{ text: 'below this limit', mark: 'below', colour } as const]
      : []),
  ]
}
