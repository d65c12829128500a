import { ConfigurationError } from '../errors.ts'
import type { ChartHints } from './chart-hints.ts'
import type { AnyRow, Column, ColumnKind } from './columns.ts'
import type { RetrievalParts } from './parts.ts'
import { timeColumn } from './time-column.ts'

/** Kinds of chart. */
export type ChartKind = 'line' | 'heatmap' | 'calendar' | 'duration'

/** What a chart shows and how large it is. */
export interface ChartOptions {
  /**
   * `line`: values over time. `heatmap`: means by hour of day, over time. `calendar`: a square per day. `duration`: which
   * share of the values is at or above a value. @defaultValue 'line'
   */
  readonly kind?: ChartKind | undefined
  /** Stands above the picture; `''` for none. @defaultValue service and operation */
  readonly title?: string | undefined
  /** Pixels. @defaultValue 800 */
  readonly width?: number | undefined
  /** Pixels. @defaultValue 360, for a calendar as high as its years need */
  readonly height?: number | undefined
  /** Column of the time axis: instants or calendar dates. @defaultValue the first instant that moves from row to row */
  readonly x?: string | undefined
  /** Column that is drawn: numbers. @defaultValue the first column of numbers */
  readonly y?: string | undefined
  /** Columns that tell series apart; `[]` for one series. @defaultValue what the adapter knows of its rows */
  readonly series?: string | readonly string[] | undefined
  /** Rows with these values only, such as `{ parameter_code: '00060' }`. */
  readonly only?: Readonly<Record<string, unknown>> | undefined
  /** Of the upright axis. @defaultValue what suits the data: `log` for streamflow */
  readonly scale?: 'linear' | 'log' | undefined
  /** Zone of the time axis, of days and of hours. @defaultValue 'UTC' */
  readonly zone?: string | undefined
}

/** What is to be drawn, every gap filled. */
export interface Chart {
  readonly kind: ChartKind
  readonly title: string
  readonly width: number
  readonly height: number | undefined
  readonly x: Column
  readonly y: Column
  readonly series: readonly string[]
  readonly rows: readonly AnyRow[]
  readonly scale: 'linear' | 'log'
  readonly zone: string
  readonly hints: ChartHints
}

const KINDS: readonly ChartKind[] = ['line', 'heatmap', 'calendar', 'duration']

/** @throws ConfigurationError naming the option and what can stand there */
export function resolveChart<Row extends AnyRow>(result: RetrievalParts<Row>, options: ChartOptions): Chart {
  const { columns, chart: hints = {} } = result
  const { kind = 'line', only = {}, zone = 'UTC' } = options
  if (!KINDS.includes(kind)) throw refusal('kind', `kind must be one of ${KINDS.join(', ')}; got '${String(kind)}'`)
  const rows = rowsWith(result.rows, columns, only)
  const numbers = columns.filter(column => column.kind === 'number')
  const x = columnOption(columns, 'x', ['instant', 'date'], options.x, timeColumn(rows, columns))
  const y = columnOption(
    columns,
    'y',
    ['number'],
    options.y,
    numbers.find(({ name }) => name === hints.y) ?? numbers[0],
  )
  return {
    kind,
    title: options.title ?? `${result.service} ${result.operation}`,
    width: sizeOption(options.width, 'width') ?? 800,
    height: sizeOption(options.height, 'height'),
    x,
    y,
    series: seriesOption(columns, options.series, hints.series ?? []),
    rows,
    scale: scaleOption(options.scale) ?? hints.scale ?? 'linear',
    zone,
    hints,
  }
}

function rowsWith<Row extends AnyRow>(
  rows: readonly Row[],
  columns: readonly Column[],
  only: Readonly<Record<string, unknown>>,
): readonly Row[] {
  const conditions = Object.entries(only)
  for (const [name] of conditions) checkColumn(columns, 'only', name)
  if (conditions.length === 0) return rows
  return rows.filter(row => conditions.every(([name, value]) => row[name] === value))
}

function seriesOption(
  columns: readonly Column[],
  given: ChartOptions['series'],
  otherwise: readonly string[],
): readonly string[] {
  if (given === undefined) return otherwise.filter(name => columns.some(column => column.name === name))
  const names = typeof given === 'string' ? [given] : given
  for (const name of names) checkColumn(columns, 'series', name)
  return names
}

function checkColumn(columns: readonly Column[], setting: string, given: string): void {
  if (columns.some(({ name }) => name === given)) return
  throw refusal(setting, `${setting} must name one of ${columns.map(({ name }) => name).join(', ')}; got '${given}'`)
}

function scaleOption(given: ChartOptions['scale']): Chart['scale'] | undefined {
  if (given === undefined || given === 'linear' || given === 'log') return given
  throw refusal('scale', `scale must be 'linear' or 'log'; got '${String(given)}'`)
}

function sizeOption(given: number | undefined, setting: 'width' | 'height'): number | undefined {
  if (given === undefined || (given >= 100 && given <= 10_000)) return given
  throw refusal(setting, `${setting} must be 100 to 10000 pixels; got ${given}`)
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
  throw refusal(
    setting,
    fit.length === 0
      ? `nothing to draw: the result has no column of kind ${kinds.join(' or ')}`
      : `${setting} must be one of ${fit.map(({ name }) => name).join(', ')}; got '${given ?? ''}'`,
  )
}

function refusal(setting: string, message: string): ConfigurationError {
  return new ConfigurationError(message, { setting, source: 'chart option' })
}
