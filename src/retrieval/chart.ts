import { ConfigurationError } from '../errors.ts'
import { extentOf, readPoints, thinPoints, type Points } from './chart-points.ts'
import type { AnyRow, Column, ColumnKind } from './columns.ts'
import type { RetrievalParts } from './parts.ts'
import { visibleText } from './plain-text.ts'
import { drawSvg, type Drawing, type Series } from './plot.ts'
import { timeColumn } from './time-column.ts'

/** What a chart shows and how large it is. */
export interface ChartOptions {
  /** Stands above the picture; `''` for none. @defaultValue service and operation */
  readonly title?: string
  /** Pixels. @defaultValue 800 */
  readonly width?: number
  /** Pixels. @defaultValue 360 */
  readonly height?: number
  /** Column of the time axis: instants or calendar dates. @defaultValue the first instant that moves from row to row */
  readonly x?: string
  /** Column that is drawn: numbers. @defaultValue the first column of numbers */
  readonly y?: string
}

/** From here on points are left out that could not be told apart. */
const MOST_POINTS = 5000
const HOUR_MS = 3_600_000

type Domain = readonly [low: number, high: number]

/**
 * A line chart as SVG text: a UTC time axis, the unit on the other. Holes and rows without a value are gaps in the
 * line. Above 5,000 points some are left out, never an extreme.
 *
 * @throws ConfigurationError naming what to install, when the optional packages are absent, or naming the columns
 * to choose from, when the result has none that can be drawn or no such column
 */
export async function toSvgChart<Row extends AnyRow>(
  result: RetrievalParts<Row>,
  options: ChartOptions = {},
): Promise<string> {
  return drawSvg(drawingOf(result, options))
}

function drawingOf<Row extends AnyRow>(result: RetrievalParts<Row>, options: ChartOptions): Drawing {
  const { rows, columns, completeness } = result
  const width = sizeOption(options.width, 'width', 800)
  const height = sizeOption(options.height, 'height', 360)
  const x = columnOption(columns, 'x', ['instant', 'date'], options.x, timeColumn(rows, columns))
  const y = columnOption(
    columns,
    'y',
    ['number'],
    options.y,
    columns.find(({ kind }) => kind === 'number'),
  )
  const whole = readPoints(rows, x.name, y.name, { completeness, periodMs: periodOf(result) })
  const points = thinPoints(whole, MOST_POINTS)
  const empty = points.x.length === 0
  return {
    title: visibleText(options.title ?? `${result.service} ${result.operation}`),
    width,
    height,
    xLabel: `${visibleText(x.name)} (UTC)`,
    yLabel: visibleText(y.unit === undefined ? y.name : `${y.name} (${y.unit})`),
    xDomain: timeDomain(result, whole),
    yDomain: empty ? undefined : widened(extentOf(points.y), ([low]) => Math.abs(low) / 10 || 1),
    marginLeft: roomForNumbers(points.y),
    ...splitLone(points),
    notice: empty ? (rows.length === 0 ? 'no rows' : 'no values') : undefined,
  }
}

function sizeOption(given: number | undefined, setting: 'width' | 'height', otherwise: number): number {
  const size = given ?? otherwise
  if (size >= 100 && size <= 10_000) return size
  throw new ConfigurationError(`${setting} must be 100 to 10000 pixels; got ${size}`, {
    setting,
    source: 'chart option',
  })
}

function columnOption(
  columns: readonly Column[],
  setting: 'x' | 'y',
  kinds: readonly ColumnKind[],
  given: string | undefined,
  otherwise: Column | undefined,
): Column {
  const fit = columns.filter(({ kind }) => kinds.includes(kind))
  const column = given === undefined ? otherwise : fit.find(({ name }) => name === given)
  if (column !== undefined) return column
  const problem =
    fit.length === 0
      ? `nothing to draw: the result has no column of kind ${kinds.join(' or ')}`
      : `${setting} must be one of ${fit.map(({ name }) => name).join(', ')}; got '${given ?? ''}'`
  throw new ConfigurationError(problem, { setting, source: 'chart option' })
}

/** The cadence that the service stated, under either of the names that it goes by. */
function periodOf<Row extends AnyRow>({ meta }: RetrievalParts<Row>): number | undefined {
  for (const { source } of meta) {
    const seconds = source['period_seconds'] ?? source['data_point_period_seconds']
    if (typeof seconds === 'number' && seconds > 0) return seconds * 1000
  }
  return undefined
}

/** From first to last point, and farther where something is known to be missing there. */
function timeDomain<Row extends AnyRow>(result: RetrievalParts<Row>, points: Points): Domain | undefined {
  const missing = result.completeness?.missing ?? []
  const [low, high] = extentOf([...extentOf(points.x), ...missing.flatMap(({ start, end }) => [+start, +end])])
  return Number.isNaN(low) ? undefined : widened([low, high], () => HOUR_MS)
}

/** An axis needs a length: a single value is put in its middle. */
function widened([low, high]: Domain, half: (domain: Domain) => number): Domain {
  if (low < high) return [low, high]
  const more = half([low, high])
  return [low - more, high + more]
}

/** Pixels for the longest number that can stand at the axis: both ends, as finely as their distance asks for. */
function roomForNumbers(y: readonly number[]): number {
  const [low, high] = extentOf(y)
  const step = (high - low) / 5
  const decimals = step > 0 && step < 1 ? Math.min(20, Math.ceil(-Math.log10(step))) : 0
  const lengths = [low, high].map(end => (Number.isNaN(end) ? 0 : end.toFixed(decimals).length * 1.25))
  return Math.round(28 + 7 * Math.max(3, ...lengths))
}

/** Breaks the line between lines, and takes out what stands alone. */
function splitLone({ x, y, line }: Points): { readonly line: Series; readonly dots: Series } {
  const drawn = { x: [] as number[], y: [] as number[] }
  const dots = { x: [] as number[], y: [] as number[] }
  x.forEach((time, at) => {
    const alone = line[at - 1] !== line[at] && line[at + 1] !== line[at]
    const into = alone ? dots : drawn
    if (!alone && at > 0 && line[at - 1] !== line[at]) {
      drawn.x.push(time)
      drawn.y.push(Number.NaN)
    }
    into.x.push(time)
    into.y.push(y[at] as number)
  })
  return { line: drawn, dots }
}
