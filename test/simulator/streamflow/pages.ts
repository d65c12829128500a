import type { Simulator } from '../../../src/simulator/index.ts'
import { ask, type AskOptions, type Reply } from '../ask.ts'

export interface Link {
  readonly rel: string
  readonly href: string
}

export interface Feature {
  readonly type: string
  readonly id: string | number
  readonly geometry?: { readonly type: string; readonly coordinates: number[] } | null
  readonly properties: Readonly<Record<string, unknown>>
}

export interface PageBody {
  readonly type: string
  readonly features: Feature[]
  readonly numberReturned?: number
  readonly numberMatched?: number
  readonly links: Link[]
  readonly timeStamp: string
}

/** Most tests ask more often than somebody without a key may. */
export const NO_QUOTAS = {
  quotas: { withKey: null, withoutKey: null, statistics: null, navigations: null, lookups: null },
} as const

/** Path of items, with its query. */
export function itemsPath(collection: string, query: Record<string, string | number> = {}, version = 'v1'): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const text = new URLSearchParams(pairs).toString()
  return `/ogcapi/${version}/collections/${collection}/items${text === '' ? '' : `?${text}`}`
}

export async function page(url: string, options: AskOptions = {}): Promise<PageBody> {
  return bodyOf(await ask(url, { patienceMs: 10_000, ...options }))
}

export function bodyOf(reply: Reply): PageBody {
  return JSON.parse(reply.text) as PageBody
}

export function nextOf({ links }: PageBody): string | undefined {
  return links.find(({ rel }) => rel === 'next')?.href
}

/** All pages, one after the other, as their links say. */
export async function walk(url: string, options: AskOptions = {}, most = 1000): Promise<PageBody[]> {
  const pages: PageBody[] = []
  for (let next: string | undefined = url; next !== undefined && pages.length < most;) {
    const found: PageBody = await page(next, options)
    pages.push(found)
    next = nextOf(found)
  }
  return pages
}

export async function features(
  simulator: Simulator,
  collection: string,
  query: Record<string, string | number> = {},
): Promise<Feature[]> {
  const pages = await walk(simulator.url + itemsPath(collection, { limit: 50_000, ...query }))
  return pages.flatMap(found => found.features)
}

export function post(body: unknown): AskOptions {
  return { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/query-cql-json' } }
}

/** Observations as truth tells them: in its order, without what only a page has. */
export function observations(found: readonly Feature[]): Record<string, unknown>[] {
  const rows = found.map(({ properties }) => {
    const { unit_of_measure: _, last_modified: __, ...row } = properties
    return row
  })
  const key = (row: Record<string, unknown>): string =>
    ['monitoring_location_id', 'parameter_code', 'statistic_id', 'time_series_id', 'time']
      .map(name => row[name])
      .join('|')
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}
