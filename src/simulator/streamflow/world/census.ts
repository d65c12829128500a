import { seriesOf, type Series } from './series.ts'
import { createSite, siteId, type Site } from './sites.ts'

/** All sites and what they measure. Each is worked out when somebody asks for it: most are never asked for. */
export interface Census {
  /** In the order of their places. */
  readonly sites: readonly Site[]
  find(id: string): Site | undefined
  seriesOf(site: Site): readonly Series[]
}

/** @param more - identifiers of sites that follow no rule; they come after those that do */
export function createCensus(count: number, more: readonly string[]): Census {
  const known = new Map<string, Site>()
  const series = new Map<Site, readonly Series[]>()
  let sites: readonly Site[] | undefined

  const site = (id: string, n: number): Site => {
    const found = known.get(id) ?? createSite(id, n)
    known.set(id, found)
    return found
  }
  const find = (id: string): Site | undefined => {
    const n = /^USGS-\d{8}$/.test(id) ? Number(id.slice(5)) - 1_000_000 : -1
    if (n >= 0 && n < count) return site(id, n)
    const place = more.indexOf(id)
    return place < 0 ? undefined : site(id, place)
  }

  return {
    get sites() {
      const ids = [...Array.from({ length: count }, (_, n) => siteId(n)), ...more]
      return (sites ??= ids.map(id => find(id) as Site))
    },
    find,
    seriesOf(of) {
      const found = series.get(of) ?? seriesOf(of)
      series.set(of, found)
      return found
    },
  }
}
