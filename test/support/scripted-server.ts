import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { systemClock, type Clock } from '../../src/clock.ts'

/** One request as it arrived. */
export interface Arrival {
  /** Place in the order of arrival, from 1. */
  readonly n: number
  /** When it arrived, milliseconds of the server's clock. */
  readonly at: number
  readonly method: string
  /** Path and query exactly as sent; a whole address where a proxy was asked. */
  readonly target: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Number of the connection it came on, from 1. */
  readonly connection: number
  /** Whether the exchange is over. */
  ended: boolean
  /** Whether it ended before the answer was whole. */
  broken: boolean
}

/** A request that waits for its answer. The script may write to the response, or treat the socket badly. */
export interface Visit {
  readonly arrival: Arrival
  readonly response: ServerResponse
  readonly socket: Socket
}

/** What a server does with each request. */
export type Script = (visit: Visit) => void | Promise<void>

/** A server that does as it is told and remembers what it was asked. */
export interface ScriptedServer {
  /** `http://127.0.0.1:` and the port. */
  readonly url: string
  readonly port: number
  readonly arrivals: readonly Arrival[]
  /** Requests without their whole answer now. */
  readonly open: number
  /** Most of them at once. */
  readonly peakOpen: number
  /** Connections that were opened. */
  readonly connections: number
  /** Resolves when so many requests have arrived. */
  arrived(count: number): Promise<void>
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body?: unknown
}

/** Starts a server on 127.0.0.1 that ends with the test. */
export async function startScripted(script: Script, clock: Clock = systemClock): Promise<ScriptedServer> {
  const arrivals: Arrival[] = []
  const sockets = new Map<Socket, number>()
  let connections = 0
  let open = 0
  let peakOpen = 0
  const server = createServer({ keepAliveTimeout: 0 })
  server.on('connection', socket => {
    connections += 1
    sockets.set(socket, connections)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.on('request', (request, response) => {
    const { method = '', url: target = '', headers, socket } = request
    const { pathname: path, searchParams: query } = new URL(target, 'http://127.0.0.1')
    const connection = sockets.get(socket) ?? 0
    const arrival: Arrival = {
      n: arrivals.length + 1,
      at: clock.monotonic(),
      method,
      target,
      path,
      query,
      headers,
      connection,
      ended: false,
      broken: false,
    }
    arrivals.push(arrival)
    open += 1
    peakOpen = Math.max(peakOpen, open)
    response.on('close', () => {
      open -= 1
      arrival.ended = true
      arrival.broken = !response.writableFinished
    })
    request.resume()
    void (async () => script({ arrival, response, socket }))().catch((thrown: unknown) =>
      response.destroy(thrown as Error),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        for (const socket of sockets.keys()) socket.destroy()
      }),
  )
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    arrivals,
    get open() {
      return open
    },
    get peakOpen() {
      return peakOpen
    },
    get connections() {
      return connections
    },
    async arrived(count) {
      while (arrivals.length < count) await new Promise(resolve => setTimeout(resolve, 1))
    },
  }
}

/** Answers a request, whole and well. */
export function answer({ response }: Visit, { status = 200, headers = {}, body = '' }: Answer = {}): void {
  const isText = typeof body === 'string' || Buffer.isBuffer(body)
  const bytes = Buffer.from(isText ? (body as string) : JSON.stringify(body))
  const type = isText ? 'text/plain' : 'application/json'
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length, ...headers })
  response.end(bytes)
}

/** Breaks the connection without a word. */
export function drop({ socket }: Visit): void {
  socket.resetAndDestroy()
}

/** Answers the n-th request with the n-th script, and all that follow with the last one. */
export function inTurn(...scripts: readonly Script[]): Script {
  let turn = 0
  return visit => {
    const script = scripts[Math.min(turn, scripts.length - 1)]
    turn += 1
    return script?.(visit)
  }
}
