import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fiveMinutely, metaRow, resultOf } from './sample-result.ts'

describe('Retrieval', () => {
  it('gives its rows when iterated, and their number', () => {
    const rows = fiveMinutely([1, 2, 3])
    const result = resultOf(rows)
    expect([...result]).toEqual(rows)
    expect(result.length).toBe(3)
  })

  it('repeats on every row the metadata of the response that brought it', () => {
    const meta = [
      metaRow({ rows: 2, chunk: 0, source: { model_date: '2023-03-01' } }),
      metaRow({ rows: 0, chunk: 0 }),
      metaRow({ rows: 1, chunk: 1 }),
    ]
    const flat = resultOf(fiveMinutely([1, 2, 3]), { meta }).withMeta()
    expect(flat.map(row => row.meta_chunk)).toEqual([0, 0, 1])
    expect(flat.map(row => row.meta_model_date)).toEqual(['2023-03-01', '2023-03-01', undefined])
    expect(flat.map(row => row['value'])).toEqual([1, 2, 3])
  })

  it('is flat with its metadata: the span has a column for each end', () => {
    const span = { start: new Date(0), end: new Date(300_000) }
    const meta = [metaRow({ rows: 1, span }), metaRow({ rows: 1, span: null })]
    const [first, second] = resultOf(fiveMinutely([1, 2]), { meta }).withMeta()
    expect(first).toMatchObject({ meta_span_start: span.start, meta_span_end: span.end })
    expect(second).toMatchObject({ meta_span_start: null, meta_span_end: null })
    expect(first).not.toHaveProperty('meta_span')
  })

  it('with metadata, too, prints itself as a short table', () => {
    const values = Array.from({ length: 500 }, (_, at) => at)
    const text = inspect(resultOf(fiveMinutely(values), { meta: [metaRow({ rows: 500 })] }).withMeta())
    expect(text).toContain('500 rows with metadata')
    expect(text).toContain('meta_service')
    expect(text.split('\n').length).toBeLessThan(15)
    expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThanOrEqual(100)
  })

  it('prints itself as a short table, not as an object', () => {
    const text = inspect(resultOf(fiveMinutely([1, 2, 3])))
    expect(text).toContain('acme historical: 3 rows')
    expect(text).not.toContain('Retrieval {')
  })

  it('is written by JSON.stringify as plain data with instants as text', () => {
    const plain = JSON.parse(JSON.stringify(resultOf(fiveMinutely([1])))) as { rows: unknown; columns: unknown[] }
    expect(plain.rows).toEqual([{ point_time: '2024-03-01T00:00:00.000Z', value: 1 }])
    expect(plain.columns).toHaveLength(2)
  })
})
