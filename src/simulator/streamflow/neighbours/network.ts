import { mix, unit } from '../../hash.ts'
import type { Site } from '../world/sites.ts'

/**
 * A made-up river network: rivers of 40 reaches of one kilometre, numbered downstream. Reach n carries the n-th site. Two rivers
 * in three end in the middle of the one before them.
 */

const FIRST_COMID = 13_290_000
const REACHES = 40
const MOUTH = 20

/** A piece of river between two points, with the site on it. */
export interface Reach {
  readonly n: number
  readonly comid: string
  readonly lengthKm: number
  /** Upper end first. */
  readonly line: readonly (readonly [number, number])[]
  readonly site: Site
}

export type Mode = 'UM' | 'UT' | 'DM' | 'DD'

export interface Network {
  readonly count: number
  ofSite(id: string): Reach | undefined
  ofComid(comid: string): Reach | undefined
  nearest(longitude: number, latitude: number): Reach | undefined
  /** The reach itself, and those that lie within the distance along the river. */
  navigate(from: Reach, mode: Mode, distanceKm: number, stop?: string): readonly Reach[]
}

export function createNetwork(sites: readonly Site[]): Network {
  const bySite = new Map(sites.map(({ id }, n) => [id, n]))
  const reach = (n: number): Reach | undefined => {
    const site = sites[n]
    if (site === undefined) return undefined
    const [x, y] = site.coordinates
    const lengthKm = Number((0.5 + unit(mix(site.hash, 81))).toFixed(3))
    const line = [-0.004, 0, 0.004].map(
      (step, place) => [round(x + step), round(y - step * (place === 1 ? 0.5 : 1))] as const,
    )
    return { n, comid: String(FIRST_COMID + n), lengthKm, line, site }
  }
  const upstream = (n: number, mode: Mode): readonly number[] => {
    const river = Math.floor(n / REACHES)
    const main = n % REACHES === 0 ? [] : [n - 1]
    const joins = n % REACHES === MOUTH && (river + 1) % 3 !== 0 ? [(river + 2) * REACHES - 1] : []
    return mode === 'UM' ? main : [...main, ...joins]
  }
  const downstream = (n: number): readonly number[] => {
    const river = Math.floor(n / REACHES)
    if (n % REACHES < REACHES - 1) return [n + 1]
    return river > 0 && river % 3 !== 0 ? [(river - 1) * REACHES + MOUTH] : []
  }

  return {
    count: sites.length,
    ofSite: id => reach(bySite.get(id) ?? -1),
    ofComid: comid => reach(/^\d+$/.test(comid) ? Number(comid) - FIRST_COMID : -1),
    nearest(longitude, latitude) {
      let best: number | undefined
      let least = 1
      sites.forEach(({ coordinates: [x, y] }, n) => {
        const distance = Math.hypot(x - longitude, y - latitude)
        if (distance < least) [best, least] = [n, distance]
      })
      return reach(best ?? -1)
    },
    navigate(from, mode, distanceKm, stop) {
      const found: Reach[] = []
      const queue: (readonly [n: number, km: number])[] = [[from.n, 0]]
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [n, km] = next
        const here = reach(n)
        if (here === undefined || km > distanceKm) continue
        found.push(here)
        if (here.comid === stop) continue
        const onward = mode.startsWith('U') ? upstream(n, mode) : downstream(n)
        queue.push(...onward.map(other => [other, km + here.lengthKm] as const))
      }
      return found
    },
  }
}

function round(value: number): number {
  return Number(value.toFixed(9))
}
