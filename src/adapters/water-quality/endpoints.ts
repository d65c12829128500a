/** The tables of the Portal, and where each of its interfaces has them. */

/** The Portal's two interfaces. Their identifiers do not match: rows of both never stand in one result. */
export type PortalInterface = 'wqx3' | 'legacy'

/** Where one interface has a table. */
export interface Place {
  readonly path: string
  /** What `dataProfile` may be; none where the table has one form only. */
  readonly profiles: readonly string[]
  /** The profile that is asked for unless the caller says otherwise. */
  readonly profile?: string
}

/** One table of the Portal. */
export interface Endpoint {
  /** What the headers of counts call its rows; nothing where they count something else. */
  readonly kind: string
  readonly legacy: Place
  readonly wqx3?: Place
  /**
   * `axis`: a span selects rows by their date, so it can be cut. `filter`: it selects what has data in it, so it is sent
   * whole. `none`: it means nothing.
   */
  readonly days: 'axis' | 'filter' | 'none'
  /** Whether a result has one row, known by its identifier. */
  readonly isResult?: true
}

const table = (path: string): Place => ({ path, profiles: [] })

/** Names of the getters of the Portal. */
export type PortalOperation =
  | 'getResults'
  | 'getSites'
  | 'getActivities'
  | 'getActivityMetrics'
  | 'getHabitatMetrics'
  | 'getDetectionLimits'
  | 'getOrganizations'
  | 'getProjects'
  | 'getProjectWeights'
  | 'getSummary'

export const ENDPOINTS: Readonly<Record<PortalOperation, Endpoint>> = {
  getResults: {
    kind: 'Result',
    days: 'axis',
    isResult: true,
    wqx3: {
      path: '/wqx3/Result/search',
      profiles: ['fullPhysChem', 'narrow', 'basicPhysChem'],
      // A third of the columns, and all that most people look at: a quarter of a million rows fit in memory.
      profile: 'narrow',
    },
    legacy: {
      path: '/data/Result/search',
      profiles: ['pcresult', 'narrowResult', 'resultPhysChem', 'biological', 'resultPrimary', 'resultBroad'],
      // With identifiers of results and with their limits: no other profile has both.
      profile: 'resultPhysChem',
    },
  },
  getSites: {
    kind: 'Site',
    days: 'filter',
    wqx3: table('/wqx3/Station/search'),
    legacy: table('/data/Station/search'),
  },
  getActivities: {
    kind: 'Activity',
    days: 'axis',
    wqx3: table('/wqx3/Activity/search'),
    legacy: { path: '/data/Activity/search', profiles: ['activity', 'activityAll'] },
  },
  getActivityMetrics: { kind: 'ActivityMetric', days: 'axis', legacy: table('/data/ActivityMetric/search') },
  getHabitatMetrics: { kind: 'BiologicalMetric', days: 'filter', legacy: table('/data/BiologicalMetric/search') },
  getDetectionLimits: {
    kind: 'ResultDetectionQuantitationLimit',
    days: 'axis',
    legacy: table('/data/ResultDetectionQuantitationLimit/search'),
  },
  getOrganizations: { kind: 'Organization', days: 'none', legacy: table('/data/Organization/search') },
  getProjects: { kind: 'Project', days: 'none', legacy: table('/data/Project/search') },
  getProjectWeights: {
    kind: 'ProjectMonitoringLocationWeighting',
    days: 'none',
    legacy: table('/data/ProjectMonitoringLocationWeighting/search'),
  },
  getSummary: {
    kind: '',
    days: 'none',
    legacy: {
      path: '/data/summary/monitoringLocation/search',
      profiles: ['periodOfRecord'],
      profile: 'periodOfRecord',
    },
  },
}

/** A table with one of its interfaces and profiles settled. */
export interface Chosen {
  readonly endpoint: Endpoint
  readonly interface: PortalInterface
  readonly place: Place
  readonly profile: string | undefined
}

/** What a query says about the way it wants to be asked. */
export interface Wish {
  readonly interface?: PortalInterface | undefined
  readonly profile?: string | undefined
}

/**
 * Settles interface and profile: the newer interface where it has the table and the profile, unless the caller wants
 * the older one. `undefined` for the interface where nobody has the profile.
 */
export function choose(operation: PortalOperation, wish: Wish): Chosen | undefined {
  const endpoint: Endpoint = ENDPOINTS[operation]
  const wanted = wish.interface === undefined ? (['wqx3', 'legacy'] as const) : [wish.interface]
  for (const name of wanted) {
    const place = endpoint[name]
    if (place && (wish.profile === undefined || place.profiles.includes(wish.profile)))
      return { endpoint, interface: name, place, profile: wish.profile ?? place.profile }
  }
  return undefined
}
