import { describe, expect, it } from 'vitest'
import type { ChartHints } from '../../src/retrieval/chart-hints.ts'
import type { ChartOptions } from '../../src/retrieval/chart-options.ts'
import type { AnyRow, Column } from '../../src/retrieval/columns.ts'
import { COLUMNS, fiveMinutely, resultOf } from './sample-result.ts'

const HOUR_MS = 3_600_000

function words(svg: string): string[] {
  return [...svg.matchAll(/<(?:text|tspan)[^>]*>([^<]+)</g)].map(([, word = '']) => word)
}

/** Rectangles drawn by colour, as [left, top, width, height]. */
function cells(svg: string): number[][] {
  return [...svg.matchAll(/<path d="([^"]*)"[^>]*aria-label="cells"/g)].flatMap(([, d = '']) =>
    [...d.matchAll(/M([\d.]+),([\d.]+)h([\d.]+)v([\d.]+)/g)].map(found => found.slice(1).map(Number)),
  )
}

/** Pixels of lines, by whether they are dashed; one list per stretch. */
function lines(svg: string): { readonly solid: number[][][]; readonly dashed: number[][][] } {
  const found = { solid: [] as number[][][], dashed: [] as number[][][] }
  for (const [, attributes = '', d = ''] of svg.matchAll(/<g ([^>]*)aria-label="line"><path d="([^"]*)"/g)) {
    const into = attributes.includes('stroke-dasharray') ? found.dashed : found.solid
    for (const piece of d.split('M').slice(1)) into.push(piece.split('L').map(pair => pair.split(',').map(Number)))
  }
  return found
}

const triangles = (svg: string): number => svg.match(/rotate\(180\)/g)?.length ?? 0

const hourly = (values: readonly (number | null)[], start = '2025-03-01T00:00Z'): AnyRow[] =>
  values.map((value, at) => ({ point_time: new Date(Date.parse(start) + at * HOUR_MS), value }))

const draw = (
  rows: AnyRow[],
  options: ChartOptions = {},
  chart: ChartHints = {},
  columns: readonly Column[] = COLUMNS,
) => resultOf(rows, { chart, columns }).toSvg(options)

describe('a heatmap', () => {
  it('has a column per day and a row per hour, and no cell where nothing came', async () => {
    const svg = await draw(hourly(Array.from({ length: 72 }, (_, at) => (at === 30 ? null : at))), { kind: 'heatmap' })
    expect(cells(svg)).toHaveLength(71)
    expect(new Set(cells(svg).map(([left]) => left)).size).toBe(3)
    expect(new Set(cells(svg).map(([, top]) => top)).size).toBe(24)
    expect(words(svg)).toEqual(
      expect.arrayContaining([
        'hour of day (UTC)',
        '00:00',
        '24:00',
        'no values',
        'mean value (lbs_co2_per_mwh)',
        '0',
        '71',
      ]),
    )
  })

  it('shows the mean of an hour', async () => {
    const svg = await draw(fiveMinutely([1, 2, 3, 6]), { kind: 'heatmap' })
    expect(cells(svg)).toHaveLength(1)
    expect(words(svg)).toEqual(expect.arrayContaining(['2', '4'])) // a single mean of 3 stands in the middle
  })

  it('counts days and hours by the clocks of a zone: the hour that they skip is empty', async () => {
    // In New York clocks go from 02:00 to 03:00 on March 9.
    const svg = await draw(
      hourly(
        Array.from({ length: 23 }, () => 1),
        '2025-03-09T05:00Z',
      ),
      {
        kind: 'heatmap',
        zone: 'America/New_York',
      },
    )
    expect(cells(svg)).toHaveLength(23)
    expect(new Set(cells(svg).map(([left]) => left)).size).toBe(1)
    const tall = cells(svg)
      .map(([, top = 0]) => top)
      .sort((a, b) => a - b)
    const gap = tall.slice(1).map((top, at) => top - (tall[at] ?? 0))
    expect(gap.filter(step => step > 12)).toHaveLength(1)
    expect(words(svg)).toContain('hour of day (America/New_York)')
  })

  it('makes columns wider before there are too many', async () => {
    const svg = await draw(hourly(Array.from({ length: 24 * 800 }, () => 1)), { kind: 'heatmap' })
    expect(new Set(cells(svg).map(([left]) => left)).size).toBe(Math.ceil(800 / 7))
  })
})

describe('a calendar', () => {
  it('has a square for each day with values, on a ground of all days of its years', async () => {
    const days = Array.from({ length: 400 }, (_, at) => new Date(Date.UTC(2024, 11, 1 + at)).toISOString().slice(0, 10))
    const columns: readonly Column[] = [
      { name: 'day', kind: 'date' },
      { name: 'flow', kind: 'number', unit: 'ft^3/s' },
    ]
    const rows = days.filter((_, at) => at !== 50).map((day, at) => ({ day, flow: at }))
    const svg = await draw(rows, { kind: 'calendar' }, {}, columns)
    expect(cells(svg)).toHaveLength(399)
    expect(svg.match(/<rect [^>]*x="/g)?.length).toBeGreaterThanOrEqual(366 + 365 + 365)
    expect(words(svg)).toEqual(
      expect.arrayContaining(['2024', '2025', '2026', 'Jan', 'Dec', 'Mon', 'Sun', 'mean flow (ft^3/s)']),
    )
  })
})

describe('a duration curve', () => {
  it('gives each value the share of values at or above it, the largest first', async () => {
    const svg = await draw(hourly([5, 1, 3, null]), { kind: 'duration' })
    const [curve = []] = lines(svg).solid
    const [left, right] = [56, 772]
    const shares = curve.map(([x = 0]) => Math.round(((x - left) / (right - left)) * 100))
    expect(shares.map(share => Math.abs(share - 25) % 25 < 2 || Math.abs(share - 25) % 25 > 23)).toEqual([
      true,
      true,
      true,
    ])
    const heights = curve.map(([, y = 0]) => y)
    expect(heights).toEqual([...heights].sort((a, b) => a - b))
    expect(words(svg)).toContain('share of values at or above (%)')
  })

  it('keeps both ends of a hundred thousand values', async () => {
    const svg = await draw(hourly(Array.from({ length: 100_001 }, (_, at) => (at * 7919) % 100_001)), {
      kind: 'duration',
    })
    const [curve = []] = lines(svg).solid
    expect(curve.length).toBeLessThan(2100)
    expect([curve[0]?.[1], curve.at(-1)?.[1]]).toEqual([62, 312])
  })
})

describe('series', () => {
  const columns: readonly Column[] = [
    { name: 'site', kind: 'text' },
    { name: 'what', kind: 'text' },
    ...COLUMNS,
    { name: 'status', kind: 'text' },
  ]
  const of = (site: string, rows: AnyRow[], status: (at: number) => string = () => 'ok') =>
    rows.map((row, at) => ({ site, what: 'flow', status: status(at), ...row }))

  it('have a line each and a name in the legend, of what tells them apart', async () => {
    const rows = [...of('north <a>', hourly([1, 2, 3])), ...of('south', hourly([2, 3, 4]))]
    const svg = await draw(rows, {}, { series: ['site', 'what'] }, columns)
    expect(lines(svg).solid).toHaveLength(2)
    expect(words(svg)).toEqual(expect.arrayContaining(['north &lt;a&gt;', 'south']))
    expect(words(await draw(rows, { series: [] }, { series: ['site'] }, columns))).not.toContain('south')
  })

  it('are drawn up to ten, with a word about the others', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => of(`site ${at}`, hourly([at, at + 1]))).flat()
    const svg = await draw(rows, { series: 'site' }, {}, columns)
    expect(lines(svg).solid).toHaveLength(10)
    expect(words(svg)).toContain('10 of 12 series are shown')
  })

  it('are chosen by what is in a column', async () => {
    const rows = [...of('north', hourly([1, 2])), ...of('south', hourly([5, 9]))]
    const svg = await draw(rows, { only: { site: 'south' } }, { series: ['site'] }, columns)
    expect(lines(svg).solid).toHaveLength(1)
  })

  it('have gaps of their own: what one lacks breaks no other', async () => {
    const rows = [
      ...of('north', hourly([1, 2, 3, 4])),
      ...of(
        'south',
        hourly([1, 2, 3, 4]).filter((_, at) => at !== 2),
      ),
    ]
    const hole = { start: new Date('2025-03-01T02:00Z'), end: new Date('2025-03-01T02:00Z'), series: 'south' }
    const completeness = { expected: 8, received: 7, missing: [hole] }
    const svg = await resultOf(rows, { chart: { series: ['site'], holes: 'site' }, columns, completeness }).toSvg()
    expect(lines(svg).solid.map(stretch => stretch.length)).toEqual([4, 2])
  })

  it('show what may be revised dashed, joined to what is settled', async () => {
    const rows = of('north', hourly([1, 2, 3, 4, 5, 6]), at => (at === 2 || at === 3 ? 'open' : 'ok'))
    const chart = { provisional: { column: 'status', values: ['open'] } }
    const svg = await draw(rows, {}, chart, columns)
    const { solid, dashed } = lines(svg)
    expect(solid.map(stretch => stretch.length)).toEqual([2, 2])
    expect(dashed.map(stretch => stretch.length)).toEqual([4])
    expect(dashed[0]?.[0]).toEqual(solid[0]?.at(-1))
    expect(dashed[0]?.at(-1)).toEqual(solid[1]?.[0])
    expect(words(svg)).toContain('open')
  })

  it('mark values below a limit at their limit, and join no line through them', async () => {
    const limits: readonly Column[] = [...columns, { name: 'limit', kind: 'number' }]
    const rows = of('north', hourly([5, 6, null, 7, 8]), at => (at === 2 ? 'not detected' : 'ok')).map(row => ({
      ...row,
      limit: row.status === 'ok' ? null : 4,
    }))
    const chart = { below: { column: 'status', values: ['not detected'], limit: 'limit' } }
    const svg = await draw(rows, {}, chart, limits)
    expect(triangles(svg)).toBe(1)
    expect(lines(svg).solid.map(stretch => stretch.length)).toEqual([2, 2])
    expect(words(svg)).toContain('below this limit')
    const apart = await draw(rows, {}, { ...chart, apart: true }, limits)
    expect(lines(apart).solid).toEqual([])
    expect(apart.match(/<circle /g)).toHaveLength(4)
  })
})

describe('a log axis', () => {
  it('has marks at round numbers, and says which values have no place on it', async () => {
    const svg = await draw(hourly([3, 20, 0, 450, 1000]), { scale: 'log' })
    expect(words(svg)).toEqual(expect.arrayContaining(['5', '10', '20', '50', '100', '200', '500', '1,000']))
    expect(words(svg)).toContain('1 values of 0 or less have no place on a log axis')
    expect(lines(svg).solid.map(stretch => stretch.length)).toEqual([2, 2])
    expect(svg).not.toContain('NaN')
  })
})

describe('a zone', () => {
  it('names the axis and moves its marks', async () => {
    const svg = await draw(hourly(Array.from({ length: 49 }, (_, at) => at)), { zone: 'America/New_York' })
    expect(words(svg)).toEqual(expect.arrayContaining(['point_time (America/New_York)', '00:00', '2025-03-01']))
  })
})

describe('options', () => {
  it.each<[ChartOptions, string]>([
    [{ kind: 'pie' as never }, 'kind must be one of line, heatmap, calendar, duration'],
    [{ scale: 'cube' as never }, "scale must be 'linear' or 'log'"],
    [{ series: 'nobody' }, "series must name one of point_time, value; got 'nobody'"],
    [{ only: { nobody: 1 } }, 'only must name one of'],
    [{ zone: 'Mars' }, 'zone is not known'],
  ])('%j are refused', async (options, words_) => {
    await expect(draw(hourly([1, 2]), options)).rejects.toThrow(words_)
  })

  it.each(['line', 'heatmap', 'calendar', 'duration'] as const)(
    '%s: the same bytes twice, and a picture of nothing',
    async kind => {
      const rows = hourly(Array.from({ length: 100 }, (_, at) => Math.sin(at)))
      expect(await draw(rows, { kind })).toBe(await draw(rows, { kind }))
      const empty = await draw([], { kind })
      expect(empty).not.toMatch(/NaN|Infinity|undefined/)
      expect(words(empty).some(word => /^no (rows|values)$/.test(word))).toBe(true)
    },
  )
})

describe('toPng', () => {
  it('gives the bytes of a PNG, twice as large as the chart', async () => {
    const result = resultOf(hourly([1, 2, 3]))
    const png = Buffer.from(await result.toPng({ width: 400, height: 200 }))
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([800, 400])
    expect(Buffer.from(await result.toPng({ width: 400, height: 200 })).equals(png)).toBe(true)
    await expect(result.toPng({ zoom: 0 })).rejects.toThrow('zoom must be above 0')
  })
})
