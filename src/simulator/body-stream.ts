import { crc32, deflateRawSync, constants } from 'node:zlib'

/** A body that is made while it is sent. It can be made again, and is the same then. */
export interface BodyStream {
  chunks(): Iterable<Uint8Array>
}

export type Body = string | Uint8Array | BodyStream

export function isStream(body: Body): body is BodyStream {
  return typeof body === 'object' && 'chunks' in body
}

/** How many bytes there are: the whole is made to count them. */
export function measure(stream: BodyStream): number {
  let bytes = 0
  for (const chunk of stream.chunks()) bytes += chunk.length
  return bytes
}

/** The bytes from one place to another. */
export function* slice(stream: BodyStream, from: number, to: number): Generator<Uint8Array> {
  let at = 0
  for (const chunk of stream.chunks()) {
    const part = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at))
    if (part.length > 0) yield part
    at += chunk.length
    if (at >= to) return
  }
}

/** Bytes compressed piece by piece, without a frame around them. */
export interface Deflated {
  chunks(): Iterable<Uint8Array>
  /** Of the bytes that went in; known when all pieces have been taken. */
  readonly crc: number
  readonly size: number
}

/** Compresses each piece for itself, so that nothing is kept from one to the next. */
export function deflate(stream: BodyStream): Deflated {
  let crc = 0
  let size = 0
  return {
    *chunks() {
      crc = size = 0
      for (const chunk of stream.chunks()) {
        crc = crc32(chunk, crc)
        size += chunk.length
        yield deflateRawSync(chunk, { level: 1, finishFlush: constants.Z_SYNC_FLUSH })
      }
      yield deflateRawSync(new Uint8Array(0))
    },
    get crc() {
      return crc
    },
    get size() {
      return size
    },
  }
}

const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff)

/** The same bytes, compressed as gzip. */
export function gzipStream(stream: BodyStream): BodyStream {
  return {
    *chunks() {
      const inner = deflate(stream)
      yield GZIP_HEAD
      yield* inner.chunks()
      const tail = Buffer.alloc(8)
      tail.writeUInt32LE(inner.crc, 0)
      tail.writeUInt32LE(inner.size % 2 ** 32, 4)
      yield tail
    },
  }
}
