import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConfigurationError } from '../../src/errors.ts'
import type { ChartOptions } from '../../src/retrieval/chart-options.ts'
import { COLUMNS, fiveMinutely, metaRow, minute, resultOf } from './sample-result.ts'

/** The pieces of the line: one per stretch without a hole, each a list of pixels. */
function stretches(svg: string): [x: number, y: number][][] {
  const path = /aria-label="line"><path d="([^"]*)"/.exec(svg)?.[1] ?? ''
  return path
    .split('M')
    .slice(1)
    .map(piece => piece.split('L').map(pair => pair.split(',').map(Number) as [number, number]))
}

function dotCount(svg: string): number {
  return svg.match(/<circle /g)?.length ?? 0
}

function words(svg: string): string[] {
  return [...svg.matchAll(/<(?:text|tspan)[^>]*>([^<]+)</g)].map(([, word = '']) => word)
}

describe('toSvg', () => {
  it('draws one picture with a title, both axes named, the unit, and UTC times by the 24-hour clock', async () => {
    const svg = await resultOf(fiveMinutely(Array.from({ length: 289 }, (_, at) => at * 1000))).toSvg()
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    expect(svg).toMatch(/<\/svg>\n$/)
    expect(svg).toContain('width="800"')
    expect(svg).toContain('height="360"')
    expect(words(svg)).toEqual(
      expect.arrayContaining([
        'acme historical',
        'value (lbs_co2_per_mwh)',
        'point_time (UTC)',
        '2024-03-01',
        '18:00',
        '200,000',
      ]),
    )
    expect(stretches(svg)).toHaveLength(1)
  })

  it('takes a title and a size, and no title for an empty one', async () => {
    const result = resultOf(fiveMinutely([1, 2]))
    const svg = await result.toSvg({ title: 'North', width: 400, height: 200 })
    expect(svg).toContain('viewBox="0 0 400 200"')
    expect(words(svg)).toContain('North')
    expect(words(await result.toSvg({ title: '' }))).not.toContain('acme historical')
  })

  it('escapes markup and control characters of titles, names and units', async () => {
    const columns = [
      { name: 'point_time', kind: 'instant' },
      { name: 'value', kind: 'number', unit: '<b>&"\u0007' },
    ] as const
    const svg = await resultOf(fiveMinutely([1, 2]), { columns }).toSvg({ title: '</svg><script>"&\u001b' })
    expect(svg).not.toMatch(/<script|<b>|[^\P{Cc}\n]/u)
    expect(svg).toContain('aria-label="&lt;/svg&gt;&lt;script&gt;&quot;&amp;')
    expect(words(svg)).toContain(String.raw`value (&lt;b&gt;&amp;"\u0007)`)
  })

  it.each([
    ['rows that are not there', fiveMinutely([1, 2, 3, 4, 5, 6]).filter((_, at) => at !== 3), {}],
    ['a row without a value', fiveMinutely([1, 2, 3, null, 5, 6]), {}],
    [
      'the cadence that the service stated',
      fiveMinutely([1, 2]).concat(fiveMinutely([3, 4], 20)),
      { meta: [metaRow({ source: { period_seconds: 300 } })] },
    ],
    [
      'what completeness lists',
      fiveMinutely([1, 2]).concat(fiveMinutely([3, 4], 15)),
      { completeness: { expected: 5, received: 4, missing: [{ start: minute(10), end: minute(10) }] } },
    ],
  ])('leaves a gap for %s', async (_what, rows, parts) => {
    expect(stretches(await resultOf(rows, parts).toSvg())).toHaveLength(2)
  })

  it('shows a point between two holes', async () => {
    const svg = await resultOf(fiveMinutely([1, 2, null, 4, null, 6, 7])).toSvg()
    expect(stretches(svg)).toHaveLength(2)
    expect(dotCount(svg)).toBe(1)
  })

  it('makes room for what is missing at the ends', async () => {
    const rows = fiveMinutely([1, 2, 3], 60)
    const missing = [
      { start: minute(0), end: minute(55) },
      { start: minute(75), end: minute(120) },
    ]
    const [whole = []] = stretches(await resultOf(rows).toSvg())
    const [part = []] = stretches(
      await resultOf(rows, { completeness: { expected: 25, received: 3, missing } }).toSvg(),
    )
    expect(part[0]?.[0]).toBeGreaterThan(whole[0]?.[0] ?? 0)
    expect(part.at(-1)?.[0]).toBeLessThan(whole.at(-1)?.[0] ?? 0)
  })

  it('thins two years and keeps a spike, a dip and a hole', async () => {
    const values = Array.from({ length: 210_529 }, (_, at) => 500 + (at % 7))
    values[50_001] = 1000
    values[150_003] = 0
    const rows = fiveMinutely(values)
    rows.splice(100_000, 5_000)
    const pieces = stretches(await resultOf(rows).toSvg())
    expect(pieces).toHaveLength(2)
    expect(pieces.flat().length).toBeLessThanOrEqual(5_000)
    const heights = pieces.flat().map(([, y]) => y)
    // The frame: 62 pixels from the top, 48 from the bottom; 0 and 1000 are its ends.
    expect([Math.min(...heights), Math.max(...heights)]).toEqual([62, 312])
  })

  it('draws a forecast along the time it is about, and each run as a line of its own', async () => {
    const columns = [{ name: 'generated_at', kind: 'instant' }, ...COLUMNS] as const
    const runs = [0, 5].flatMap(made =>
      fiveMinutely([1, 2, 3], made).map(row => ({ ...row, generated_at: minute(made) })),
    )
    const svg = await resultOf(runs, { columns }).toSvg()
    expect(words(svg)).toContain('point_time (UTC)')
    expect(stretches(svg)).toHaveLength(2)
  })

  it('draws the columns it is told to', async () => {
    const columns = [...COLUMNS, { name: 'day', kind: 'date' }, { name: 'low', kind: 'number' }] as const
    const rows = ['2024-03-01', '2024-03-02'].map(day => ({ day, low: 3, point_time: minute(0), value: 5 }))
    const shown = words(await resultOf(rows, { columns }).toSvg({ x: 'day', y: 'low' }))
    expect(shown).toEqual(expect.arrayContaining(['low', 'day (UTC)']))
  })

  it.each([
    ['one point', [5], ['5.0', '00:00']],
    ['values that are all the same', [7, 7, 7], ['7.0']],
    ['zeros', [0, 0], ['0.0']],
    ['no rows', [], ['no rows']],
    ['no values', [null, null], ['no values']],
  ])('draws %s', async (_what, values, said) => {
    const svg = await resultOf(fiveMinutely(values)).toSvg()
    expect(words(svg)).toEqual(expect.arrayContaining(said))
    expect(svg).not.toContain('NaN')
  })

  it('gives the same bytes twice, and in another zone', async () => {
    const result = resultOf(fiveMinutely(Array.from({ length: 20_000 }, (_, at) => Math.sin(at))))
    const first = await result.toSvg()
    expect(await result.toSvg()).toBe(first)
    vi.stubEnv('TZ', 'Pacific/Chatham')
    vi.stubEnv('LANG', 'de_DE.UTF-8')
    expect(minute(0).getTimezoneOffset()).not.toBe(0)
    expect(await result.toSvg()).toBe(first)
  })

  afterEach(() => vi.unstubAllEnvs())
})

describe('toSvg refuses', () => {
  const texts = [{ name: 'site', kind: 'text' }] as const

  it.each<[string, ChartOptions, string, Parameters<typeof resultOf>[1]?]>([
    ['x', { x: 'value' }, "x must be one of point_time; got 'value'"],
    ['y', { y: 'nothing' }, "y must be one of value; got 'nothing'"],
    ['x', {}, 'nothing to draw: the result has no column of kind instant or date', { columns: texts }],
    ['y', {}, 'nothing to draw: the result has no column of kind number', { columns: COLUMNS.slice(0, 1) }],
    ['width', { width: 5 }, 'width must be 100 to 10000 pixels; got 5'],
    ['height', { height: Number.NaN }, 'height must be 100 to 10000 pixels; got NaN'],
  ])('a %s that does not work: %j', async (setting, options, message, parts = {}) => {
    const refused = resultOf(fiveMinutely([1, 2]), parts).toSvg(options)
    await expect(refused).rejects.toThrow(ConfigurationError)
    await expect(refused).rejects.toMatchObject({ setting, message })
  })
})

describe.each(['@observablehq/plot', 'linkedom'])('without %s', name => {
  afterEach(() => {
    vi.doUnmock(name)
    vi.resetModules()
  })

  it('toSvg says what to install', async () => {
    vi.resetModules()
    vi.doMock(name, () => {
      throw new Error(`Cannot find package '${name}'`)
    })
    const { toSvgChart } = await import('../../src/retrieval/chart.ts')
    const drawn = toSvgChart(resultOf(fiveMinutely([1, 2])))
    await expect(drawn).rejects.toMatchObject({ name: 'ConfigurationError', code: 'HEADRACE_CONFIGURATION' })
    await expect(drawn).rejects.toThrow('npm i @observablehq/plot linkedom')
  })
})
