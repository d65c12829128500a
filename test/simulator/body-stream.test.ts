import { gunzipSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { deflate, gzipStream, isStream, measure, slice, type BodyStream } from '../../src/simulator/body-stream.ts'

/** Numbers as text, a thousand to a piece. */
function numbers(pieces: number): BodyStream & { made: number } {
  return {
    made: 0,
    *chunks() {
      for (let piece = 0; piece < pieces; piece++) {
        this.made += 1
        yield Buffer.from(Array.from({ length: 1000 }, (_, n) => piece * 1000 + n).join('\n'))
      }
    },
  }
}

const whole = (stream: { chunks(): Iterable<Uint8Array> }): Buffer => Buffer.concat([...stream.chunks()])

describe('a body that is made while it is sent', () => {
  it('is told from one that is there', () => {
    expect([numbers(1), 'text', Buffer.from('bytes'), ''].map(isStream)).toEqual([true, false, false, false])
  })

  it('is counted, and made anew each time', () => {
    const body = numbers(5)
    expect(measure(body)).toBe(whole(body).length)
    expect(body.made).toBe(10)
  })

  it.each([
    [0, 10],
    [3000, 9000],
    [0, 0],
    [12_345, Infinity],
    [5, 6],
  ])('is cut from %d to %d wherever its pieces end', (from, to) => {
    const all = whole(numbers(5))
    expect(Buffer.concat([...slice(numbers(5), from, to)])).toEqual(all.subarray(from, to))
  })

  it('is not made beyond the end of a cut', () => {
    const body = numbers(100)
    expect([...slice(body, 0, 100)]).toHaveLength(1)
    expect(body.made).toBe(1)
  })

  it('is compressed piece by piece, and is one stream to whoever unpacks it', () => {
    const all = whole(numbers(7))
    const deflated = deflate(numbers(7))
    expect(inflateRawSync(whole(deflated))).toEqual(all)
    expect(deflated.size).toBe(all.length)
    const packed = whole(gzipStream(numbers(7)))
    expect(packed.length).toBeLessThan(all.length)
    expect(gunzipSync(packed)).toEqual(all)
    expect(whole(gzipStream(numbers(7)))).toEqual(packed)
    expect(() => gunzipSync(packed.subarray(0, packed.length - 4))).toThrow('unexpected end of file')
    expect(gunzipSync(whole(gzipStream({ chunks: () => [] })))).toEqual(Buffer.alloc(0))
  })
})
