import { extentOf } from './chart-points.ts'
import type { Chart } from './chart-options.ts'
import { extentOver, PALETTE, roomForNumbers, unitText, valueAxis } from './chart-axes.ts'
import { chartSeries, type Known } from './chart-series.ts'
import type { Picture, Series } from './picture.ts'
import { visibleText } from '../plain-text.ts'

/** Enough for every pixel. */
const MOST_POINTS = 2000

/** Which share of the values is at or above a value: a flow duration curve, one for each series. */
export function durationPicture(chart: Chart, known: Known): Picture {
  const { shown, all } = chartSeries(chart, known)
  const log = chart.scale === 'log'
  const curves = shown.map(({ points }) => curveOf(points.y, log))
  const extent = extentOver(curves.map(({ y }) => extentOf(y)))
  const empty = Number.isNaN(extent[0])
  const zeros = log ? shown.reduce((sum, { points }) => sum + points.y.filter(value => value <= 0).length, 0) : 0
  const below = shown.reduce((sum, series) => sum + series.below.x.length, 0)
  return {
    title: visibleText(chart.title),
    description: visibleText(chart.title || `duration of ${chart.y.name}`),
    width: chart.width,
    height: chart.height ?? 360,
    marginLeft: roomForNumbers(extent, chart.scale),
    x: { type: 'linear', domain: [0, 100], label: 'share of values at or above (%)', grid: true },
    y: valueAxis(chart, empty ? undefined : extent),
    yTitle: unitText(chart.y),
    shapes: curves.map((curve, at) => ({ kind: 'line', colour: PALETTE[at % PALETTE.length] as string, ...curve })),
    legend: shown.flatMap(({ name }, at) =>
      name === '' ? [] : [{ text: name, mark: 'line' as const, colour: PALETTE[at % PALETTE.length] as string }],
    ),
    notes: [
      ...(all > shown.length ? [`${shown.length} of ${all} series are shown`] : []),
      ...(zeros > 0 ? [`${zeros} values of 0 or less count, but have no place on a log axis`] : []),
      ...(below > 0 ? [`${below} values below a limit are left out`] : []),
    ],
    notice: empty ? 'no values' : undefined,
  }
}

/** By Weibull's rule: the largest of n values is reached in 1 of n + 1 cases. */
function curveOf(values: readonly number[], log: boolean): Series {
  const rising = Float64Array.from(values).sort()
  const count = rising.length
  const step = Math.max(1, Math.ceil(count / MOST_POINTS))
  const [x, y] = [[] as number[], [] as number[]]
  const valueAt = (rank: number): number => rising[count - rank] ?? 0
  for (let rank = 1; rank <= count; rank++) {
    const value = valueAt(rank)
    if (log && value <= 0) break
    const isLast = rank === count || (log && valueAt(rank + 1) <= 0)
    if ((rank - 1) % step !== 0 && !isLast) continue
    x.push((rank / (count + 1)) * 100)
    y.push(value)
  }
  return { x, y }
}
