import { describe, expect, it } from 'vitest'
import { createChunk, type Chunk } from '../../src/transport/chunk.ts'
import { createPinBook } from '../../src/transport/pin.ts'

const A = '2023-03-01'
const B = '2026-03-01'
const C = '2026-09-01'

function chunks(count: number): Chunk<never>[] {
  return Array.from({ length: count }, (_, index) => createChunk<never>(index, { depth: 0 }))
}

const indices = (found: readonly Chunk<never>[]): number[] => found.map(({ index }) => index)

describe('createPinBook', () => {
  it('R58: the first response settles the pin', () => {
    const [chunk, other] = chunks(2) as [Chunk<never>, Chunk<never>]
    const book = createPinBook<never>(undefined)
    expect(book.value).toBeUndefined()
    expect(book.note(chunk, A, [chunk, other])).toEqual({ redo: [], warning: undefined })
    expect([book.value, chunk.pin, other.pin]).toEqual([A, A, undefined])
  })

  it('R58: a response without a pin settles nothing', () => {
    const [chunk] = chunks(1) as [Chunk<never>]
    const book = createPinBook<never>(undefined)
    expect(book.note(chunk, undefined, [chunk])).toEqual({ redo: [], warning: undefined })
    expect([book.value, chunk.pin]).toEqual([undefined, undefined])
  })

  it('R58: a chunk whose own pages disagree is asked again, and its rows kept with a word when they still do', () => {
    const [chunk] = chunks(1) as [Chunk<never>]
    const book = createPinBook<never>(undefined)
    book.note(chunk, A, [chunk])
    expect(indices(book.note(chunk, B, [chunk]).redo)).toEqual([0])
    Object.assign(chunk, { redone: true, pin: undefined })
    expect(book.note(chunk, A, [chunk]).warning).toContain(`version ${A}, while the rest is of ${B}`)
    expect(book.note(chunk, B, [chunk])).toEqual({ redo: [], warning: undefined })
  })

  it('R58: the oldest of its pages speaks for a chunk, in whatever order they come', () => {
    const [chunk] = chunks(1) as [Chunk<never>]
    const book = createPinBook<never>(undefined)
    expect(book.note(chunk, B, [chunk])).toEqual({ redo: [], warning: undefined })
    expect(indices(book.note(chunk, A, [chunk]).redo)).toEqual([0])
    expect([chunk.pin, book.value]).toEqual([A, B])
  })

  it('R58: when a newer one turns up, the chunks that answered with an older one are asked again', () => {
    const all = chunks(4)
    const [first, second, third] = all as [Chunk<never>, Chunk<never>, Chunk<never>]
    const book = createPinBook<never>(undefined)
    book.note(first, A, all)
    book.note(second, A, all)
    const { redo, warning } = book.note(third, B, all)
    expect([indices(redo), warning, book.value]).toEqual([[0, 1], undefined, B])
  })

  it('R58: an older answer after a newer one is itself asked again', () => {
    const all = chunks(2)
    const [first, second] = all as [Chunk<never>, Chunk<never>]
    const book = createPinBook<never>(B)
    expect(indices(book.note(first, A, all).redo)).toEqual([0])
    expect(book.value).toBe(B)
    expect(indices(book.note(second, B, all).redo)).toEqual([0])
  })

  it.each<[string, Partial<Chunk<never>>]>([
    ['asked again already', { redone: true }],
    ['handed on', { delivered: true }],
    ['failed', { state: 'failed' }],
  ])('R58: a chunk that was %s keeps its rows, with one warning', (_name, facts) => {
    const all = chunks(3)
    const [first, second, third] = all as [Chunk<never>, Chunk<never>, Chunk<never>]
    const book = createPinBook<never>(undefined)
    book.note(first, A, all)
    Object.assign(first, facts)
    const note = book.note(second, B, all)
    expect(note).toEqual({ redo: [], warning: `part of the answer is of version ${A}, while the rest is of ${B}` })
    expect(book.note(third, B, all)).toEqual({ redo: [], warning: undefined })
  })

  it('R58: chunks that can be asked again are, beside one that cannot', () => {
    const all = chunks(3)
    const [first, second, third] = all as [Chunk<never>, Chunk<never>, Chunk<never>]
    const book = createPinBook<never>(undefined)
    book.note(first, A, all)
    book.note(second, A, all)
    first.delivered = true
    const { redo, warning } = book.note(third, B, all)
    expect(indices(redo)).toEqual([1])
    expect(warning).toContain(A)
  })

  it('R58: every version that cannot be made to agree is named once', () => {
    const all = chunks(3)
    const [first, second, third] = all as [Chunk<never>, Chunk<never>, Chunk<never>]
    const book = createPinBook<never>(undefined)
    book.note(first, A, all)
    first.delivered = true
    expect(book.note(second, B, all).warning).toContain(`version ${A}, while the rest is of ${B}`)
    second.delivered = true
    first.pin = undefined
    expect(book.note(third, C, all).warning).toContain(`version ${B}, while the rest is of ${C}`)
    expect(book.note(third, C, all).warning).toBeUndefined()
  })
})
