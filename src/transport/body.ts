import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { Failure } from './failure.ts'
import { takeOut } from './take-out.ts'

/**
 * Reads a body to its last byte as it came over the wire.
 *
 * @param heard - called for every chunk: whoever measures silence listens here
 * @returns the bytes, still compressed
 * @throws Failure of class `lost` when the connection ends before the body does, `too_large` above `maxBytes`
 */
export async function readBody(message: IncomingMessage, maxBytes: number, heard: () => void): Promise<Buffer> {
  return takeOut(await collected(message, maxBytes, heard), 'body')
}

/** The listeners stay on the message, which its connection may keep for a while: they are to hold on to nothing. */
function collected(message: IncomingMessage, maxBytes: number, heard: () => void): Promise<{ readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    const body = gathering(message, maxBytes)
    let bytes = 0
    message.on('data', (chunk: Buffer) => {
      heard()
      bytes += chunk.length
      if (bytes > maxBytes) {
        reject(tooLarge(maxBytes))
        message.destroy()
        return
      }
      body.add(chunk)
    })
    message.on('end', () => (message.complete ? resolve({ body: body.whole() }) : reject(cutShort(bytes))))
    message.on('error', thrown => reject(cutShort(bytes, thrown)))
    message.on('close', () => {
      if (!message.readableEnded) reject(cutShort(bytes))
    })
  })
}

/** Longer bodies do not get their room before they have come: the header may say anything. */
const MOST_ROOM_BYTES = 64 * 2 ** 20

/** Chunks of one body, in order. */
interface Gathered {
  add(chunk: Buffer): void
  /** All of them in one piece. Holds on to nothing afterwards. */
  whole(): Buffer
}

/** Where the length is known, chunks are copied as they come: no second body is there beside the first. */
function gathering({ headers }: IncomingMessage, maxBytes: number): Gathered {
  const announced = Number(headers?.['content-length'])
  const chunks: Buffer[] = []
  let room =
    announced > 0 && announced <= Math.min(maxBytes, MOST_ROOM_BYTES) ? Buffer.allocUnsafeSlow(announced) : undefined
  let filled = 0
  return {
    add(chunk) {
      if (room === undefined || chunks.length > 0 || filled + chunk.length > room.length) chunks.push(chunk)
      else filled += chunk.copy(room, filled)
    },
    whole() {
      const first = room?.subarray(0, filled)
      room = undefined
      const rest = chunks.splice(0)
      return first && rest.length === 0 ? first : Buffer.concat([...(first ? [first] : []), ...rest])
    },
  }
}

/** The name of a packing as it is compared. */
export function packingName(encoding: string | undefined): string {
  return (encoding ?? 'identity').trim().toLowerCase()
}

/**
 * Unpacks a body, strictly: a packed body without its end is an answer cut short, also when the length agreed.
 *
 * @param encoding - the `content-encoding` header
 */
export async function unpack(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const name = packingName(encoding)
  const unpackers = UNPACKERS[name]
  if (name === 'identity' || name === '' || body.length === 0) return body
  if (!unpackers) throw packedOtherwise(name)
  let last: unknown
  for (const unpacker of unpackers) {
    try {
      return await unpacker(body, { maxOutputLength: maxBytes })
    } catch (thrown) {
      if ((thrown as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
      last = thrown
    }
  }
  throw notUnpacked(name, last)
}

type Unpacker = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

/** `deflate` is sent both ways: with the zlib wrapping that the standard asks for, and bare. */
const UNPACKERS: Readonly<Record<string, readonly Unpacker[]>> = {
  gzip: [promisify(gunzip) as Unpacker],
  'x-gzip': [promisify(gunzip) as Unpacker],
  deflate: [promisify(inflate) as Unpacker, promisify(inflateRaw) as Unpacker],
  br: [promisify(brotliDecompress) as Unpacker],
}

function packedOtherwise(name: string): Failure {
  return new Failure(`the answer is packed in a way that was not asked for: ${name}`, { class: 'bad_response' })
}

export function notUnpacked(name: string, thrown: unknown): Failure {
  return new Failure(
    `incomplete answer: the ${name} body does not unpack to its end (${thrown instanceof Error ? thrown.message : 'no reason'})`,
    { class: 'lost' },
  )
}

export function tooLarge(maxBytes: number): Failure {
  return new Failure(`the answer is larger than ${maxBytes} bytes (maxBytes)`, { class: 'too_large' })
}

export function cutShort(bytes: number, thrown?: Error): Failure {
  const code = (thrown as { code?: unknown } | undefined)?.code
  return new Failure(`incomplete answer: the connection ended after ${bytes} bytes of the body`, {
    class: 'lost',
    systemCode: typeof code === 'string' ? code : undefined,
  })
}
