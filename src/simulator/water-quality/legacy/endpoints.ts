import { BIOLOGICAL, NARROW_RESULT, PC_RESULT, RESULT_PHYS_CHEM } from '../columns/legacy-results.ts'
import { ACTIVITY, ACTIVITY_ALL, STATION } from '../columns/legacy-tables.ts'
import { RESULT_BROAD, RESULT_PRIMARY } from '../columns/legacy-wide-results.ts'
import { activityTable, resultTable, stationTable } from '../tables/main-tables.ts'
import { detectionLimits } from '../tables/limits.ts'
import { organizations, projects, projectWeights } from '../tables/members.ts'
import { activityMetrics, biologicalMetrics } from '../tables/metrics.ts'
import { periodOfRecord } from '../tables/period-of-record.ts'
import type { Table } from '../tables/table.ts'
import type { Format } from '../wire/media.ts'
import { OLDER_CELLS } from '../wire/older-cells.ts'

/** A kind of answer. */
export interface Profile {
  /** Name of the file, without what stands after the point. */
  readonly stem: string
  readonly formats: readonly Format[]
  /** @param firstYear - for summaries: nothing before counts */
  table(firstYear: number): Table
}

/** A path of the older interface. */
export interface Endpoint {
  /** As it is published; capitals do not matter. */
  readonly path: string
  /** By `dataProfile`; the first is the one without. */
  readonly profiles: Readonly<Record<string, Profile>>
  /** What the headers count, the rows themselves last. */
  readonly counts: readonly string[]
  /** Always in order. */
  readonly isSorted?: boolean
}

const TABULAR: readonly Format[] = ['csv', 'tsv', 'xlsx', 'xml']

const fixed = (stem: string, table: Table, formats = TABULAR): Profile => ({ stem, formats, table: () => table })
const results = (stem: string, columns: readonly string[]): Profile => fixed(stem, resultTable(columns, OLDER_CELLS))

export const ENDPOINTS: readonly Endpoint[] = [
  {
    path: '/data/Station/search',
    profiles: { station: fixed('station', stationTable(STATION, OLDER_CELLS), [...TABULAR, 'kml', 'kmz', 'geojson']) },
    counts: ['Site'],
    isSorted: true,
  },
  {
    path: '/data/Result/search',
    profiles: {
      pcresult: results('result', PC_RESULT),
      biological: results('biologicalresult', BIOLOGICAL),
      narrowResult: results('narrowresult', NARROW_RESULT),
      resultPhysChem: results('resultphyschem', RESULT_PHYS_CHEM),
      resultPrimary: results('resultprimary', RESULT_PRIMARY),
      resultBroad: results('resultbroad', RESULT_BROAD),
    },
    counts: ['Site', 'Activity', 'Result'],
  },
  {
    path: '/data/Activity/search',
    profiles: {
      activity: fixed('activity', activityTable(ACTIVITY, OLDER_CELLS)),
      activityAll: fixed('activityall', activityTable(ACTIVITY_ALL, OLDER_CELLS)),
    },
    counts: ['Site', 'Activity'],
  },
  {
    path: '/data/ActivityMetric/search',
    profiles: { activityMetric: fixed('activitymetric', activityMetrics) },
    counts: ['Site', 'Activity', 'ActivityMetric'],
  },
  {
    path: '/data/BiologicalMetric/search',
    profiles: { biologicalMetric: fixed('biologicalmetric', biologicalMetrics) },
    counts: ['Site', 'BiologicalMetric'],
  },
  {
    path: '/data/Organization/search',
    profiles: { organization: fixed('organization', organizations) },
    counts: ['Organization'],
  },
  { path: '/data/Project/search', profiles: { project: fixed('project', projects) }, counts: ['Project'] },
  {
    path: '/data/ProjectMonitoringLocationWeighting/search',
    profiles: { projectMonitoringLocationWeighting: fixed('projectmonitoringlocationweighting', projectWeights) },
    counts: ['ProjectMonitoringLocationWeighting'],
  },
  {
    path: '/data/ResultDetectionQuantitationLimit/search',
    profiles: { resDetectQntLmt: fixed('resdetectqntlmt', detectionLimits) },
    counts: ['Site', 'Activity', 'Result', 'ResultDetectionQuantitationLimit'],
  },
  {
    path: '/data/summary/monitoringLocation/search',
    profiles: {
      summaryMonitoringLocation: {
        stem: 'summarymonitoringlocation',
        formats: ['geojson', 'csv'],
        table: periodOfRecord,
      },
      periodOfRecord: { stem: 'periodofrecord', formats: ['csv', 'geojson'], table: periodOfRecord },
    },
    counts: ['Site'],
    isSorted: true,
  },
  {
    path: '/data/summary/organization/search',
    profiles: { summaryOrganization: { stem: 'summaryorganization', formats: ['json'], table: () => organizations } },
    counts: ['Organization'],
    isSorted: true,
  },
]

/** Every name that `dataProfile` may have, for whichever path. */
export const PROFILE_NAMES: readonly string[] = ENDPOINTS.flatMap(({ profiles }) => Object.keys(profiles))

/** The path asked for, whatever its capitals, and whether only counts are wanted. */
export function findEndpoint(path: string): { readonly endpoint: Endpoint; readonly countsOnly: boolean } | undefined {
  const lower = path.toLowerCase().replace(/\/$/, '')
  const countsOnly = lower.endsWith('/search/count')
  const name = countsOnly ? lower.slice(0, -'/count'.length) : lower
  const endpoint = ENDPOINTS.find(({ path: own }) => own.toLowerCase() === name)
  return endpoint && { endpoint, countsOnly }
}
