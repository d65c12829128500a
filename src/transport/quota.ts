/** What a service says is left of an allowance, and when it said so. */
export interface QuotaReading {
  readonly remaining: number
  readonly limit: number | undefined
  /** Monotonic instant of the reading. */
  readonly at: number
}

/** Whether a request that can wait may go out under a quota. */
export type QuotaAnswer = 'go' | 'hold' | 'spent'

/** Reads the quota headers of a response; names in lower case. */
export function readQuota(headers: Readonly<Record<string, string>>, now: number): QuotaReading | undefined {
  const remaining = whole(headers['x-ratelimit-remaining'])
  return remaining === undefined ? undefined : { remaining, limit: whole(headers['x-ratelimit-limit']), at: now }
}

/**
 * The reading that counts of two. Of requests that were under way at the same time nobody knows which the service
 * counted last, and answers overtake each other: the lower one holds, until a request that left after it says more.
 *
 * @param startedAt - when the request of the later reading left, monotonic
 */
export function latestReading(known: QuotaReading | undefined, next: QuotaReading, startedAt: number): QuotaReading {
  return known === undefined || startedAt > known.at || next.remaining < known.remaining ? next : known
}

/**
 * Decides for one request. Those in flight are counted as spent: the reading is older than they are.
 *
 * @param reserve - how much is kept for requests that cannot wait
 * @param inFlight - requests that the reading does not know yet
 * @param windowMs - after this time a reading says nothing any more
 */
export function underQuota(
  reading: QuotaReading | undefined,
  reserve: number,
  inFlight: number,
  now: number,
  windowMs: number,
): QuotaAnswer {
  if (reading === undefined || now - reading.at >= windowMs) return 'go'
  if (reading.remaining - inFlight > reserve) return 'go'
  return inFlight > 0 ? 'hold' : 'spent'
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined
}
