import type { AnyRow, Column } from '../../retrieval/index.ts'

/** One published value. */
export interface HistoricalRow extends AnyRow {
  /** Start of the interval for which the value holds. */
  readonly point_time: Date
  /** In the unit of the column; `null` where the service reports none. Never 0 for missing. */
  readonly value: number | null
  /** When the value was last revised; only with `updatedSince`. */
  readonly last_updated?: Date | null
  /** Whether the value was imputed; only with `includeImputedMarker`. */
  readonly imputed_data_used?: boolean | null
}

/** One value of one forecast. */
export interface ForecastRow extends AnyRow {
  /** When the forecast was made. Rows of one run share this object: copy it before you change it. */
  readonly generated_at: Date
  /** Start of the interval that the value is about. */
  readonly point_time: Date
  /** In the unit of the column; `null` where the service reports none. */
  readonly value: number | null
}

/** The share of one fuel at one instant. Fuels that the service leaves out have no row. */
export interface FuelMixRow extends AnyRow {
  readonly point_time: Date
  readonly fuel_type: string
  /** Share of the margin, 0 to 1. */
  readonly value: number | null
}

/** The grid region of a place. */
export interface RegionRow extends AnyRow {
  readonly region: string
  readonly region_full_name: string | null
  readonly signal_type: string | null
}

/** One model of one endpoint that the account may use. Dates are text, `null` where the service states none. */
export interface AccessRow extends AnyRow {
  readonly signal_type: string
  readonly region: string
  readonly region_full_name: string | null
  readonly parent: string | null
  readonly data_point_period_seconds: number | null
  readonly endpoint: string
  readonly model: string | null
  readonly type: string | null
  readonly data_start: string | null
  readonly data_end: string | null
  readonly train_start: string | null
  readonly train_end: string | null
}

/** One hour of a typical year. */
export interface TypicalYearRow extends AnyRow {
  /** Start of the hour. */
  readonly point_time: Date
  /** Mean of history in the same month, at the same hour, on the same kind of day; `null` before the first that has one. */
  readonly value: number | null
  /** 1 to 12, by the clocks of the zone. */
  readonly month: number
  /** 0 to 23, by the clocks of the zone. */
  readonly hour: number
  /** Monday to Friday, and no public holiday. */
  readonly is_weekday: boolean
  /** Values behind the mean. 0: there is none, and `value` repeats the hour in front. */
  readonly samples: number
}

/** The outline of a grid region. */
export interface MapRow extends AnyRow {
  readonly region: string
  readonly region_full_name: string | null
  /** GeoJSON geometry. */
  readonly geometry: unknown
}

const text = (name: string): Column => ({ name, kind: 'text' })

/** Columns by operation, in the order in which they are shown and written. */
export const COLUMNS: Readonly<
  Record<'historical' | 'forecast' | 'fuelMix' | 'region' | 'access' | 'maps', readonly Column[]>
> = {
  historical: [
    { name: 'point_time', kind: 'instant' },
    { name: 'value', kind: 'number' },
  ],
  forecast: [
    { name: 'generated_at', kind: 'instant' },
    { name: 'point_time', kind: 'instant' },
    { name: 'value', kind: 'number' },
  ],
  fuelMix: [{ name: 'point_time', kind: 'instant' }, text('fuel_type'), { name: 'value', kind: 'number' }],
  region: ['region', 'region_full_name', 'signal_type'].map(text),
  access: [
    ...['signal_type', 'region', 'region_full_name', 'parent'].map(text),
    { name: 'data_point_period_seconds', kind: 'number' },
    ...['endpoint', 'model', 'type', 'data_start', 'data_end', 'train_start', 'train_end'].map(text),
  ],
  maps: [text('region'), text('region_full_name'), { name: 'geometry', kind: 'json' }],
}
