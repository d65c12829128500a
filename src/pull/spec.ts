/** How files are written. */
export type PullFormat = 'csv' | 'jsonl' | 'parquet'

/** How much of the time of a series goes into one task, calendar stretches in UTC. */
export type Segment = 'day' | 'month' | 'year' | 'all'

/** Which stretch of time is asked for, both ends included. Text as in a query. */
export interface PullTimes {
  readonly start?: string
  /** @defaultValue now */
  readonly end?: string
  /** In place of `start`: an ISO-8601 duration such as `'P7D'`. */
  readonly last?: string
  /** Zone of texts that state none. @defaultValue 'UTC' */
  readonly zone?: string
}

/** What is asked of one operation of one service. */
export interface PullEntry extends PullTimes {
  /** `'emissions'`, `'streamflow'` or `'water-quality'`. */
  readonly service: string
  /** Name of a getter, with or without its `get`: `'historical'`, `'getDaily'`. */
  readonly operation: string
  /** The query of that getter. A span here goes before that of the entry, and that before the one of the whole. */
  readonly query?: Readonly<Record<string, unknown>>
  /** One series for each combination of these values: `{ region: ['CAISO_NORTH', 'PJM_DC'] }`. */
  readonly each?: Readonly<Record<string, readonly (string | number | boolean)[]>>
  /** @defaultValue set by the operation */
  readonly segment?: Segment
}

/** What a bulk pull brings: several services and series in one. Plain data; the same as JSON or YAML. */
export interface PullSpec extends PullTimes {
  /** @defaultValue what the folder holds already, else 'csv' */
  readonly format?: PullFormat
  /**
   * Folders below that of the operation, hive style: columns of a series (`region`), `year`, `month`. @defaultValue the
   * columns that tell series apart, and `year` where tasks are no longer than that
   */
  readonly partition?: readonly string[]
  readonly pulls: readonly PullEntry[]
}
