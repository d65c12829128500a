import type { InstantInput } from '../../time.ts'

/** Which stretch of time is asked for, both ends included. */
export interface SpanQuery {
  /** First instant, included. Text without a zone is read in `zone`. */
  readonly start?: InstantInput | undefined
  /** Last instant, included. @defaultValue now */
  readonly end?: InstantInput | undefined
  /** In place of `start`: an ISO-8601 duration such as `'P7D'`. */
  readonly last?: string | undefined
  /** Zone of texts that state none. @defaultValue 'UTC' */
  readonly zone?: string | undefined
}

/** A grid region and one of its signals. */
export interface SignalQuery {
  /** Code of the grid region, such as `'CAISO_NORTH'`. */
  readonly region: string
  /** `'co2_moer'`, `'co2_aoer'`, `'health_damage'`, or whatever your plan includes. @defaultValue 'co2_moer' */
  readonly signalType?: string | undefined
  /** Date of the model version, such as `'2023-03-01'`. @defaultValue the service's; the first answer's is kept for the whole query */
  readonly model?: string | undefined
}

/** Published values of a signal. */
export interface HistoricalQuery extends SignalQuery, SpanQuery {
  /** Adds the column `imputed_data_used`. */
  readonly includeImputedMarker?: boolean | undefined
  /** Only rows revised at or after this instant; adds the column `last_updated`. */
  readonly updatedSince?: InstantInput | undefined
}

/** The newest forecast. */
export interface ForecastQuery extends SignalQuery {
  /** Hours ahead, 0 to 72. @defaultValue 24 */
  readonly horizonHours?: number | undefined
}

/** Forecasts as they were made; the span selects when they were made, not what they are about. */
export interface HistoricalForecastQuery extends ForecastQuery, SpanQuery {
  /** In place of a span: days, each from its first to its last run in `zone`. */
  readonly dates?: readonly InstantInput[] | undefined
}

/** Share of each fuel at the margin (beta). */
export interface FuelMixQuery extends Omit<SignalQuery, 'signalType'>, SpanQuery {
  /** @defaultValue 'marginal_fuel_mix' */
  readonly signalType?: string | undefined
}

/** How the present compares, 0 to 100. */
export type SignalIndexQuery = Omit<SignalQuery, 'model'>

/** A place. */
export interface RegionQuery {
  readonly latitude: number
  readonly longitude: number
  /** Regions differ by signal. @defaultValue 'co2_moer' */
  readonly signalType?: string | undefined
}

/** What the account may ask for. */
export interface AccessQuery {
  readonly region?: string | undefined
  readonly signalType?: string | undefined
}

/** Outlines of all regions of a signal. */
export interface MapsQuery {
  /** @defaultValue 'co2_moer' */
  readonly signalType?: string | undefined
}

/** A typical carbon year. */
export interface TypicalYearQuery extends SignalQuery {
  /** Zone whose clocks and calendar count, such as `'America/Los_Angeles'`. */
  readonly zone: string
  /** The year on whose calendar the averages are laid. */
  readonly year: number
  /** Where the three years of history end. @defaultValue now */
  readonly end?: InstantInput | undefined
  /** Whose public holidays count as weekend: a country, or a part of one, such as `'US-CA'`. @defaultValue 'US' */
  readonly holidays?: string | undefined
}

/** A new account. */
export interface RegisterQuery {
  readonly username: string
  /** At least 8 characters with a letter, a digit and a special character. */
  readonly password: string
  readonly email: string
  readonly org?: string | undefined
}

/** Whose password is forgotten. */
export interface PasswordResetQuery {
  /** @defaultValue the client's own user */
  readonly username?: string | undefined
}
