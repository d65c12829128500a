import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { systemClock, sleep } from '../clock.ts'
import type { CutLie, DeliveryAction } from './fault.ts'

/** Time for bytes already written to reach the client before a reset, which may throw away what is unread. */
const BEFORE_RESET_MS = 20

/** An answer ready for the wire. */
export interface Parcel {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What the sender needs to know about the client. */
export interface Errand {
  readonly how: Exclude<DeliveryAction, { type: 'hang' }> | undefined
  /** Waits; rejects when the client has left. */
  wait(ms: number): Promise<void>
  /** To be called before the connection is broken, or the body falsified, by us. */
  breaking(how: 'reset' | 'cut'): void
}

/** Sends an answer, well or badly. Resolves when nothing more will be sent. */
export async function deliver(response: ServerResponse, parcel: Parcel, errand: Errand): Promise<void> {
  const { how } = errand
  switch (how?.type) {
    case undefined:
      return sendWhole(response, parcel)
    case 'drip':
      return sendDrops(response, parcel, how, errand)
    case 'silent':
      return sendAndFallSilent(response, parcel, how, errand)
    case 'reset':
      return sendAndReset(response, parcel, how, errand)
    case 'cut':
      return sendShort(response, parcel, how, errand)
  }
}

function sendWhole(response: ServerResponse, { status, headers, body }: Parcel): void {
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.end(body)
}

async function sendDrops(
  response: ServerResponse,
  parcel: Parcel,
  { pieces, everyMs }: Extract<DeliveryAction, { type: 'drip' }>,
  errand: Errand,
): Promise<void> {
  const { body } = parcel
  response.writeHead(parcel.status, { ...parcel.headers, 'content-length': body.length })
  const size = Math.max(1, Math.ceil(body.length / pieces))
  for (let from = 0; from < body.length; from += size) {
    if (from > 0) await errand.wait(everyMs)
    response.write(body.subarray(from, from + size))
  }
  response.end()
}

async function sendAndFallSilent(
  response: ServerResponse,
  parcel: Parcel,
  how: Extract<DeliveryAction, { type: 'silent' }>,
  errand: Errand,
): Promise<void> {
  const { body } = parcel
  response.writeHead(parcel.status, { ...parcel.headers, 'content-length': body.length })
  response.flushHeaders()
  const sent = how.afterBytes ?? Math.floor(body.length * (how.at ?? 0))
  if (sent > 0) response.write(body.subarray(0, sent))
  if (how.forMs === undefined) return
  await errand.wait(how.forMs)
  response.end(body.subarray(sent))
}

async function sendAndReset(
  response: ServerResponse,
  parcel: Parcel,
  how: Extract<DeliveryAction, { type: 'reset' }>,
  errand: Errand,
): Promise<void> {
  if (how.at !== 'before-headers') {
    const { body } = parcel
    response.writeHead(parcel.status, { ...parcel.headers, 'content-length': body.length })
    response.flushHeaders()
    await write(response, body.subarray(0, Math.floor(body.length * how.at)))
    await sleep(systemClock, BEFORE_RESET_MS)
  }
  errand.breaking('reset')
  response.socket?.resetAndDestroy()
}

async function sendShort(
  response: ServerResponse,
  parcel: Parcel,
  how: Extract<DeliveryAction, { type: 'cut' }>,
  errand: Errand,
): Promise<void> {
  const lie: CutLie = how.lie ?? 'length'
  const packed = lie === 'gzip' && parcel.headers['content-encoding'] === undefined
  const body = packed ? gzipSync(parcel.body) : parcel.body
  const rest = body.subarray(0, Math.floor(body.length * how.at))
  const headers = packed ? { ...parcel.headers, 'content-encoding': 'gzip' } : parcel.headers
  if (lie === 'clean' || lie === 'gzip') {
    errand.breaking('cut')
    return sendWhole(response, { ...parcel, headers, body: rest })
  }
  if (lie === 'length') response.setHeader('content-length', body.length)
  if (lie === 'chunked') response.setHeader('transfer-encoding', 'chunked')
  if (lie === 'close') {
    response.useChunkedEncodingByDefault = false
    response.shouldKeepAlive = false
  }
  response.writeHead(parcel.status, headers)
  response.flushHeaders()
  await write(response, rest)
  errand.breaking('cut')
  response.socket?.destroySoon()
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise(resolve => {
    if (bytes.length === 0) resolve()
    else response.write(bytes, () => resolve())
  })
}
