import { jsonAnswer, type Answer, type Ask } from '../../service.ts'
import type { Fields, Json } from '../json.ts'
import { invalid } from '../refusals.ts'
import { readInstant } from '../times.ts'
import type { Census } from '../world/census.ts'
import type { Series } from '../world/series.ts'
import { siteFields } from '../world/site-fields.ts'
import type { Site } from '../world/sites.ts'
import { STATISTICS } from '../world/parameters.ts'
import { dateText } from '../world/values.ts'
import type { World } from '../world/world.ts'
import { approvedValues, byInterval, byTimeOfYear, COMPUTATIONS, summarise } from './summaries.ts'

const DAY_MS = 86_400_000
/** First day of a year that has all 366. */
const LEAP_YEAR = Date.UTC(2024, 0, 1) / DAY_MS
const SHARED = [
  'monitoring_location_id',
  'parameter_code',
  'parent_time_series_id',
  'site_type_code',
  'site_type_name',
  'computation_type',
  'country_code',
  'state_code',
  'county_code',
  'start_date',
  'end_date',
  'approval_status',
  'page_size',
  'next_token',
  'api_key',
]

const PATHS: Readonly<Record<string, readonly [own: string, summaries: (ask: Ask) => Summaries]>> = {
  observationNormals: ['normal_type', readNormals],
  observationIntervals: ['interval_type', readIntervals],
}

/** What is said of one series. */
type Summaries = (series: Series, computations: readonly string[]) => readonly Fields[]

/** `GET /statistics/v0/observationNormals` and `/observationIntervals`: so many sites a page, all of a site together. */
export function statistics(ask: Ask, world: World): Answer | undefined {
  const [own, read] = PATHS[/^\/statistics\/v0\/(\w+)$/.exec(ask.path)?.[1] ?? ''] ?? []
  if (own === undefined || read === undefined || ask.method !== 'GET') return undefined
  const { query } = ask
  const stray = [...query.keys()].find(name => name !== own && !SHARED.includes(name))
  if (stray !== undefined) throw invalid(`unknown query parameter: ${stray}`)
  const summaries = read(ask)
  const computations = manyOf(query, 'computation_type') ?? COMPUTATIONS
  const wrong = computations.find(name => !COMPUTATIONS.includes(name))
  if (wrong !== undefined) throw invalid(`computation_type '${wrong}' is not known`)

  const groups = groupBySite(seriesAskedFor(world.census, query))
  const size = Number(query.get('page_size') ?? 1000)
  if (!(size >= 1)) throw invalid('page_size should be positive')
  const first = readToken(query.get('next_token'))
  const page = groups.slice(first, first + size)
  const features = page.map(([site, list]) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [...site.coordinates] },
    properties: describe(site, list, series => summaries(series, computations)),
  }))
  const next = first + size < groups.length ? writeToken(first + size) : null
  return jsonAnswer(200, { type: 'FeatureCollection', features, next } satisfies Json)
}

function manyOf(query: URLSearchParams, name: string): readonly string[] | undefined {
  return query.has(name) ? query.getAll(name) : undefined
}

/** Series of the sites that were named, or of all. */
function seriesAskedFor(census: Census, query: URLSearchParams): readonly Series[] {
  const named = manyOf(query, 'monitoring_location_id')?.flatMap(id => census.find(id) ?? [])
  return (named ?? census.sites).flatMap(census.seriesOf).filter(series => isWanted(series, query))
}

function isWanted({ id, site, kind, statistic, parameter }: Series, query: URLSearchParams): boolean {
  if (kind !== 'daily' || statistic !== '00003') return false
  const fields = siteFields(site)
  const is = (name: string, value: Json | undefined): boolean =>
    manyOf(query, name)?.includes(String(value ?? '')) ?? true
  return (
    is('monitoring_location_id', site.id) &&
    is('parameter_code', parameter.code) &&
    is('parent_time_series_id', id) &&
    is('site_type_code', site.typeCode) &&
    is('site_type_name', fields['site_type']) &&
    is('country_code', 'US') &&
    is('state_code', `US:${site.state.fips}`) &&
    is('county_code', `US:${site.state.fips}:${site.county[0]}`)
  )
}

function groupBySite(all: readonly Series[]): readonly (readonly [Site, readonly Series[]])[] {
  const groups = new Map<Site, Series[]>()
  for (const series of all) groups.set(series.site, [...(groups.get(series.site) ?? []), series])
  return [...groups]
}

function describe(site: Site, list: readonly Series[], valuesOf: (series: Series) => readonly Fields[]): Fields {
  const fields = siteFields(site)
  return {
    monitoring_location_id: site.id,
    monitoring_location_name: fields['monitoring_location_name'] ?? null,
    site_type: fields['site_type'] ?? null,
    site_type_code: site.typeCode,
    country_code: 'US',
    state_code: site.state.fips,
    county_code: site.county[0],
    data: list.map(series => ({
      parameter_code: series.parameter.code,
      unit_of_measure: series.parameter.unit,
      parent_time_series_id: series.id,
      parent_statistic_id: series.statistic,
      parent_statistic_name: STATISTICS.find(([code]) => code === series.statistic)?.[1] ?? null,
      values: valuesOf(series),
    })),
  }
}

function readNormals({ query }: Ask): Summaries {
  const first = monthDay(query.get('start_date'), '01-01')
  const last = monthDay(query.get('end_date'), '12-31')
  const type = query.get('normal_type')
  if (type !== null && !['DOY', 'MOY'].includes(type)) throw invalid(`normal_type '${type}' is not known`)
  const lengths = (['day_of_year', 'month_of_year'] as const).filter(
    length => type === null || (type === 'DOY') === (length === 'day_of_year'),
  )
  const months = new Set(
    Array.from({ length: 366 }, (_, day) => dateText(LEAP_YEAR + day).slice(5))
      .filter(day => isBetween(day, first, last))
      .map(day => day.slice(0, 2)),
  )
  return (series, computations) => {
    const values = approvedValues(series, [-Infinity, Infinity], months)
    return lengths.flatMap(length =>
      [...byTimeOfYear(values, length)]
        // A month counts when its first day lies in the range.
        .filter(([key]) => isBetween(length === 'day_of_year' ? key : `${key}-01`, first, last))
        .flatMap(([key, group]) =>
          summarise(
            group,
            computations,
            { time_of_year: key, time_of_year_type: length },
            `${series.id}|${length}|${key}`,
          ),
        ),
    )
  }
}

function monthDay(text: string | null, fallback: string): string {
  if (text !== null && !/^\d\d-\d\d$/.test(text)) throw invalid(`'${text}' should be MM-DD`)
  return text ?? fallback
}

function isBetween(key: string, first: string, last: string): boolean {
  return first <= last ? key >= first && key <= last : key >= first || key <= last
}

const LENGTHS: Readonly<Record<string, 'month' | 'calendar_year' | 'water_year'>> = {
  M: 'month',
  CY: 'calendar_year',
  WY: 'water_year',
}

function readIntervals({ query }: Ask): Summaries {
  const from = dayOf(query.get('start_date'), -Infinity)
  const to = dayOf(query.get('end_date'), Infinity)
  const lengths = (manyOf(query, 'interval_type') ?? Object.keys(LENGTHS)).map(code => {
    const length = LENGTHS[code]
    if (length === undefined) throw invalid(`interval_type '${code}' is not known`)
    return length
  })
  return (series, computations) => {
    // A water year that touches the range may reach a year beyond it.
    const values = approvedValues(series, [from - 366, to + 366])
    return lengths.flatMap(length =>
      [...byInterval(values, length)].flatMap(([start, group]) => {
        const end = lastDay(start, length)
        // Whatever touches the range is told whole.
        if (dayOf(end, 0) < from || dayOf(start, 0) > to) return []
        const about = { start_date: start, end_date: end, interval_type: length }
        return summarise(group, computations, about, `${series.id}|${length}|${start}`)
      }),
    )
  }
}

function dayOf(text: string | null, fallback: number): number {
  if (text === null) return fallback
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? readInstant(text) : undefined
  if (at === undefined) throw invalid(`'${text}' should be YYYY-MM-DD`)
  return at / DAY_MS
}

function lastDay(start: string, length: 'month' | 'calendar_year' | 'water_year'): string {
  const [year = 0, month = 0] = start.split('-').map(Number)
  const next = length === 'month' ? Date.UTC(year, month, 1) : Date.UTC(year + 1, month - 1, 1)
  return new Date(next - DAY_MS).toISOString().slice(0, 10)
}

function writeToken(place: number): string {
  return Buffer.from(`site:${place}`).toString('base64url')
}

function readToken(token: string | null): number {
  if (token === null) return 0
  const [, place] = /^site:(\d+)$/.exec(Buffer.from(token, 'base64url').toString('utf8')) ?? []
  if (place === undefined) throw invalid('next_token is not valid')
  return Number(place)
}
