/** What holds for a collection of the service unless its entry says otherwise. */
export const OGC = {
  family: 'waterdata',
  prefixes: [],
  kinds: {},
  places: true,
  // The most that the service takes: every page costs a request of an hourly quota.
  pageSize: 50_000,
} as const

/** Hydrologic unit codes are nested: a short one stands for all that begin with it. */
export const HUC = ['hydrologic_unit_code'] as const
