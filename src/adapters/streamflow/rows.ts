import type { AnyRow } from '../../retrieval/index.ts'
import type { Collection, FieldsOf, PlaceColumns } from './collection.ts'
import type { COLLECTIONS } from './collections.ts'
import type { GROUNDWATER } from './tables/groundwater.ts'
import type { REFERENCES } from './tables/references.ts'

/**
 * A row of a collection: columns as the service names them. A measured value is a number, or `null` with the
 * service's text in a column `…_text` beside it where the text was no plain number.
 */
export type RowOf<C extends Collection> = FieldsOf<C> & (C['places'] extends true ? PlaceColumns : unknown) & AnyRow

type Data = typeof COLLECTIONS
type Wells = typeof GROUNDWATER

/** One value of a series for one day. `time` is the day, `YYYY-MM-DD`. */
export type DailyRow = RowOf<Data['daily']>
/** One value of a series at one instant. */
export type ContinuousRow = RowOf<Data['continuous']>
export type LatestDailyRow = RowOf<Data['latest-daily']>
export type LatestContinuousRow = RowOf<Data['latest-continuous']>
export type FieldMeasurementRow = RowOf<Data['field-measurements']>
export type LatestFieldMeasurementRow = RowOf<Data['latest-field-measurements']>
export type FieldSeriesRow = RowOf<Data['field-measurements-metadata']>
export type ChannelMeasurementRow = RowOf<Data['channel-measurements']>
export type PeakRow = RowOf<Data['peaks']>
export type MonitoringLocationRow = RowOf<Data['monitoring-locations']>
export type TimeSeriesRow = RowOf<Data['time-series-metadata']>
export type CombinedMetadataRow = RowOf<Data['combined-metadata']>
export type GroundwaterSiteRow = RowOf<Wells['sites']>
export type WaterLevelRow = RowOf<Wells['waterLevelObs']>
export type LithologyRow = RowOf<Wells['lithologyObs']>
export type WellConstructionRow = RowOf<Wells['constructionObs']>
export type GroundwaterProviderRow = RowOf<Wells['providers']>
export type ReferenceRow<Name extends keyof typeof REFERENCES> = RowOf<(typeof REFERENCES)[Name]>

/** A reading with the instant that it is nearest to. */
export type NearestContinuousRow = ContinuousRow & {
  readonly target_time: Date
  /** From the target to the reading, seconds; negative where the reading came before. */
  readonly offset_seconds: number
}

/** A field that a collection can be selected by. */
export interface QueryableRow extends AnyRow {
  readonly name: string
  readonly title: string | null
  readonly type: string | null
  readonly description: string | null
}
