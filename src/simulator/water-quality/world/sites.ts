import { hashText, mix, unit } from '../../hash.ts'
import {
  agencyOf,
  OLD_STYLE,
  RESEARCH_SERVICE,
  SPECIMENS,
  surveyOf,
  volunteersOf,
  type Organization,
  type Provider,
} from './organizations.ts'
import { dayOf } from './calendar.ts'
import { PLACES, type Place } from './places.ts'
import { SPECIMEN_SITES } from './specimens.ts'

/** A place where water is looked at. */
export interface Site {
  /** From 1, in the order of the world. Less than 65536. */
  readonly n: number
  readonly id: string
  readonly name: string
  readonly organization: Organization
  readonly place: Place
  readonly county: readonly [fips: string, name: string]
  readonly huc8: string
  readonly kind: SiteKind
  readonly latitude: number
  readonly longitude: number
  /** Sampled every so many days between two days, both included. */
  readonly everyDays: number
  readonly firstDay: number
  readonly lastDay: number
  /** Days on which a survey takes a sample every day, both included. */
  readonly dense: readonly [first: number, last: number] | undefined
  /** How many samples have no date. */
  readonly undated: number
  readonly hash: number
}

export type SiteKind = 'Stream' | 'Lake, Reservoir, Impoundment' | 'Well' | 'Spring'

export const SITE_KINDS: readonly SiteKind[] = ['Stream', 'Lake, Reservoir, Impoundment', 'Well', 'Spring']

/** A site as one provider delivers it. Some sites are delivered by two, row for row the same. */
export interface Feed {
  readonly site: Site
  readonly provider: Provider
}

/** The state whose 300 sites were sampled every day of 2023: 1.2 million results. */
export const DENSE_STATE = '19'

const DENSE_YEAR = [day('2023-01-01'), day('2023-12-31')] as const
const OPEN_END = day('2199-12-31')
const EVERY = [28, 28, 14, 91] as const

/** All sites, as a rule. The same in every simulation. */
export function createSites(): readonly Site[] {
  const sites: Site[] = []
  const add = (place: Place, organization: Organization, count: number): void => {
    for (let k = 1; k <= count; k++) sites.push(createSite(sites.length + 1, k, place, organization))
  }
  for (const place of PLACES) {
    add(place, surveyOf(place), 150)
    add(place, agencyOf(place), 130)
    add(place, volunteersOf(place), 20)
    if (place.fips === DENSE_STATE) {
      add(place, OLD_STYLE, 3)
      add(place, RESEARCH_SERVICE, 12)
    }
  }
  const [home] = PLACES
  if (home) SPECIMEN_SITES.forEach(({ name }) => sites.push(createSpecimen(sites.length + 1, name, home)))
  return sites
}

/** Sites by provider. Every 25th site of an agency is delivered a second time, by the Survey's system. */
export function feedsOf(sites: readonly Site[]): readonly Feed[] {
  const own = sites.map(site => ({ site, provider: site.organization.provider }))
  const second = sites
    .filter(({ n, organization }) => organization.id.endsWith('DNR_WQX') && n % 25 === 0)
    .map(site => ({ site, provider: 'NWIS' as const }))
  return [...own, ...second].sort(byName)
}

/** Provider, organization, site: the order of `sorted=yes`. */
function byName(a: Feed, b: Feed): number {
  return (
    compare(a.provider, b.provider) ||
    compare(a.site.organization.id, b.site.organization.id) ||
    compare(a.site.id, b.site.id)
  )
}

/** By code units, as a database without a language does it. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function createSite(n: number, k: number, place: Place, organization: Organization): Site {
  const hash = hashText(`${organization.id}|${place.fips}|${k}`)
  const share = (word: number): number => unit(mix(hash, word))
  const [west, south, east, north] = place.box
  const latitude = round(south + share(1) * (north - south))
  const longitude = round(west + share(2) * (east - west))
  const kind = pick(SITE_KINDS, k % 10 < 6 ? 0 : k % 10 < 8 ? 1 : k % 10 === 8 ? 2 : 3)
  const isDense = place.fips === DENSE_STATE && (organization.provider === 'NWIS' || /DNR|VOL/.test(organization.id))
  const firstDay = day('1990-01-01') + Math.floor(share(3) * 9000)
  return {
    n,
    id: identifierOf({ k, place, organization, kind, latitude, longitude }),
    name: nameOf(organization, place, kind, k),
    organization,
    place,
    county: pick(place.counties, mix(hash, 4) % place.counties.length),
    huc8: pick(place.hucs, mix(hash, 5) % place.hucs.length),
    kind,
    latitude,
    longitude,
    everyDays: pick(EVERY, mix(hash, 6) % EVERY.length),
    firstDay,
    lastDay: !isDense && k % 15 === 0 ? firstDay + 2000 : OPEN_END,
    dense: isDense ? DENSE_YEAR : undefined,
    undated: k % 12 === 5 ? 2 : 0,
    hash,
  }
}

function createSpecimen(n: number, name: string, place: Place): Site {
  return {
    n,
    id: `${SPECIMENS.id}-${name}`,
    name: `Specimen: ${name.toLowerCase()}`,
    organization: SPECIMENS,
    place,
    county: pick(place.counties, 0),
    huc8: pick(place.hucs, 0),
    kind: 'Stream',
    latitude: 43.1,
    longitude: -89.4,
    everyDays: 1,
    firstDay: OPEN_END,
    lastDay: 0,
    dense: undefined,
    undated: 0,
    hash: hashText(name),
  }
}

function identifierOf(
  about: Pick<Site, 'place' | 'organization' | 'kind' | 'latitude' | 'longitude'> & { k: number },
): string {
  const { k, place, organization, kind } = about
  if (organization.provider !== 'NWIS')
    return `${organization.id}-${organization.provider === 'STEWARDS' ? 'IAWC' : ''}${10_000 + k}`
  const station = `0${place.fips}${String(10_000 + k * 7)}`
  if (kind !== 'Well') return `USGS-${station}`
  return `USGS-${degrees(about.latitude)}0${degrees(Math.abs(about.longitude))}${String(k).padStart(3, '0')}`.slice(
    0,
    21,
  )
}

/** Degrees, minutes and seconds without signs between them. */
function degrees(value: number): string {
  const seconds = Math.floor(value * 3600)
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map(part => String(Math.floor(part)).padStart(2, '0'))
    .join('')
}

function nameOf({ provider }: Organization, { postal }: Place, kind: SiteKind, k: number): string {
  if (provider === 'NWIS') return kind === 'Well' ? `${postal}-${k}/14E/17-0135` : `ROCK RIVER AT MILE ${k}, ${postal}`
  if (k % 10 === 3) return `Bridge ${k}, "old mill" side`
  return kind === 'Stream' ? `Mill Creek ${k}` : `North basin ${k}`
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

function pick<Item>(list: readonly Item[], index: number): Item {
  const item = list[index]
  if (item === undefined) throw new RangeError(`nothing at ${index}`)
  return item
}

function day(date: string): number {
  const found = dayOf(date)
  if (found === undefined) throw new RangeError(`no such date: '${date}'`)
  return found
}
