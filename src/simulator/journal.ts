import { fingerprint, maskHeaders, maskSearch } from './fingerprint.ts'
import type { Ending, SimulatorRequest, SimulatorStats } from './record.ts'
import type { Ask, Asker } from './service.ts'

/** A request in the making. */
export type Entry = { -readonly [K in keyof SimulatorRequest]: SimulatorRequest[K] }

export interface Arrival {
  readonly ask: Ask
  readonly asker: Asker
  readonly at: number
  readonly connection: number
  readonly isAccount: boolean
  readonly isLogin: boolean
  readonly spanMs: number | undefined
}

/** The record of everything asked. */
export interface Journal {
  readonly entries: readonly SimulatorRequest[]
  arrive(arrival: Arrival): Entry
  /** Closes the entry; later calls for the same one change nothing. */
  end(entry: Entry, at: number, ending: Ending, abortedByClient: boolean): void
  /** Notes that the client was asked to stay away until this time. */
  pauseUntil(at: number): void
  stats(): SimulatorStats
  reset(): void
}

/** An empty journal. */
export function createJournal(): Journal {
  let entries: Entry[] = []
  let logins = 0
  let open = 0
  let peakOpen = 0
  let repeats = 0
  let pausedUntil = -Infinity
  const asked = new Set<string>()

  return {
    get entries() {
      return entries
    },
    arrive(arrival) {
      const entry = entryOf(arrival, entries.length + 1, arrival.at < pausedUntil)
      entries.push(entry)
      open += 1
      peakOpen = Math.max(peakOpen, open)
      if (arrival.isLogin) logins += 1
      const question = `${entry.path}${entry.search}|${entry.body ?? ''}`
      if (!arrival.isAccount && asked.has(question)) repeats += 1
      asked.add(question)
      return entry
    },
    end(entry, at, ending, abortedByClient) {
      if (entry.endedAt !== undefined) return
      entry.endedAt = at
      entry.status ??= ending
      if (abortedByClient) entry.abortedByClient = true
      if (entries[entry.n - 1] === entry) open -= 1
    },
    pauseUntil(at) {
      pausedUntil = Math.max(pausedUntil, at)
    },
    stats: () => ({
      requests: entries.length,
      dataRequests: entries.filter(entry => !entry.isAccount).length,
      logins,
      peakPerSecond: peakWithin(entries, 1000),
      peakOpen,
      statuses: countStatuses(entries),
      duringPause: entries.filter(entry => entry.duringPause).length,
      repeats,
      timesHung: entries.filter(entry => entry.status === 'hung').length,
    }),
    reset() {
      // A new list: requests still open end in the old one, and somebody may be holding that.
      entries = []
      logins = open = peakOpen = repeats = 0
      pausedUntil = -Infinity
      asked.clear()
    },
  }
}

/** Most arrivals in any half-open window of this length. */
export function peakWithin(entries: readonly SimulatorRequest[], windowMs: number): number {
  let first = 0
  let peak = 0
  entries.forEach((entry, index) => {
    while (entry.at - (entries[first]?.at ?? entry.at) >= windowMs) first += 1
    peak = Math.max(peak, index - first + 1)
  })
  return peak
}

function entryOf(arrival: Arrival, n: number, duringPause: boolean): Entry {
  const { ask, asker, at, connection, isAccount, spanMs } = arrival
  const search = maskSearch(ask.search)
  const token = /^Bearer +(.+)$/i.exec(ask.headers['authorization'] ?? '')?.[1]
  return Object.assign(new RecordedRequest(asker.user), {
    n,
    at,
    connection,
    isAccount,
    duringPause,
    method: ask.method,
    path: ask.path,
    search,
    query: Object.fromEntries(search === ask.search ? ask.query : new URLSearchParams(search)),
    headers: maskHeaders(ask.headers),
    ...(asker.tokenNumber === undefined ? {} : { tokenNumber: asker.tokenNumber }),
    ...(token === undefined ? {} : { token: fingerprint(token) }),
    ...(asker.key === undefined ? {} : { key: fingerprint(asker.key) }),
    // What accounts send holds passwords.
    ...(ask.body === '' || isAccount ? {} : { body: ask.body }),
    ...(spanMs === undefined ? {} : { spanMs }),
  })
}

/** Tells the user to those who ask, and keeps the name out of everything that is printed. */
class RecordedRequest {
  readonly #user: string | undefined

  constructor(user: string | undefined) {
    this.#user = user
  }

  get user(): string | undefined {
    return this.#user
  }
}

function countStatuses(entries: readonly SimulatorRequest[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of entries) {
    if (status !== undefined) counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}
