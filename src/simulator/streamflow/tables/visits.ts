import { mix, unit } from '../../hash.ts'
import type { Timing, Track } from '../ogc/table.ts'
import { tail, uuid } from '../world/ids.ts'
import type { Series } from '../world/series.ts'
import type { Site } from '../world/sites.ts'

const DAY_MS = 86_400_000
const EVERY_MS = 45 * DAY_MS

/** Visits of people to a site, numbered by the stretch of 45 days in which each falls. */
export interface VisitTrack extends Track {
  readonly site: Site
  /** What the sensor shows is what they read, too. */
  readonly series: Series
  readonly seriesId: string
}

export const VISIT_TIMING: Timing = {
  field: 'time',
  indexFrom: ms => Math.floor(ms / EVERY_MS),
  indexTo: ms => Math.floor(ms / EVERY_MS),
  latest: now => Math.floor(now / EVERY_MS) - 1,
  isExact: false,
  salt: 0x5f17,
}

/** Instant of a visit, to the second. */
export function visitAt({ hash }: Site, index: number): number {
  return index * EVERY_MS + Math.floor(unit(mix(hash, index, 51)) * 40 * 86_400) * 1000
}

export function visitId({ id }: Site, index: number): string {
  return uuid(`${id}|visit|${index}`)
}

/** Number of the first visit ever. */
export const FIRST_VISIT = VISIT_TIMING.indexTo(Date.UTC(1976, 2, 5))

/** @param what - names the collection */
export function visitTrack(series: Series, what: string): VisitTrack {
  return {
    site: series.site,
    series,
    seriesId: fieldSeriesId(series),
    tail: tail(`${series.id}|${what}`),
    first: FIRST_VISIT,
    last: series.end === undefined ? Infinity : VISIT_TIMING.indexTo(series.end),
  }
}

export function fieldSeriesId({ site, parameter }: Series): string {
  return uuid(`${site.id}|${parameter.code}|field`)
}

/** Series whose sensor is checked by hand: stage, discharge and depth to water. */
export function isVisited({ kind, parameter }: Series): boolean {
  return kind === 'continuous' && ['00060', '00065', '72019'].includes(parameter.code)
}

/** What kind of reading it is. */
export function readingType({ parameter }: Series): string {
  return parameter.code === '00060' ? 'Discharge' : 'ReferencePrimary'
}
