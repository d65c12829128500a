import type { ResponseMeta } from '../transport/index.ts'
import { toArrow, toArrowIpc, type ArrowIpcOptions, type ArrowTable } from './arrow.ts'
import { seriesCount, toSvgChart } from './chart.ts'
import type { ChartHints } from './chart-hints.ts'
import type { ChartOptions } from './chart-options.ts'
import type { AnyRow, Column } from './columns.ts'
import type { Completeness } from './completeness.ts'
import { toCsv, type CsvOptions } from './csv.ts'
import { showsItself } from '../self-display.ts'
import { display, displayHtml } from './display.ts'
import { toJsonl } from './jsonl.ts'
import { showFlat, showMeta } from './meta-display.ts'
import { toPng, type PngOptions } from './png.ts'
import type { RetrievalParts } from './parts.ts'
import { toColumns, type ColumnValues } from './typed-columns.ts'

/** A metadata row beside every data row, its names prefixed so that none collides. */
export type WithMeta<Row> = Row & { readonly [name in `meta_${string}`]: unknown }

/**
 * Rows in order, with a record of how they were got. Shows itself as a short table under `console.log`; iterating
 * it gives the rows.
 */
export class Retrieval<Row extends AnyRow = AnyRow> implements Iterable<Row> {
  readonly service: string
  readonly operation: string
  /** One shape for all; order and identity as the getter documents them. */
  readonly rows: Row[]
  /** One row per response received, in the order of the plan. */
  readonly meta: readonly ResponseMeta[]
  /** The columns of `rows`, also when there are none. */
  readonly columns: readonly Column[]
  /** What the service or the transport wants you to know, once each. */
  readonly warnings: readonly string[]
  /** Present where the cadence is known. */
  readonly completeness: Completeness | undefined
  /** How it is drawn unless somebody says otherwise. */
  readonly chart: ChartHints | undefined
  readonly #origins: ArrayLike<number> | undefined

  constructor(parts: RetrievalParts<Row>) {
    this.service = parts.service
    this.operation = parts.operation
    this.rows = parts.rows
    this.meta = showMeta(parts.meta)
    this.columns = parts.columns
    this.warnings = parts.warnings
    this.completeness = parts.completeness
    this.chart = parts.chart
    this.#origins = parts.origins
  }

  /** Number of rows. */
  get length(): number {
    return this.rows.length
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.rows[Symbol.iterator]()
  }

  /** One flat table: every row with the metadata of the response that brought it, as `meta_…` columns. */
  withMeta(): WithMeta<Row>[] {
    return showFlat(this.#flat(), this.columns)
  }

  #flat(): WithMeta<Row>[] {
    const flats = this.meta.map(({ source, span, ...facts }) => {
      const ends = { span_start: span?.start ?? null, span_end: span?.end ?? null }
      const all = Object.entries({ ...facts, ...ends, ...source })
      return Object.fromEntries(all.map(([name, value]) => [`meta_${name}`, value]))
    })
    const origins = this.#origins
    if (origins) return this.rows.map((row, place) => ({ ...row, ...flats[origins[place] ?? 0] }) as WithMeta<Row>)
    let at = 0
    return this.meta.flatMap((meta, response) => {
      const flat = flats[response]
      const rows = this.rows.slice(at, at + meta.rows)
      at += meta.rows
      return rows.map(row => ({ ...row, ...flat }) as WithMeta<Row>)
    })
  }

  /** Comma-separated text: a header line, instants as ISO-8601 with `Z`, `null` as nothing, lines ended by `\n`. */
  toCsv(options?: CsvOptions): string {
    return toCsv(this.rows, this.columns, options)
  }

  /** One JSON object per line, instants as ISO-8601 with `Z`. */
  toJsonl(): string {
    return toJsonl(this.rows, this.columns)
  }

  /** The short table as markup, every value escaped: for tools that take HTML. */
  toHtml(): string {
    return displayHtml(this)
  }

  /**
   * The same rows as columns: instants as epoch milliseconds and numbers in a `Float64Array` with `NaN` for what is not
   * there, the rest in arrays with `null`.
   */
  toColumns(): Record<string, ColumnValues> {
    return toColumns(this.rows, this.columns)
  }

  /**
   * The same rows as a table of Apache Arrow, instants as timestamps in UTC. Needs the optional package `apache-arrow`.
   *
   * @throws ConfigurationError naming what to install, when it is absent
   */
  toArrow(): Promise<ArrowTable> {
    return toArrow(this.rows, this.columns)
  }

  /** The same table as bytes of Arrow's own format, for any other tool that reads Arrow. */
  toArrowIpc(options?: ArrowIpcOptions): Promise<Uint8Array> {
    return toArrowIpc(this.rows, this.columns, options)
  }

  /**
   * A chart as SVG text: a line, a heatmap by hour of day, a calendar or a duration curve. Needs the optional packages `@observablehq/plot` and `linkedom`.
   *
   * @throws ConfigurationError naming what to install, when they are absent
   */
  toSvg(options?: ChartOptions): Promise<string> {
    return toSvgChart(this, options)
  }

  /**
   * The same chart as the bytes of a PNG. Needs `@resvg/resvg-js` as well, and a font on the machine for its texts.
   *
   * @throws ConfigurationError naming what to install, when a package is absent
   */
  async toPng(options: ChartOptions & PngOptions = {}): Promise<Uint8Array> {
    return toPng(await this.toSvg(options), options)
  }

  /** Plain data: what `JSON.stringify` writes. */
  toJSON(): RetrievalParts<Row> {
    const { service, operation, rows, meta, columns, warnings, completeness } = this
    return { service, operation, rows, meta, columns, warnings, completeness }
  }
}

// Defined here, since a declaration cannot name the symbols by which it is asked.
showsItself(Retrieval.prototype as Retrieval, result => ({
  text: () => display(result),
  html: () => displayHtml(result),
  more: () => chartOf(result),
}))

/** A chart for notebooks, of a single series; none where it cannot be drawn: the table says it all. */
async function chartOf(result: Retrieval): Promise<Readonly<Record<string, string>>> {
  if (seriesCount(result) !== 1) return {}
  try {
    return { 'image/svg+xml': await result.toSvg() }
  } catch {
    return {}
  }
}
