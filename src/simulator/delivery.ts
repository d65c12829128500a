import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { systemClock, sleep } from '../clock.ts'
import { gzipStream, isStream, measure, slice, type BodyStream } from './body-stream.ts'
import type { CutLie, DeliveryAction } from './fault.ts'

/** Time for bytes already written to reach the client before a reset, which may throw away what is unread. */
const BEFORE_RESET_MS = 20

/** An answer ready for the wire. */
export interface Parcel {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | BodyStream
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

async function sendWhole(response: ServerResponse, { status, headers, body }: Parcel): Promise<void> {
  response.writeHead(status, { ...headers, ...lengthOf(body) })
  if (!isStream(body)) return void response.end(body)
  if (response.req.method !== 'HEAD') await writeAll(response, body.chunks())
  response.end()
}

async function sendDrops(
  response: ServerResponse,
  parcel: Parcel,
  { pieces, everyMs }: Extract<DeliveryAction, { type: 'drip' }>,
  errand: Errand,
): Promise<void> {
  const { body } = parcel
  const bytes = bytesOf(body)
  response.writeHead(parcel.status, { ...parcel.headers, ...lengthOf(body) })
  const size = Math.max(1, Math.ceil(bytes / pieces))
  for (let from = 0; from < bytes; from += size) {
    if (from > 0) await errand.wait(everyMs)
    await writeAll(response, partOf(body, from, from + size))
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
  response.writeHead(parcel.status, { ...parcel.headers, ...lengthOf(body) })
  response.flushHeaders()
  const sent = how.afterBytes ?? (how.at === undefined ? 0 : Math.floor(bytesOf(body) * how.at))
  await writeAll(response, partOf(body, 0, sent))
  if (how.forMs === undefined) return
  await errand.wait(how.forMs)
  await writeAll(response, partOf(body, sent, Infinity))
  response.end()
}

async function sendAndReset(
  response: ServerResponse,
  parcel: Parcel,
  how: Extract<DeliveryAction, { type: 'reset' }>,
  errand: Errand,
): Promise<void> {
  if (how.at !== 'before-headers') {
    const { body } = parcel
    response.writeHead(parcel.status, { ...parcel.headers, ...lengthOf(body) })
    response.flushHeaders()
    await writeAll(response, partOf(body, 0, Math.floor(bytesOf(body) * how.at)))
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
  const body = packed ? pack(parcel.body) : parcel.body
  const bytes = bytesOf(body)
  const kept = Math.floor(bytes * how.at)
  const headers = packed ? { ...parcel.headers, 'content-encoding': 'gzip' } : parcel.headers
  if (lie === 'clean' || lie === 'gzip') {
    errand.breaking('cut')
    // What comes in chunks goes on to do so, unless a length is part of the lie.
    response.writeHead(parcel.status, {
      ...headers,
      ...(lie === 'clean' && isStream(body) ? {} : { 'content-length': kept }),
    })
    await writeAll(response, partOf(body, 0, kept))
    return void response.end()
  }
  if (lie === 'length') response.setHeader('content-length', bytes)
  if (lie === 'chunked') response.setHeader('transfer-encoding', 'chunked')
  if (lie === 'close') {
    response.useChunkedEncodingByDefault = false
    response.shouldKeepAlive = false
  }
  response.writeHead(parcel.status, headers)
  response.flushHeaders()
  await writeAll(response, partOf(body, 0, kept))
  errand.breaking('cut')
  response.socket?.destroySoon()
}

/** A body that is made while it is sent comes in chunks, without a length. */
function lengthOf(body: Parcel['body']): { 'content-length'?: number } {
  return isStream(body) ? {} : { 'content-length': body.length }
}

function bytesOf(body: Parcel['body']): number {
  return isStream(body) ? measure(body) : body.length
}

function partOf(body: Parcel['body'], from: number, to: number): Iterable<Uint8Array> {
  return isStream(body) ? slice(body, from, to) : [body.subarray(from, to)]
}

function pack(body: Parcel['body']): Parcel['body'] {
  return isStream(body) ? gzipStream(body) : gzipSync(body)
}

/** Writes piece after piece, each when the one before has left: no more than one is held. */
async function writeAll(response: ServerResponse, pieces: Iterable<Uint8Array>): Promise<void> {
  for (const piece of pieces) {
    if (response.destroyed) return
    if (piece.length > 0) await new Promise(resolve => response.write(piece, resolve))
  }
}
