import type { Clock } from '../../../clock.ts'
import type { Organization } from './organizations.ts'
import { createSites, feedsOf, type Feed, type Site } from './sites.ts'

/** Everything there is to be served. The same in every simulation, but for how far it has come by now. */
export interface World {
  readonly sites: readonly Site[]
  /** In the order of `sorted=yes`. */
  readonly feeds: readonly Feed[]
  readonly organizations: readonly Organization[]
  /** The last day that can have data, counted from 1970-01-01. */
  today(): number
}

const DAY_MS = 86_400_000

export function createWorld(clock: Clock): World {
  return {
    get sites() {
      return catalogue().sites
    },
    get feeds() {
      return catalogue().feeds
    },
    get organizations() {
      return catalogue().organizations
    },
    today: () => Math.floor(clock.now() / DAY_MS),
  }
}

type Catalogue = Omit<World, 'today'>

let known: Catalogue | undefined

/** Made when it is asked for first: most simulations are about something else. */
function catalogue(): Catalogue {
  if (known === undefined) {
    const sites = createSites()
    known = { sites, feeds: feedsOf(sites), organizations: [...new Set(sites.map(({ organization }) => organization))] }
  }
  return known
}
