import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { sleep, systemClock, type Clock } from '../../src/clock.ts'
import { deliver } from '../../src/simulator/delivery.ts'
import type { DeliveryAction } from '../../src/simulator/index.ts'
import { retryAfter } from './delivery-faults.ts'
import { PAGE_STEP_MS, type PageAction, type PageFault } from './paged-schedule.ts'

/** A page that was asked for. */
export interface PageAsk {
  readonly series: string
  readonly start: number
  readonly end: number
  readonly limit: number
  /** Rows of the span in front of this page. */
  readonly offset: number
  /** Version that was named. */
  readonly version: string | undefined
  readonly origin: string
  readonly search: string
  /** Absent while the request is open. */
  ended?: 'whole' | 'broken'
  /** Absent where nothing was answered. */
  status?: number
  /** Whether the answer was mistreated on its way, however it ended. */
  spoilt?: true
}

/** One row as the service sends it. */
export interface SentRow {
  readonly id: string
  readonly series: string
  readonly time: string
  readonly value: number
}

/** A service whose rows come in pages: one a minute and series, its value a pure function of both, and of the version. */
export interface PagedServer {
  readonly url: string
  readonly asks: readonly PageAsk[]
  lift(): void
  close(): Promise<void>
}

export const NEWEST = 'v2'
const OLDER = 'v1'
const DELIVERIES: readonly string[] = ['hang', 'silent', 'drip', 'reset', 'cut'] satisfies DeliveryAction['type'][]

/** A value that no two samples share. */
export function valueOf(series: string, time: number, version: string): number {
  return (time / PAGE_STEP_MS) * 10 + Number(series.slice(1)) + (version === NEWEST ? 0 : 0.5)
}

export async function openPagedServer(clock: Clock, given: readonly PageFault[]): Promise<PagedServer> {
  const asks: PageAsk[] = []
  const sockets = new Set<Socket>()
  const counts = given.map(() => ({ matched: 0, struck: 0 }))
  let faults = given

  const strike = (ask: PageAsk): PageAction[] =>
    faults.flatMap((fault, place) => {
      const count = counts[place]
      const page = Math.floor(ask.offset / ask.limit) + 1
      if (
        count === undefined ||
        (fault.series ?? page) !== (fault.series === undefined ? page : Number(ask.series.slice(1)))
      )
        return []
      if ((fault.page ?? page) !== page) return []
      count.matched += 1
      if (fault.nth && !fault.nth.includes(count.matched)) return []
      if (count.struck >= (fault.upTo ?? Number.POSITIVE_INFINITY)) return []
      count.struck += 1
      return [fault.do]
    })

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const ask = askOf(`http://${request.headers.host}${request.url}`)
    asks.push(ask)
    const gone = new AbortController()
    response.on('close', () => {
      ask.ended = response.writableFinished ? 'whole' : 'broken'
      gone.abort()
    })
    const actions = strike(ask)
    const wait = (ms: number): Promise<void> => sleep(clock, ms, gone.signal)
    const delay = actions.find(action => action.type === 'latency')
    const how = actions.find((action): action is DeliveryAction => DELIVERIES.includes(action.type))
    try {
      if (delay) await wait(delay.ms)
      if (how?.type === 'hang') return
      const parcel = parcelFor(ask, actions)
      ask.status = parcel.status
      await deliver(response, parcel, { how, wait, breaking: () => (ask.spoilt = true) })
    } catch (thrown) {
      if (!gone.signal.aborted) throw thrown
    }
  }

  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    answer(request, response).catch((thrown: unknown) => response.destroy(thrown as Error))
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asks,
    lift() {
      faults = []
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** What is sent, before it is mistreated on the way. */
function parcelFor(ask: PageAsk, actions: readonly PageAction[]): Parameters<typeof deliver>[1] {
  for (const action of actions) {
    if (action.type === 'html')
      return {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<!doctype html><html><title>Maintenance</title></html>'),
      }
    if (action.type === 'status') {
      const headers = action.wait === undefined ? {} : { 'retry-after': retryAfter(action.wait, systemClock.now()) }
      return {
        status: action.status,
        headers: { 'content-type': 'application/json', ...headers },
        body: Buffer.from('{"error":"no"}'),
      }
    }
  }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(pageFor(ask, actions))),
  }
}

function pageFor(
  ask: PageAsk,
  actions: readonly PageAction[],
): { readonly rows: readonly SentRow[]; readonly version: string; readonly next?: string } {
  const { offset, limit, start, end, search } = ask
  const has = (type: PageAction['type']): boolean => actions.some(action => action.type === type)
  const version = ask.version ?? (has('older') ? OLDER : NEWEST)
  const empty = has('empty') && !search.includes('again')
  const overlap = actions.find(action => action.type === 'overlap')?.rows ?? 0
  const beyond = actions.find(action => action.type === 'beyond')?.rows ?? 0
  const first = Math.ceil(start / PAGE_STEP_MS)
  const total = Math.max(0, Math.floor(end / PAGE_STEP_MS) - first + 1)
  const from = Math.max(0, offset - overlap)
  const to = empty ? from : Math.min(total, offset + limit)
  const places = Array.from({ length: Math.max(0, to - from) }, (_, place) => first + from + place)
  const outside = Array.from({ length: beyond }, (_, place) => Math.floor(end / PAGE_STEP_MS) + 1 + place)
  const rows = [...places, ...outside].map(place => rowAt(ask.series, place * PAGE_STEP_MS, version))
  const more = empty || to < total
  const next = has('foreign')
    ? 'http://elsewhere.invalid/items?offset=0'
    : linkOf(ask, empty ? offset : offset + limit, actions, more)
  return { rows: has('reversed') ? rows.toReversed() : rows, version, ...(next === undefined ? {} : { next }) }
}

function linkOf(
  { search, origin }: PageAsk,
  following: number,
  actions: readonly PageAction[],
  more: boolean,
): string | undefined {
  const loop = actions.find(action => action.type === 'loop')
  if (loop?.to === 'self') return `/items${search}`
  if (!more && loop === undefined && !actions.some(action => action.type === 'endless')) return undefined
  const query = new URLSearchParams(search)
  const again = Number(query.get('offset') ?? 0) === following
  query.set('offset', String(loop === undefined ? following : 0))
  if (loop) query.delete('offset')
  if (again) query.set('again', '1')
  else query.delete('again')
  const link = `?${query.toString()}`
  return query.get('links') === 'relative' ? link : `${origin}/items${link}`
}

function rowAt(series: string, time: number, version: string): SentRow {
  return { id: `${series}@${time}`, series, time: new Date(time).toISOString(), value: valueOf(series, time, version) }
}

/** What an address asks for. */
export function askOf(address: string): PageAsk {
  const { origin, search, searchParams: query } = new URL(address)
  const instant = (name: string): number => Date.parse(query.get(name) ?? '')
  return {
    series: query.get('series') ?? '',
    start: instant('start'),
    end: instant('end'),
    limit: Number(query.get('limit')),
    offset: Number(query.get('offset') ?? 0),
    version: query.get('version') ?? undefined,
    origin,
    search,
  }
}
