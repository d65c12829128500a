import type { AnyRow } from '../../retrieval/index.ts'

/**
 * A row of a table. The service's own columns stand in it as they came: text, or `null` where nothing was sent.
 * Which there are depends on the interface and the profile.
 */
export type ServiceRow = AnyRow

/** A result. Beside the service's columns it has those that are made of them, unless the query says `derive: false`. */
export type ResultRow = ServiceRow & {
  /** The measured number; `null` where the text is none, and of censored results. Never 0 or a limit in its place. */
  readonly value?: number | null
  /** On which side of `limit` the value lies that was not measured; `null` for ordinary values. */
  readonly censored?: 'below' | 'above' | null
  /** The limit of a censored result, where one is stated. In `limit_unit`. */
  readonly limit?: number | null
  readonly limit_unit?: string | null
  readonly limit_type?: string | null
  /** Start of the activity in the newer interface and in Samples; `null` where date, time or zone says too little. */
  readonly Activity_StartDateTime?: Date | null
  /** The same in the older interface. */
  readonly ActivityStartDateTime?: Date | null
}

/** A site, with its place as numbers beside the texts. */
export type SiteRow = ServiceRow & {
  readonly latitude?: number | null
  readonly longitude?: number | null
}
