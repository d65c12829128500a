import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { systemClock, type Clock } from '../../src/clock.ts'
import { createRedactor } from '../../src/redact.ts'
import { gateFor } from '../../src/transport/accounts.ts'
import { createAxios } from '../../src/transport/http.ts'
import type { Operation } from '../../src/transport/operation.ts'
import type { SpanRules } from '../../src/transport/plan.ts'
import type { Endpoint } from '../../src/transport/request-spec.ts'
import { withRetries } from '../../src/transport/retry.ts'
import type { ServicePolicy } from '../../src/transport/verdict.ts'

/**
 * The smallest service that the transport can be tried on: a series with one value per step, on a real server of this
 * machine, with an answer of the test's own wherever it wants one. Instants are plain numbers from 0.
 */

/** A request as it arrived. */
export interface ToyRequest {
  /** Place in the order of arrival, from 1. */
  readonly n: number
  readonly method: string
  readonly path: string
  readonly search: string
  readonly start: number
  readonly end: number
  readonly page: number
  readonly pin: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Which connection it came on, from 1. */
  readonly connection: number
}

/** An answer of the test's own. */
export interface ToyAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | object
  /** Breaks the connection in place of an answer. */
  readonly reset?: true
}

export interface ToyServer {
  readonly url: string
  readonly host: string
  readonly requests: ToyRequest[]
  /** Spans asked for, in the order of arrival. */
  spans(): [number, number][]
  /** Requests accepted and not answered yet. */
  readonly open: number
}

export type Answering = (request: ToyRequest) => ToyAnswer | Promise<ToyAnswer>

/** A server that ends with the test. */
export async function serve(answer: Answering): Promise<ToyServer> {
  const requests: ToyRequest[] = []
  const sockets = new Map<Socket, number>()
  let connections = 0
  let open = 0
  const server = createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
    incoming.on('end', () => {
      const { pathname, search, searchParams } = new URL(incoming.url ?? '', 'http://toy')
      const request: ToyRequest = {
        n: requests.length + 1,
        method: incoming.method ?? '',
        path: pathname,
        search,
        start: Number(searchParams.get('start')),
        end: Number(searchParams.get('end')),
        page: Number(searchParams.get('page') ?? 1),
        pin: searchParams.get('pin') ?? undefined,
        headers: incoming.headers,
        body,
        connection: sockets.get(incoming.socket) ?? 0,
      }
      requests.push(request)
      open += 1
      outgoing.on('close', () => (open -= 1))
      void Promise.resolve(answer(request)).then(({ status = 200, headers = {}, body: given = '', reset }) => {
        if (reset) return void incoming.socket.resetAndDestroy()
        if (outgoing.destroyed) return
        const bytes =
          typeof given === 'string' || Buffer.isBuffer(given) ? Buffer.from(given) : Buffer.from(JSON.stringify(given))
        outgoing.writeHead(status, { 'content-length': bytes.length, ...headers }).end(bytes)
      })
    })
  })
  server.on('connection', socket => {
    connections += 1
    sockets.set(socket, connections)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    requests,
    spans: () => requests.map(({ start, end }) => [start, end]),
    get open() {
      return open
    },
  }
}

export interface ToyRow {
  readonly at: number
  readonly value: number
  readonly revised?: number
}

/** What the toy service sends. */
export interface ToyBody {
  readonly rows: readonly ToyRow[]
  readonly next?: string
  readonly pin?: string
  readonly warnings?: readonly string[]
}

export const STEP = 10

/** Rows of the series from `start` to `end`, both included: one per step, its value ten times its instant. */
export function rowsOf(start: number, end: number): ToyRow[] {
  const rows: ToyRow[] = []
  for (let at = Math.ceil(start / STEP) * STEP; at <= end; at += STEP) rows.push({ at, value: at * 10 })
  return rows
}

/** The answer of a service without faults. */
export function plainly({ start, end }: ToyRequest): { body: ToyBody } {
  return { body: { rows: rowsOf(start, end) } }
}

export const TOY_RULES: SpanRules = { stepMs: STEP, chunkMs: 100, mostMs: 1_000_000, ends: 'trimmed' }

export function toyOperation(url: string, more: Partial<Operation<ToyRow>> = {}): Operation<ToyRow> {
  return {
    rules: TOY_RULES,
    order: {
      compare: (a, b) => a.at - b.at,
      instant: row => row.at,
      equal: (a, b) => a.value === b.value,
      revised: row => row.revised ?? 0,
    },
    request: ({ span }, pin) => {
      const query = new URLSearchParams()
      if (span) query.set('start', String(span.start))
      if (span) query.set('end', String(span.end))
      if (pin !== undefined) query.set('pin', pin)
      return { method: 'GET', url: `${url}/series?${query.toString()}` }
    },
    read: reply => {
      const { rows, next, pin, warnings = [] } = reply.json() as ToyBody
      return { rows: [...rows], source: {}, warnings, next, pin }
    },
    ...more,
  }
}

export const TOY_POLICY: ServicePolicy = { retryStatuses: [502, 503], slowStatuses: [504], onTimeout: 'fail' }

/** A service as requests see it, with gates of its own. */
export function endpointOf(url: string, clock: Clock = systemClock, more: Partial<Endpoint> = {}): Endpoint {
  const own = `toy ${(endpoints += 1)}`
  return {
    service: 'toy',
    baseUrl: new URL(url),
    policy: TOY_POLICY,
    credential: undefined,
    redact: createRedactor(() => more.credential?.secrets() ?? []),
    axios: withRetries(createAxios()),
    quotaWindowMs: 3_600_000,
    gateFor: (host, account) => gateFor(clock, host, `${account} ${own}`),
    ...more,
  }
}

let endpoints = 0
