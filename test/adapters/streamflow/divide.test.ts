import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divide, type Load } from '../../../src/adapters/streamflow/divide.ts'
import { QueryError } from '../../../src/errors.ts'
import { planSpan } from '../../../src/transport/plan.ts'
import { holds } from '../../support/properties.ts'

const DAY_MS = 86_400_000
const days = (from: string, to: string) => ({ start: Date.parse(from), end: Date.parse(to) })
const names = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `USGS-${String(1_000_000 + n).padStart(8, '0')}`)

const DAILY: Load['rules'] = {
  stepMs: DAY_MS,
  chunkMs: Number.MAX_SAFE_INTEGER,
  mostMs: Number.MAX_SAFE_INTEGER,
  ends: 'trimmed',
}
const CONTINUOUS: Load['rules'] = { stepMs: 1000, chunkMs: 1040 * DAY_MS, mostMs: 1100 * DAY_MS, ends: 'trimmed' }

function loadOf(more: Partial<Load>): Load {
  return {
    span: days('1995-01-01', '2024-12-31'),
    ids: names(100),
    rowsPerIdAndDay: 1,
    pageSize: 50_000,
    rules: DAILY,
    bytesOf: ids => 300 + ids.length * 16,
    mostBytes: 8000,
    argument: 'monitoring_location_id',
    undivided: false,
    ...more,
  }
}

/** Requests of one walk over everything. */
const singleWalk = ({ expectedRows = 0 }: { readonly expectedRows: number | undefined }, pageSize = 50_000): number =>
  Math.ceil(expectedRows / pageSize)

describe('divide', () => {
  it('J3: parts 100 sites x 30 years of days into short walks, at less than a tenth more requests than one walk', () => {
    const division = divide(loadOf({}))
    expect(division.expectedRows).toBe(1_095_800)
    expect(division.groups?.length).toBeGreaterThanOrEqual(8)
    expect(division.requests).toBeLessThanOrEqual(singleWalk(division) * 1.1)
    // No walk has more than three pages.
    for (const group of division.groups ?? []) expect((group.length * 10_958) / 50_000).toBeLessThanOrEqual(3)
  })

  it('J2: cuts the span where a few sites fill many pages each', () => {
    const division = divide(
      loadOf({
        ids: names(4),
        span: { start: Date.UTC(2022, 0, 1), end: Date.UTC(2024, 11, 31, 23, 45) },
        rowsPerIdAndDay: 96,
        rules: CONTINUOUS,
      }),
    )
    expect(division.groups).toEqual([names(4)])
    expect(division.requests).toBeLessThanOrEqual(singleWalk(division) * 1.1)
    expect(division.chunkMs).toBeLessThan(200 * DAY_MS)
  })

  it('asks for thirty years of one site in pieces that fill whole pages', () => {
    const division = divide(
      loadOf({
        ids: undefined,
        span: { start: Date.UTC(1995, 0, 1), end: Date.UTC(2025, 0, 1) - 1000 },
        rowsPerIdAndDay: 96,
        rules: CONTINUOUS,
      }),
    )
    expect(division).toMatchObject({ groups: undefined, chunkMs: 1040 * DAY_MS, requests: 22 })
    expect(singleWalk(division)).toBe(22)
  })

  it('leaves a small query in one piece', () => {
    expect(divide(loadOf({ ids: names(3), span: days('2024-01-01', '2024-12-31') }))).toMatchObject({
      groups: [names(3)],
      requests: 1,
    })
  })

  it.each<[string, Partial<Load>]>([
    ['the size is unknown', { rowsPerIdAndDay: undefined }],
    ['there is no span', { span: undefined }],
    ['the caller takes the first rows that come', { undivided: true }],
  ])('divides only for the limits of the service when %s', (_what, more) => {
    expect(divide(loadOf(more)).groups).toEqual([names(100)])
  })

  it('R27: divides a list that is too long for one request, each name once, in order', () => {
    const { groups } = divide(loadOf({ ids: names(1200), rowsPerIdAndDay: undefined }))
    expect(groups?.flat()).toEqual(names(1200))
    for (const group of groups ?? []) expect(300 + group.length * 16).toBeLessThanOrEqual(8000)
    expect(groups).toHaveLength(3)
  })

  it('R27: refuses a name that does not fit alone', () => {
    expect(() => divide(loadOf({ bytesOf: ids => ids.length * 9000 }))).toThrow(QueryError)
  })

  it('R27: whatever is asked, every name stands in one group, every day in one piece, and requests stay within a tenth of one walk', () => {
    holds(
      fc.property(
        fc.record({
          count: fc.integer({ min: 1, max: 400 }),
          years: fc.integer({ min: 1, max: 120 }),
          perDay: fc.constantFrom(1, 2, 24, 96, 288),
          pageSize: fc.constantFrom(1000, 5000, 10_000, 50_000),
        }),
        ({ count, years, perDay, pageSize }) => {
          const rules = perDay > 2 ? CONTINUOUS : DAILY
          const span = { start: Date.UTC(2024 - years, 0, 1), end: Date.UTC(2024, 0, 1) }
          const division = divide(
            loadOf({
              ids: names(count),
              span,
              rowsPerIdAndDay: perDay,
              rules,
              pageSize,
              bytesOf: ids => 300 + ids.length * 16,
            }),
          )
          expect(division.groups?.flat()).toEqual(names(count))
          const pieces = planSpan(span, rules, division.chunkMs)
          expect(pieces[0]?.start).toBe(span.start)
          expect(pieces.at(-1)?.end).toBe(span.end)
          pieces.forEach((piece, at) => at > 0 && expect(piece.start - (pieces[at - 1]?.end ?? 0)).toBe(rules.stepMs))
          const single = singleWalk(division, pageSize)
          const mandatory = Math.ceil(count / 481) * planSpan(span, rules, rules.chunkMs).length
          // Where the service's own limits do not ask for more.
          if (mandatory <= single / 20)
            expect(division.requests).toBeLessThanOrEqual(Math.ceil(single * 1.1) + mandatory)
        },
      ),
      200,
    )
  })
})
