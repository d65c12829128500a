import type { InstantInput } from '../../time.ts'
import type { Collection, FiltersOf, OneOrMany } from './collection.ts'
import type { COLLECTIONS } from './collections.ts'
import type { Cql2 } from './cql.ts'
import type { GeometryChoice } from './read-row.ts'
import type { GROUNDWATER } from './tables/groundwater.ts'
import type { REFERENCES } from './tables/references.ts'

/** Which stretch of time is asked for, both ends included. */
export interface SpanQuery {
  /** First instant or day, included. Text without a zone is read in `zone`. */
  readonly start?: InstantInput | undefined
  /** Last instant or day, included. @defaultValue now */
  readonly end?: InstantInput | undefined
  /** In place of `start`: an ISO-8601 duration such as `'P7D'`. */
  readonly last?: string | undefined
  /** Zone of texts that state none, and of calendar dates. @defaultValue 'UTC' */
  readonly zone?: string | undefined
}

/** What every query of a collection may say, beside the collection's own filters. */
export interface ItemsOptions {
  /** Western, southern, eastern and northern border, EPSG:4326. */
  readonly bbox?: readonly number[] | undefined
  /** A condition in CQL2: text with quoted literals, or an object. */
  readonly filter?: string | Cql2 | undefined
  /** Columns that the service is to send. @defaultValue all */
  readonly properties?: readonly string[] | undefined
  /** How places are shown; `'none'` spares sending them. @defaultValue 'columns' */
  readonly geometry?: GeometryChoice | undefined
  /** Records of a page, 50,000 at most. Not a limit of the result: for that, see `maxRows`. @defaultValue the most */
  readonly pageSize?: number | undefined
  /** Asks the service first whether it knows the fields that are selected by. @defaultValue false */
  readonly checkQueryables?: boolean | undefined
}

/** A state by its name, postal code or FIPS code. */
export interface StateQuery {
  readonly state?: OneOrMany<string> | undefined
}

/** A query of a collection: its filters, and its time where it has one. */
export type ItemsQuery<C extends Collection> = FiltersOf<C> &
  ItemsOptions &
  (C extends { readonly time: object } ? SpanQuery : unknown) &
  (C extends { readonly state: object } ? StateQuery : unknown)

type Data = typeof COLLECTIONS
type Wells = typeof GROUNDWATER

export type DailyQuery = ItemsQuery<Data['daily']>
export interface ContinuousQuery extends ItemsQuery<Data['continuous']> {
  /** How often the series have a value, such as `'PT15M'`: with it the result says what is missing. */
  readonly cadence?: string | number | undefined
}
export type LatestDailyQuery = ItemsQuery<Data['latest-daily']>
export type LatestContinuousQuery = ItemsQuery<Data['latest-continuous']>
export type FieldMeasurementsQuery = ItemsQuery<Data['field-measurements']>
export type LatestFieldMeasurementsQuery = ItemsQuery<Data['latest-field-measurements']>
export type FieldMeasurementsMetadataQuery = ItemsQuery<Data['field-measurements-metadata']>
export type ChannelMeasurementsQuery = ItemsQuery<Data['channel-measurements']>
export type PeaksQuery = ItemsQuery<Data['peaks']>
export type MonitoringLocationsQuery = ItemsQuery<Data['monitoring-locations']>
export type TimeSeriesMetadataQuery = ItemsQuery<Data['time-series-metadata']>
export type CombinedMetadataQuery = ItemsQuery<Data['combined-metadata']>
export type GroundwaterSitesQuery = ItemsQuery<Wells['sites']>
export type WaterLevelsQuery = ItemsQuery<Wells['waterLevelObs']>
export type LithologyQuery = ItemsQuery<Wells['lithologyObs']>
export type WellConstructionQuery = ItemsQuery<Wells['constructionObs']>
export type GroundwaterProvidersQuery = ItemsQuery<Wells['providers']>

/** Name of a table of codes. */
export type ReferenceTable = keyof typeof REFERENCES
export type ReferenceQuery<Name extends ReferenceTable> = ItemsQuery<(typeof REFERENCES)[Name]>

/** A query of any collection. Filters of a collection that is not known here are taken as they are named. */
export interface CollectionQuery extends ItemsOptions, SpanQuery {
  readonly [filter: string]: unknown
}

/** Readings nearest to given instants. */
export interface NearestContinuousQuery extends Omit<
  ItemsQuery<Data['continuous']>,
  'start' | 'end' | 'last' | 'filter'
> {
  /** Instants in question. */
  readonly targets: OneOrMany<InstantInput>
  /** How far from a target a reading may be, to either side. @defaultValue 'PT7M30S' */
  readonly window?: string | number | undefined
  /** Which of two readings at the same distance: the earlier, the later, or their mean. @defaultValue 'first' */
  readonly ties?: 'first' | 'last' | 'mean' | undefined
}

/** Statistics of daily values. */
export interface StatisticsQuery {
  /** Of each day or month of the year over the whole record, or of each month and year. @defaultValue 'periodOfRecord' */
  readonly of?: 'periodOfRecord' | 'dateRange' | undefined
  readonly monitoringLocationId?: OneOrMany<string> | undefined
  readonly parameterCode?: OneOrMany<string> | undefined
  readonly parentTimeSeriesId?: OneOrMany<string> | undefined
  readonly siteTypeCode?: OneOrMany<string> | undefined
  readonly siteTypeName?: OneOrMany<string> | undefined
  readonly computationType?: OneOrMany<'arithmetic_mean' | 'maximum' | 'median' | 'minimum' | 'percentile'> | undefined
  /** Days or months of the year; only for the period of record. */
  readonly normalType?: 'DOY' | 'MOY' | undefined
  /** Months, calendar years, water years; only for a date range. */
  readonly intervalType?: OneOrMany<'M' | 'CY' | 'WY'> | undefined
  readonly countryCode?: OneOrMany<string> | undefined
  /** A name, postal code or FIPS code. */
  readonly state?: OneOrMany<string> | undefined
  /** Such as `'US:55:025'`. */
  readonly countyCode?: OneOrMany<string> | undefined
  readonly approvalStatus?: string | undefined
  /** First day: `'MM-DD'` for the period of record, `'YYYY-MM-DD'` for a date range. Included. */
  readonly start?: string | undefined
  /** Last day, in the same form. Included. */
  readonly end?: string | undefined
  /** Monitoring locations of a page. @defaultValue 1,000 */
  readonly pageSize?: number | undefined
}

/** Tables that turn a stage into a discharge. */
export interface RatingsQuery {
  readonly monitoringLocationId?: OneOrMany<string> | undefined
  /** With shifts, without, or corrections. @defaultValue 'exsa' */
  readonly fileType?: OneOrMany<'exsa' | 'base' | 'corr'> | undefined
  readonly bbox?: readonly number[] | undefined
  /** Only ratings that were published since. */
  readonly start?: InstantInput | undefined
  readonly end?: InstantInput | undefined
  readonly zone?: string | undefined
  /** `'listed'` says which files there are and reads none. @defaultValue 'parsed' */
  readonly files?: 'parsed' | 'listed' | undefined
  readonly pageSize?: number | undefined
}

/** Where a walk along the river network starts: a feature of a source, or a reach. */
export interface NavigationOrigin {
  /** Such as `'nwissite'` or `'WQP'`; see `getFeatureSources`. */
  readonly featureSource?: string | undefined
  /** With the agency's prefix: `'USGS-05428500'`. */
  readonly featureId?: string | undefined
  /** Number of a reach, in place of a feature. */
  readonly comid?: number | string | undefined
}

/** `UM`, `UT`: upstream along the main stem, or with tributaries; `DM`, `DD`: downstream, or with diversions. */
export type Navigation = 'UM' | 'UT' | 'DM' | 'DD'

export interface FlowlinesQuery extends NavigationOrigin {
  readonly navigation: Navigation
  /** @defaultValue 5 */
  readonly distanceKm?: number | undefined
  /** Cut the first reach at the feature. @defaultValue false */
  readonly trimStart?: boolean | undefined
  readonly stopComid?: number | string | undefined
}

export interface BasinQuery {
  readonly featureSource: string
  readonly featureId: string
  /** @defaultValue true */
  readonly simplified?: boolean | undefined
  /** @defaultValue false */
  readonly splitCatchment?: boolean | undefined
}

/** Features along the network, one feature, the reach at a place, or all features of a source. */
export interface FeaturesQuery extends NavigationOrigin {
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
  readonly navigation?: Navigation | undefined
  /** Which features to look for along the way. Alone: all that the source has, which takes long for a large one. */
  readonly dataSource?: string | undefined
  /** @defaultValue 50 */
  readonly distanceKm?: number | undefined
  readonly stopComid?: number | string | undefined
}

/** The land that drains to a place. */
export interface WatershedQuery {
  /** A name, postal code or FIPS code: the study area. */
  readonly state?: string | undefined
  /** Code of a regional study area, in place of a state. */
  readonly region?: string | undefined
  readonly longitude: number
  readonly latitude: number
  /** @defaultValue true */
  readonly includeParameters?: boolean | undefined
  /** @defaultValue false */
  readonly includeFlowTypes?: boolean | undefined
  /** @defaultValue true */
  readonly includeFeatures?: boolean | undefined
  /** @defaultValue true */
  readonly simplify?: boolean | undefined
}

/** Modelled water use. One of `state`, `county` and `huc` says where. */
export interface WaterUseQuery {
  /** Such as `'wu-public-supply-wd'`. */
  readonly model: string
  /** Such as `'pswdtot'`. */
  readonly variable: OneOrMany<string>
  readonly state?: OneOrMany<string> | undefined
  /** Five digits. */
  readonly county?: OneOrMany<string> | undefined
  /** 2 to 12 digits. */
  readonly huc?: OneOrMany<string> | undefined
  /** @defaultValue the service's */
  readonly resolution?: 'monthly' | 'annualcy' | 'annualwy' | undefined
  /** First month or year, included: `'2020-01'` or `'2020'`. */
  readonly start?: string | undefined
  readonly end?: string | undefined
  /** Whether areas on the border count. @defaultValue 'overlap' */
  readonly intersection?: 'overlap' | 'envelop' | undefined
  /** Areas of a page. @defaultValue 600 */
  readonly pageSize?: number | undefined
}

/** What a collection can be asked by. */
export interface QueryablesQuery {
  readonly collection: string
}
