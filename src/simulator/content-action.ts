import type { MishapAction } from './mishap-action.ts'

/** Changes what a good answer says. Carried out by the service, which knows its own rows. */
export type ContentAction =
  RowsAction | ModelAction | MetaAction | ReviseAction | WithdrawAction | CursorAction | ReissueAction | MishapAction

/**
 * Rows that are out of order, too many or too few. For forecasts by generation time, a row is a whole run; where answers come
 * in pages, it is a feature of this page.
 */
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

/** Fields of `meta` replaced by these, and others left out; where there is no `meta`, fields of the page around its features. */
export interface MetaAction {
  readonly type: 'meta'
  readonly patch?: Readonly<Record<string, unknown>>
  readonly without?: readonly string[]
}

/**
 * Values from `from` to `to` (both included) were revised at `at` by adding `add`. Counts for the truth, too. Water
 * quality is revised by whole days: those of its local dates, as if they were days of UTC.
 */
export interface ReviseAction {
  readonly type: 'revise'
  readonly from: string | number
  readonly to: string | number
  readonly at: string
  readonly add: number
}

/**
 * Values from `from` to `to` (both included) were taken away for good, in water quality by whole days. The truth knows
 * nothing of them any more, nor do the service's own counts: for rows that are lost on their way there is `drop`.
 */
export interface WithdrawAction {
  readonly type: 'withdraw'
  readonly from: string | number
  readonly to: string | number
}

/** The link to the next page is wrong. For services whose answers come in pages. */
export type CursorAction =
  /** It leads to this page again. */
  | { readonly type: 'cursor'; readonly how: 'repeat' }
  /** It leads back to the first page. */
  | { readonly type: 'cursor'; readonly how: 'loop' }
  /** The next page begins with so many rows of this one. */
  | { readonly type: 'cursor'; readonly how: 'overlap'; readonly rows: number }
  /** The next page leaves so many rows out. */
  | { readonly type: 'cursor'; readonly how: 'skip'; readonly rows: number }
  /** It leads to this origin. */
  | { readonly type: 'cursor'; readonly how: 'foreign'; readonly origin: string }
  /** It leads to another version of the API on the same host. */
  | { readonly type: 'cursor'; readonly how: 'version'; readonly version: string }
  /** It holds a user and a password. */
  | { readonly type: 'cursor'; readonly how: 'userinfo'; readonly userinfo: string }
  /** It is a relative reference. */
  | { readonly type: 'cursor'; readonly how: 'relative' }
  /** It leads nowhere: its address is empty. */
  | { readonly type: 'cursor'; readonly how: 'empty' }
  /** It is missing, although there is more. */
  | { readonly type: 'cursor'; readonly how: 'lost' }
  /** This page has no rows, and the next one those that this one should have had. */
  | { readonly type: 'cursor'; readonly how: 'empty-page' }

/**
 * Records were refreshed and got new identifiers, hence another order: on a walk under way, some rows come twice and some never.
 * Truth knows nothing of it: the rows are the same.
 */
export interface ReissueAction {
  readonly type: 'reissue'
  /** Which set of identifiers. 0 is what is served without this fault. */
  readonly generation: number
}
