import { answer, type Script, type Visit } from './scripted-server.ts'

/** One page of features, with a link to what follows. */
export function page(list: readonly unknown[], next?: string): object {
  const links = next === undefined ? [] : [{ rel: 'next', href: next }]
  return {
    type: 'FeatureCollection',
    features: list,
    numberReturned: list.length,
    links: [{ rel: 'self', href: '/' }, ...links],
  }
}

/** Features `p1-1`, `p1-2`, ... of one page. */
export function features(number: number, count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `p${number}-${at + 1}`,
    properties: { value: String(number * 100 + at) },
  }))
}

/** Which page a request asks for, from 1. */
export function pageNumber({ arrival }: Visit): number {
  return Number(arrival.query.get('page') ?? 1)
}

/** A service of so many pages with ten rows each, the n-th at `?page=n`. */
export function servePages(count: number): Script {
  return visit => {
    const number = pageNumber(visit)
    const next = number < count ? `${visit.arrival.path}?f=json&page=${number + 1}` : undefined
    answer(visit, { body: page(features(number, 10), next) })
  }
}
