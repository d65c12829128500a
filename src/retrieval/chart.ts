import { cellText } from './cell.ts'
import { durationPicture } from './chart-duration.ts'
import { calendarPicture, heatmapPicture } from './chart-grid.ts'
import { linePicture } from './chart-line.ts'
import { resolveChart, type Chart, type ChartKind, type ChartOptions } from './chart-options.ts'
import type { Known } from './chart-series.ts'
import type { AnyRow } from './columns.ts'
import type { RetrievalParts } from './parts.ts'
import type { Picture } from './picture.ts'
import { drawSvg } from './plot.ts'
import { timeColumn } from './time-column.ts'

const PICTURES: Readonly<Record<ChartKind, (chart: Chart, known: Known) => Picture>> = {
  line: linePicture,
  heatmap: heatmapPicture,
  calendar: calendarPicture,
  duration: durationPicture,
}

/**
 * A chart as SVG text, axes with their units, times in UTC or in a zone. Holes and rows without a value are gaps. Above
 * 5,000 points of a series some are left out, never an extreme.
 *
 * @throws ConfigurationError naming what to install, when the optional packages are absent, or naming the columns
 * to choose from, when the result has none that can be drawn or no such column
 */
export async function toSvgChart<Row extends AnyRow>(
  result: RetrievalParts<Row>,
  options: ChartOptions = {},
): Promise<string> {
  const chart = resolveChart(result, options)
  return drawSvg(PICTURES[chart.kind](chart, { completeness: result.completeness, periodMs: periodOf(result) }))
}

/** How many series a chart would show; 0 where there is nothing to draw. */
export function seriesCount<Row extends AnyRow>(result: RetrievalParts<Row>): number {
  const { rows, columns, chart } = result
  const drawable = columns.some(({ kind }) => kind === 'number') && timeColumn(rows, columns) !== undefined
  if (!drawable || rows.length === 0) return 0
  const names = (chart?.series ?? []).filter(name => columns.some(column => column.name === name))
  return new Set(rows.map(row => names.map(name => cellText(row[name])).join('\u0000'))).size
}

/** The cadence that the service stated, under either of the names that it goes by. */
function periodOf<Row extends AnyRow>({ meta }: RetrievalParts<Row>): number | undefined {
  for (const { source } of meta) {
    const seconds = source['period_seconds'] ?? source['data_point_period_seconds']
    if (typeof seconds === 'number' && seconds > 0) return seconds * 1000
  }
  return undefined
}
