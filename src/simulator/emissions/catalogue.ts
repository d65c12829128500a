import type { ModelVersion } from '../options.ts'

/** Something the service measures or estimates. */
export interface Signal {
  readonly name: string
  readonly periodMs: number
  readonly units: string
  /** What `meta.model.type` says of historical data. */
  readonly modelType: string
  /** Endpoints that serve it, spelt as in the list of what one may read. */
  readonly endpoints: readonly string[]
}

/** A grid region, with a box for its area: west, south, east, north. */
export interface Region {
  readonly code: string
  readonly name: string
  readonly parent: string
  readonly box: readonly [number, number, number, number]
  readonly inUnitedStates: boolean
}

const MINUTE_MS = 60_000
const SERIES = ['v3/historical', 'v3/forecast', 'v3/forecast/historical']

export const SIGNALS: readonly Signal[] = [
  {
    name: 'co2_moer',
    periodMs: 5 * MINUTE_MS,
    units: 'lbs_co2_per_mwh',
    modelType: 'binned_regression',
    endpoints: [...SERIES, 'v3/signal-index'],
  },
  {
    name: 'co2_aoer',
    periodMs: 60 * MINUTE_MS,
    units: 'lbs_co2_per_mwh',
    modelType: 'average',
    endpoints: ['v3/historical'],
  },
  {
    name: 'health_damage',
    periodMs: 5 * MINUTE_MS,
    units: 'usd_per_mwh',
    modelType: 'binned_regression',
    endpoints: SERIES,
  },
  {
    name: 'marginal_fuel_mix',
    periodMs: 5 * MINUTE_MS,
    units: 'proportion',
    modelType: 'binned_regression',
    endpoints: ['v3/fuel-mix'],
  },
]

/** The region every account may read. */
export const FREE_REGION = 'CAISO_NORTH'

export const REGIONS: readonly Region[] = [
  region('CAISO_NORTH', 'California ISO Northern', 'CAISO', [-124.4, 36.5, -119, 42]),
  region('CAISO_LONGBEACH', 'California ISO Long Beach', 'CAISO', [-118.6, 33.6, -117.9, 34.4]),
  region('CAISO_SANDIEGO', 'California ISO San Diego', 'CAISO', [-117.6, 32.5, -116.4, 33.5]),
  region('PSCO', 'Public Service Co of Colorado', 'PSCO', [-109.05, 37, -102.05, 41]),
  region('BPA', 'Bonneville Power Administration', 'BPA', [-124.5, 44, -117, 49]),
  region('ISONE_WCMA', 'ISONE Western/Central Massachusetts', 'ISONE', [-73.5, 42, -71.8, 42.75]),
  region('ISONE_CT', 'ISONE Connecticut', 'ISONE', [-73.7, 41, -71.8, 42]),
  region('PJM_NJ', 'PJM New Jersey', 'PJM', [-75.5, 39.5, -74.1, 40.7]),
  region('PJM_DC', 'PJM DC', 'PJM', [-77.5, 38.7, -76.8, 39.2]),
  region('PJM_CHICAGO', 'PJM Chicago', 'PJM', [-88.3, 41.5, -87.5, 42.4]),
  region('NYISO_NYC', 'NYISO New York City', 'NYISO', [-74.05, 40.5, -73.7, 40.95]),
  region('ERCOT_NORTHCENTRAL', 'ERCOT North Central', 'ERCOT', [-98.5, 31.5, -96, 33.5]),
  region('ERCOT_SANANTONIO', 'ERCOT San Antonio', 'ERCOT', [-99, 29, -98, 30]),
  region('MISO_DETROIT', 'MISO Detroit', 'MISO', [-84, 42, -82.5, 43]),
  region('MISO_INDIANAPOLIS', 'MISO Indianapolis', 'MISO', [-87, 39.2, -85.5, 40.5]),
  region('SPP_KC', 'SPP Kansas City', 'SPP', [-95.5, 38.5, -94, 39.6]),
  region('SPP_TX', 'SPP Texas', 'SPP', [-103, 33.6, -100, 36.5]),
  region('SOCO', 'Southern Company', 'SOCO', [-86, 31, -81.5, 34.9]),
  region('FR', 'France', 'FR', [-4.8, 43, 7.5, 49.4], false),
  region('DE', 'Germany', 'DE', [8, 47.5, 15, 54.9], false),
  region('UK', 'United Kingdom', 'UK', [-6, 50, 1.7, 58.7], false),
]

function region(code: string, name: string, parent: string, box: Region['box'], inUnitedStates = true): Region {
  return { code, name, parent, box, inUnitedStates }
}

/** Regions a signal is given for. The average rate has coarser ones, under codes of their own. */
export function regionsOf(signal: string): readonly Region[] {
  switch (signal) {
    case 'co2_aoer':
      return COARSE_REGIONS
    case 'health_damage':
      return REGIONS.filter(({ inUnitedStates }) => inUnitedStates)
    default:
      return REGIONS
  }
}

const COARSE_REGIONS: readonly Region[] = [...new Set(REGIONS.map(({ parent }) => parent))].flatMap(code => {
  const parts = REGIONS.filter(({ parent }) => parent === code)
  const [first] = parts
  if (first === undefined) return []
  const side = (index: number, pick: (...sides: number[]) => number): number =>
    pick(...parts.map(({ box }) => box[index] ?? 0))
  const box: Region['box'] = [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)]
  return [{ code, name: parts.length > 1 ? code : first.name, parent: code, box, inUnitedStates: first.inUnitedStates }]
})

/** The newest model version: what is served when none is named. */
export function newestOf(models: readonly ModelVersion[]): ModelVersion {
  const [newest] = [...models].sort((a, b) => (a.date < b.date ? 1 : -1))
  if (newest === undefined) throw new RangeError('there must be at least one model version')
  return newest
}
