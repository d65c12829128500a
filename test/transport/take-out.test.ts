import { describe, expect, it } from 'vitest'
import { takeOut } from '../../src/transport/take-out.ts'

describe('takeOut', () => {
  it('gives the value and leaves nothing of it behind', () => {
    const rows = [1, 2, 3]
    const bringer = { rows, count: 3 }
    expect(takeOut(bringer, 'rows')).toBe(rows)
    expect(bringer).toEqual({ rows: undefined, count: 3 })
  })

  it('gives nothing the second time', () => {
    const bringer = { body: Buffer.from('abc') }
    takeOut(bringer, 'body')
    expect(takeOut(bringer, 'body')).toBeUndefined()
  })
})
