import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBody, unpack } from '../../src/transport/body.ts'
import { holdsInTime } from '../support/properties.ts'

const text = Buffer.from(JSON.stringify({ rows: Array.from({ length: 500 }, (_, at) => [at, at * at]) }))
const PLENTY = 1_000_000

const PACKERS: readonly (readonly [encoding: string, pack: (body: Buffer) => Buffer])[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
]

describe('unpack', () => {
  it.each(PACKERS)('R50: unpacks %s', async (encoding, pack) => {
    await expect(unpack(pack(text), encoding, PLENTY)).resolves.toEqual(text)
    await expect(unpack(pack(text), ` ${encoding.toUpperCase()} `, PLENTY)).resolves.toEqual(text)
  })

  it.each(PACKERS)('R50 F35: %s without its end is an answer cut short, wherever it is cut', async (encoding, pack) => {
    const whole = pack(text)
    for (const share of [0.02, 0.25, 0.5, 0.75, 0.99]) {
      await expect(
        unpack(whole.subarray(0, Math.max(1, Math.floor(whole.length * share))), encoding, PLENTY),
      ).rejects.toMatchObject({
        class: 'lost',
        message: expect.stringContaining(
          `incomplete answer: the ${encoding} body does not unpack to its end (`,
        ) as string,
      })
    }
    await expect(unpack(whole.subarray(0, whole.length - 1), encoding, PLENTY)).rejects.toMatchObject({ class: 'lost' })
  })

  it.each(['gzip', 'deflate', 'br'])(
    'R50: what is not %s at all is an answer that came wrong, not rows',
    async encoding => {
      await expect(unpack(Buffer.from('plain text, and more of it'), encoding, PLENTY)).rejects.toMatchObject({
        class: 'lost',
      })
    },
  )

  it.each([undefined, '', 'identity', ' Identity '])('takes a body that is not packed as it is: %j', async encoding => {
    await expect(unpack(text, encoding, PLENTY)).resolves.toBe(text)
  })

  it('takes an empty body as empty, whatever its label', async () => {
    const empty = Buffer.alloc(0)
    await expect(unpack(empty, 'gzip', PLENTY)).resolves.toBe(empty)
    await expect(unpack(empty, 'zstd', PLENTY)).resolves.toBe(empty)
  })

  it.each(['zstd', 'gzip, br', 'compress'])(
    'R52: a packing that was not asked for is a bad response: %s',
    async encoding => {
      await expect(unpack(text, encoding, PLENTY)).rejects.toMatchObject({
        class: 'bad_response',
        message: `the answer is packed in a way that was not asked for: ${encoding}`,
      })
    },
  )

  it.each(PACKERS)('R53: %s that unpacks to more than maxBytes is refused, not unpacked', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(100_000))
    await expect(unpack(bomb, encoding, 99_999)).rejects.toMatchObject({
      class: 'too_large',
      message: 'the answer is larger than 99999 bytes (maxBytes)',
    })
    await expect(unpack(bomb, encoding, 100_000)).resolves.toHaveLength(100_000)
  })

  it('R50: no cut of a packed body is ever taken for the whole', async () => {
    const cut = fc.tuple(
      fc.constantFrom(...PACKERS),
      fc.uint8Array({ minLength: 20, maxLength: 400 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    )
    await holdsInTime(
      fc.asyncProperty(cut, async ([[encoding, pack], bytes, share]) => {
        const whole = pack(Buffer.from(bytes))
        const end = Math.max(1, Math.floor(whole.length * share))
        await expect(unpack(whole.subarray(0, end), encoding, PLENTY)).rejects.toMatchObject({ class: 'lost' })
      }),
      200,
    )
  })
})

/** A message as Node hands it over: a stream that knows whether it came whole, and how long it was to be. */
function message(complete: boolean, announced?: string): PassThrough & { complete: boolean } {
  const headers = announced === undefined ? {} : { 'content-length': announced }
  return Object.assign(new PassThrough(), { complete, headers })
}

const read = (stream: PassThrough, maxBytes: number, heard: () => void): Promise<Buffer> =>
  readBody(stream as unknown as IncomingMessage, maxBytes, heard)

describe('readBody', () => {
  it('R21: tells of every chunk, and joins them', async () => {
    const stream = message(true)
    let heard = 0
    const body = read(stream, PLENTY, () => void (heard += 1))
    stream.write('ab')
    await new Promise(resolve => setImmediate(resolve))
    stream.write('cd')
    stream.end('e')
    await expect(body).resolves.toEqual(Buffer.from('abcde'))
    expect(heard).toBeGreaterThanOrEqual(2)
  })

  it.each(['5', '3', '9', '0', '-1', 'many', '1e300'])(
    'R51: the bytes that came are the body, whatever length was announced: %s',
    async announced => {
      const stream = message(true, announced)
      const body = read(stream, PLENTY, () => {})
      for (const part of ['ab', 'cd', 'e']) {
        stream.write(part)
        await new Promise(resolve => setImmediate(resolve))
      }
      stream.end()
      await expect(body).resolves.toEqual(Buffer.from('abcde'))
    },
  )

  it('R51 F34: a body that ends without being whole is an answer cut short', async () => {
    const stream = message(false)
    const body = read(stream, PLENTY, () => {})
    stream.end('abc')
    await expect(body).rejects.toMatchObject({
      class: 'lost',
      message: 'incomplete answer: the connection ended after 3 bytes of the body',
      systemCode: undefined,
    })
  })

  it.each([
    [Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), 'ECONNRESET'],
    [new Error('something'), undefined],
    [Object.assign(new Error('odd'), { code: 7 }), undefined],
  ])('R3: an error of the connection is an answer cut short, with its code: %s', async (error, systemCode) => {
    const stream = message(false)
    const body = read(stream, PLENTY, () => {})
    stream.destroy(error)
    await expect(body).rejects.toMatchObject({ class: 'lost', systemCode })
  })

  it('R3: a connection that closes without a word is an answer cut short', async () => {
    const stream = message(false)
    const body = read(stream, PLENTY, () => {})
    stream.destroy()
    await expect(body).rejects.toMatchObject({
      class: 'lost',
      message: 'incomplete answer: the connection ended after 0 bytes of the body',
    })
  })

  it('R53: more than maxBytes is refused as soon as it comes, and the connection is dropped', async () => {
    const stream = message(true)
    const body = read(stream, 4, () => {})
    stream.write('abcd')
    await new Promise(resolve => setImmediate(resolve))
    stream.write('e')
    await expect(body).rejects.toMatchObject({
      class: 'too_large',
      message: 'the answer is larger than 4 bytes (maxBytes)',
    })
    expect(stream.destroyed).toBe(true)
  })

  it('R53: exactly maxBytes is not too much', async () => {
    const stream = message(true)
    const body = read(stream, 4, () => {})
    stream.end('abcd')
    await expect(body).resolves.toHaveLength(4)
  })
})
