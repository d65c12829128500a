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
