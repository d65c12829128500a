/** Changes what a good answer says. Carried out by the service, which knows its own rows. */
export type ContentAction = RowsAction | ModelAction | MetaAction | ReviseAction

/** Rows that are out of order, too many or too few. For forecasts by generation time, a row is a whole run. */
export interface RowsAction {
  readonly type: 'rows'
  /** Newest first. */
  readonly order?: 'reversed'
  /** So many rows appear twice, spread over the answer. */
  readonly duplicate?: number
  /** So many rows before the start, and as many after the end. */
  readonly beyond?: number
  /** Rows to leave out: places counted from 0 (negative: from the end), or spans with both ends included. */
  readonly drop?: readonly (number | { readonly from: string | number; readonly to: string | number })[]
  /** Adds the service's own warning about missing data. */
  readonly warn?: boolean
  /** One value becomes a bare `NaN`, which is no JSON. */
  readonly nan?: boolean
}

/**
 * The default model is another one: its date, or `null` for none stated. A known date brings that model's own rows.
 * A request that names its model gets what it asks for, unless `evenWhenAsked`.
 */
export interface ModelAction {
  readonly type: 'model'
  readonly date: string | null
  readonly evenWhenAsked?: boolean
}

/** Fields of `meta` replaced by these, and others left out. */
export interface MetaAction {
  readonly type: 'meta'
  readonly patch?: Readonly<Record<string, unknown>>
  readonly without?: readonly string[]
}

/** Values from `from` to `to` (both included) were revised at `at` by adding `add`. Counts for the truth, too. */
export interface ReviseAction {
  readonly type: 'revise'
  readonly from: string | number
  readonly to: string | number
  readonly at: string
  readonly add: number
}
