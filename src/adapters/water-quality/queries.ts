import type { SpanInput } from '../../time.ts'
import type { PORTAL_LISTS, SAMPLES_LISTS } from './codes-question.ts'
import type { PortalInterface } from './endpoints.ts'
import type { Circle } from './parameters.ts'

/** One value or several; rows match any of them. */
export type OneOrMany = string | readonly string[]

/** Lists of codes of the Portal. */
export type PortalList = (typeof PORTAL_LISTS)[number]
/** Lists of codes of Samples. */
export type SamplesList = (typeof SAMPLES_LISTS)[number]

/** How rows are made, whatever is asked for. */
export interface RowChoices {
  /** Columns that are made of the service's own: instants, `value`, `censored` and so on. @defaultValue true */
  readonly derive?: boolean
  /** Zone codes that the table does not know, or knows as doubtful: hours from UTC, such as `{ SST: -11 }`. */
  readonly zones?: Readonly<Record<string, number>>
}

/** What a table of the Portal is selected by. Different filters are joined by "and". */
export interface PortalFilters extends SpanInput, RowChoices {
  /** With the prefix of the agency: `USGS-05406500`. */
  readonly siteId?: OneOrMany
  /** `US:17`; two digits alone mean the United States. */
  readonly stateCode?: OneOrMany
  /** `US:17:031`. */
  readonly countyCode?: OneOrMany
  /** `US`. */
  readonly countryCode?: OneOrMany
  /** 2, 4, 6, 8, 10 or 12 digits: whatever lies in the unit. */
  readonly huc?: OneOrMany
  /** West, south, east, north, degrees. */
  readonly bbox?: readonly [west: number, south: number, east: number, north: number]
  /** A place, and how many miles around it. */
  readonly near?: Circle
  readonly siteType?: OneOrMany
  readonly sampleMedia?: OneOrMany
  readonly characteristicName?: OneOrMany
  readonly characteristicType?: OneOrMany
  readonly organization?: OneOrMany
  readonly project?: OneOrMany
  readonly providers?: OneOrMany
  readonly assemblage?: OneOrMany
  readonly subjectTaxonomicName?: OneOrMany
  /** Five digits, as text. Only rows of the Survey have one. */
  readonly parameterCode?: OneOrMany
  /** Address of a method. */
  readonly analyticalMethod?: OneOrMany
  /** Sites with at least so many. */
  readonly minActivities?: number
  readonly minResults?: number
  /** Address of a navigation, from which the Portal fetches sites. */
  readonly nldiUrl?: string
  /** @defaultValue `'wqx3'` where it has the table and the profile */
  readonly interface?: PortalInterface
}

/** What a getter that may become many requests may say besides. */
export interface Cutting {
  /**
   * Rows that a request is planned to bring, by the service's own counts.
   *
   * @defaultValue 50,000, and 20,000 for streams, of which several pieces are held at a time
   */
  readonly pieceRows?: number
  /**
   * Whether the service is asked first how many rows there are, so that the query can be cut.
   *
   * @defaultValue true where there is a span and the query is not about a hundred sites or fewer
   */
  readonly count?: boolean
}

/** Query of `getResults`. */
export interface ResultsQuery extends PortalFilters, Cutting {
  /** @defaultValue `narrow` of the newer interface, `resultPhysChem` of the older one */
  readonly profile?:
    | 'narrow'
    | 'fullPhysChem'
    | 'basicPhysChem'
    | 'pcresult'
    | 'narrowResult'
    | 'resultPhysChem'
    | 'biological'
    | 'resultPrimary'
    | 'resultBroad'
  /**
   * What is done with rows that say the same and come from several providers.
   *
   * @defaultValue `'keep'`: all are kept, and counted in a warning
   */
  readonly repeats?: 'keep' | 'merge'
}

/** Query of `getActivities`. */
export interface ActivitiesQuery extends PortalFilters, Cutting {
  /** Of the older interface only. */
  readonly profile?: 'activity' | 'activityAll'
}

/** Query of `getSites`; a span selects sites that have data in it. */
export type SitesQuery = PortalFilters

/** Query of the tables that only the older interface has. */
export interface LegacyQuery extends PortalFilters {
  readonly interface?: 'legacy'
}

/** The same where a span selects rows. */
export interface LegacySpanQuery extends LegacyQuery, Cutting {}

/** Query of `getSummary`. */
export interface SummaryQuery extends LegacyQuery {
  /** How many years back. @defaultValue 'all' */
  readonly years?: 1 | 5 | 'all'
}

/** What Samples is selected by, in the service's own words. */
export interface SamplesQuery extends SpanInput, RowChoices {
  /** @defaultValue 'results' */
  readonly resource?: 'results' | 'locations' | 'activities' | 'projects' | 'organizations'
  /** @defaultValue the first of the resource: `fullphyschem`, `site`, `sampact`, `project`, `organization` */
  readonly profile?: string
  /** With the prefix of the agency: `USGS-05406500`. */
  readonly monitoringLocationIdentifier?: OneOrMany
  readonly countryFips?: OneOrMany
  /** `US:15`; two digits alone mean the United States. */
  readonly stateFips?: OneOrMany
  readonly countyFips?: OneOrMany
  readonly hydrologicUnit?: OneOrMany
  readonly bbox?: readonly [west: number, south: number, east: number, north: number]
  readonly near?: Circle
  readonly activityMediaName?: OneOrMany
  readonly activityTypeCode?: OneOrMany
  readonly siteTypeCode?: OneOrMany
  readonly siteTypeName?: OneOrMany
  readonly characteristicGroup?: OneOrMany
  readonly characteristic?: OneOrMany
  readonly characteristicUserSupplied?: OneOrMany
  readonly usgsPCode?: OneOrMany
  readonly projectIdentifier?: OneOrMany
  readonly organizationIdentifier?: OneOrMany
  readonly recordIdentifierUserSupplied?: OneOrMany
}

/** Query of `getSamplesSummary`. */
export interface SamplesSummaryQuery {
  /** One request each. */
  readonly monitoringLocationIdentifier: OneOrMany
}

/** Query of `getCodes`. */
export interface CodesQuery {
  /** Name of the list, such as `characteristicname` of the Portal, or `characteristics` of Samples. */
  readonly list: PortalList | SamplesList
  /** Whose list. @defaultValue 'portal' */
  readonly from?: 'portal' | 'samples'
  /** Only codes that hold this text. */
  readonly text?: string
  /** Of the Portal's counties: those of these states, `US:01`. */
  readonly stateCode?: OneOrMany
  /** Of the Portal's states: those of this country, `US`. */
  readonly countryCode?: string
  /** Of Samples' characteristics: those of this group. */
  readonly group?: string
}
