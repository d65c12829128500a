import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { sleep, type Clock } from '../clock.ts'
import { gzipStream, isStream } from './body-stream.ts'
import type { Core, Visit } from './core.ts'
import { deliver, type Parcel } from './delivery.ts'
import { createHandlers, type HandlerSet } from './handlers.ts'
import type { Ask } from './service.ts'

/** Largest body that is read from a client, bytes. Nothing our services accept comes near. */
const MAX_BODY_BYTES = 2 ** 20

export interface ServerOptions {
  readonly port: number
  readonly clock: Clock
  /** Compress bodies for clients that accept it. */
  readonly gzip: boolean
}

export interface OpenServer {
  readonly url: string
  close(): Promise<void>
}

/** Puts a core on a port of 127.0.0.1, and does to connections what its faults ask for. */
export async function openServer(core: Core, options: ServerOptions): Promise<OpenServer> {
  const sockets = new Map<Socket, number>()
  const visits = new Set<Visit>()
  let connections = 0
  // Room for addresses that are too long for the services, so that it is they who say so.
  const server = createServer({ maxHeaderSize: MAX_BODY_BYTES })
  // Idle connections are the client's to close: a server that hangs up on its own makes tests flicker.
  server.keepAliveTimeout = 0
  server.requestTimeout = 0
  server.headersTimeout = 0
  server.on('connection', socket => {
    connections += 1
    sockets.set(socket, connections)
    socket.on('close', () => sockets.delete(socket))
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Only now: the handlers need the address, and nobody can have asked before it is known.
  const set = createHandlers(core, url)
  server.on('request', (request, response) => {
    const connection = sockets.get(request.socket) ?? 0
    serve(core, set, options, { request, response, connection, visits }).catch(error => fail(response, error))
  })

  return {
    url,
    close: () =>
      new Promise(resolve => {
        for (const visit of visits) visit.gone.abort()
        server.close(() => resolve())
        for (const socket of sockets.keys()) socket.destroy()
      }),
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: number
  readonly visits: Set<Visit>
}

async function serve(
  core: Core,
  set: HandlerSet,
  options: ServerOptions,
  { request, response, connection, visits }: Exchange,
): Promise<void> {
  const { ask, url } = askOf(request, await readBody(request))
  if (response.destroyed) return
  const visit = core.arrive(ask, connection)
  visits.add(visit)
  response.on('close', () => {
    visits.delete(visit)
    visit.gone.abort()
    core.end(visit, response.writableFinished ? response.statusCode : 'aborted', !response.writableFinished)
  })
  try {
    await core.wait(visit)
    await respond(core, set, options, { visit, url, response })
  } catch (error) {
    if (!visit.gone.signal.aborted) throw error
  }
}

async function respond(
  core: Core,
  set: HandlerSet,
  options: ServerOptions,
  { visit, url, response }: { visit: Visit; url: URL; response: ServerResponse },
): Promise<void> {
  const { delivery } = visit
  const breaking = (how: 'reset' | 'cut'): void => core.end(visit, how)
  if (delivery?.type === 'hang') {
    visit.entry.status = 'hung'
    return
  }
  if (delivery?.type === 'reset' && delivery.at === 'before-headers') {
    breaking('reset')
    response.socket?.resetAndDestroy()
    return
  }
  const { status, headers, body, silence } = await set.answer(visit, url.href)
  await core.stay(visit, silence?.ms ?? 0)
  if (response.destroyed) return
  if (silence?.isLost === true) {
    breaking('cut')
    response.socket?.destroy()
    return
  }
  const parcel = { status, headers, body: isStream(body) ? body : Buffer.from(body as string) }
  const wait = (ms: number): Promise<void> => sleep(options.clock, ms, visit.gone.signal)
  await deliver(response, options.gzip ? compress(parcel, visit.ask) : parcel, { how: delivery, wait, breaking })
}

/** A mistake of the simulator itself: said aloud, since it must not look like a fault that was asked for. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(500, { 'content-type': 'text/plain' })
  response.end(`the simulator failed: ${error instanceof Error ? error.message : String(error)}\n`)
}

function compress(parcel: Parcel, ask: Ask): Parcel {
  if (!/\bgzip\b/.test(ask.headers['accept-encoding'] ?? '')) return parcel
  const headers = { ...parcel.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }
  const { body } = parcel
  return { ...parcel, headers, body: isStream(body) ? gzipStream(body) : gzipSync(body, { level: 1 }) }
}

function askOf(request: IncomingMessage, body: string): { ask: Ask; url: URL } {
  const { method = 'GET', url: target = '/', socket } = request
  const here = `http://127.0.0.1:${socket.localPort ?? 0}`
  // Clients that take us for a proxy send a whole address.
  const url = target.startsWith('/') ? new URL(here + target) : new URL(target, here)
  const base = `http://${request.headers.host ?? url.host}`
  const mark = target.indexOf('?')
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const search = mark < 0 ? '' : target.slice(mark)
  return { ask: { base, method, path: url.pathname, search, query: url.searchParams, headers, body }, url }
}

async function readBody(request: IncomingMessage): Promise<string> {
  if (request.method === 'GET' || request.method === 'HEAD') return ''
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes <= MAX_BODY_BYTES) parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
