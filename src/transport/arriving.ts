import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { cutShort, notUnpacked, packingName, tooLarge } from './body.ts'

/** Reads a body while it arrives. What it throws ends the exchange. */
export interface BodyReader {
  /** @param part - unpacked bytes, in order; not kept by anybody afterwards */
  take(part: Buffer): void
  /** All has been taken. @returns what was read */
  end(): unknown
  /** Bytes that it has left to whoever reads whole bodies. @defaultValue none */
  rest?(): Buffer
}

/**
 * Hands a body on part by part, unpacked, to its last byte. As strict as reading it whole.
 *
 * @returns length on the wire
 * @throws Failure of class `lost` when the connection or the packing ends before the body does, `too_large` above `maxBytes`
 */
export async function readWhileArriving(
  message: IncomingMessage,
  reader: BodyReader,
  how: { readonly encoding: string | undefined; readonly maxBytes: number; readonly heard: () => void },
): Promise<number> {
  const { encoding, maxBytes, heard } = how
  let bytes = 0
  let unpacked = 0
  let inReader: { readonly thrown: unknown } | undefined
  async function* counted(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of source) {
      bytes += part.length
      heard()
      yield part
    }
  }
  async function read(source: AsyncIterable<Buffer>): Promise<void> {
    for await (const part of source) {
      unpacked += part.length
      try {
        if (unpacked > maxBytes) throw tooLarge(maxBytes)
        reader.take(part)
      } catch (thrown) {
        inReader = { thrown }
        throw thrown
      }
    }
  }
  const name = packingName(encoding)
  const unpacker = UNPACKERS[name]?.()
  try {
    if (unpacker) await pipeline(message, counted, unpacker, read)
    else await pipeline(message, counted, read)
  } catch (thrown) {
    if (inReader) throw inReader.thrown
    if (PACKING_ERROR.test((thrown as { code?: string }).code ?? '')) throw notUnpacked(name, thrown)
    throw cutShort(bytes, thrown as Error)
  }
  if (!message.complete) throw cutShort(bytes)
  return bytes
}

/** Whether a body can be unpacked part by part; what is packed in another way is read when it is whole. */
export function isReadable(encoding: string | undefined): boolean {
  const name = packingName(encoding)
  return isPlain(name) || Object.hasOwn(UNPACKERS, name)
}

/** Codes of errors that come from unpacking. */
const PACKING_ERROR = /^(?:Z_|ERR__ERROR|ERR_BROTLI)/

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
}

function isPlain(name: string): boolean {
  return name === 'identity' || name === ''
}
