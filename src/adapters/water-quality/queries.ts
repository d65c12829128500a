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
  readonly derive?: boolean | undefined
  /** Zone codes that the table does not know, or knows as doubtful: hours from UTC, such as `{ SST: -11 }`. */
  readonly zones?: Readonly<Record<string, number>> | undefined
}

/** What a table of the Portal is selected by. Different filters are joined by "and". */
export interface PortalFilters extends SpanInput, RowChoices {
  /** With the prefix of the agency: `USGS-05406500`. */
  readonly siteId?: OneOrMany | undefined
  /** `US:17`; two digits alone mean the United States. */
  readonly stateCode?: OneOrMany | undefined
  /** `US:17:031`. */
  readonly countyCode?: OneOrMany | undefined
  /** `US`. */
  readonly countryCode?: OneOrMany | undefined
  /** 2, 4, 6, 8, 10 or 12 digits: whatever lies in the unit. */
  readonly huc?: OneOrMany | undefined
  /** West, south, east, north, degrees. */
  readonly bbox?: readonly [west: number, south: number, east: number, north: number] | undefined
  /** A place, and how many miles around it. */
  readonly near?: Circle | undefined
  readonly siteType?: OneOrMany | undefined
  readonly sampleMedia?: OneOrMany | undefined
  readonly characteristicName?: OneOrMany | undefined
  readonly characteristicType?: OneOrMany | undefined
  readonly organization?: OneOrMany | undefined
  readonly project?: OneOrMany | undefined
  readonly providers?: OneOrMany | undefined
  readonly assemblage?: OneOrMany | undefined
  readonly subjectTaxonomicName?: OneOrMany | undefined
  /** Five digits, as text. Only rows of the Survey have one. */
  readonly parameterCode?: OneOrMany | undefined
  /** Address of a method. */
  readonly analyticalMethod?: OneOrMany | undefined
  /** Sites with at least so many. */
  readonly minActivities?: number | undefined
  readonly minResults?: number | undefined
  /** Address of a navigation, from which the Portal fetches sites. */
  readonly nldiUrl?: string | undefined
  /** @defaultValue `'wqx3'` where it has the table and the profile */
  readonly interface?: PortalInterface | undefined
}

/** What a getter that may become many requests may say besides. */
export interface Cutting {
  /**
   * Rows that a request is planned to bring, by the service's own counts.
   *
   * @defaultValue 50,000, and 20,000 for streams, of which several pieces are held at a time
   */
  readonly pieceRows?: number | undefined
  /**
   * Whether the service is asked first how many rows there are, so that the query can be cut.
   *
   * @defaultValue true where there is a span and the query is not about a hundred sites or fewer
   */
  readonly count?: boolean | undefined
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
    | undefined
  /**
   * What is done with rows that say the same and come from several providers.
   *
   * @defaultValue `'keep'`: all are kept, and counted in a warning
   */
  readonly repeats?: 'keep' | 'merge' | undefined
}

/** Query of `getActivities`. */
export interface ActivitiesQuery extends PortalFilters, Cutting {
  /** Of the older interface only. */
  readonly profile?: 'activity' | 'activityAll' | undefined
}

/** Query of `getSites`; a span selects sites that have data in it. */
export type SitesQuery = PortalFilters

/** Query of the tables that only the older interface has. */
export interface LegacyQuery extends PortalFilters {
  readonly interface?: 'legacy' | undefined
}

/** The same where a span selects rows. */
export interface LegacySpanQuery extends LegacyQuery, Cutting {}

/** Query of `getSummary`. */
export interface SummaryQuery extends LegacyQuery {
  /** How many years back. @defaultValue 'all' */
  readonly years?: 1 | 5 | 'all' | undefined
}

/** What Samples is selected by, in the service's own words. */
export interface SamplesQuery extends SpanInput, RowChoices {
  /** @defaultValue 'results' */
  readonly resource?: 'results' | 'locations' | 'activities' | 'projects' | 'organizations' | undefined
  /** @defaultValue the first of the resource: `fullphyschem`, `site`, `sampact`, `project`, `organization` */
  readonly profile?: string | undefined
  /** With the prefix of the agency: `USGS-05406500`. */
  readonly monitoringLocationIdentifier?: OneOrMany | undefined
  readonly countryFips?: OneOrMany | undefined
  /** `US:15`; two digits alone mean the United States. */
  readonly stateFips?: OneOrMany | undefined
  readonly countyFips?: OneOrMany | undefined
  readonly hydrologicUnit?: OneOrMany | undefined
  readonly bbox?: readonly [west: number, south: number, east: number, north: number] | undefined
  readonly near?: Circle | undefined
  readonly activityMediaName?: OneOrMany | undefined
  readonly activityTypeCode?: OneOrMany | undefined
  readonly siteTypeCode?: OneOrMany | undefined
  readonly siteTypeName?: OneOrMany | undefined
  readonly characteristicGroup?: OneOrMany | undefined
  readonly characteristic?: OneOrMany | undefined
  readonly characteristicUserSupplied?: OneOrMany | undefined
  readonly usgsPCode?: OneOrMany | undefined
  readonly projectIdentifier?: OneOrMany | undefined
  readonly organizationIdentifier?: OneOrMany | undefined
  readonly recordIdentifierUserSupplied?: OneOrMany | undefined
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
  readonly from?: 'portal' | 'samples' | undefined
  /** Only codes that hold this text. */
  readonly text?: string | undefined
  /** Of the Portal's counties: those of these states, `US:01`. */
  readonly stateCode?: OneOrMany | undefined
  /** Of the Portal's states: those of this country, `US`. */
  readonly countryCode?: string | undefined
  /** Of Samples' characteristics: those of this group. */
  readonly group?: string | undefined
}
