/** Ways in which a service that streams tables fails, most of them inside an answer that looks good. */
export type MishapAction = BreakDownAction | IncompleteAction | AnnounceAction | UpstreamAction | CodesDownAction

/** The query breaks down. Once a row has been sent, the status is 200 and the service's sentence is glued to the last row. */
export interface BreakDownAction {
  readonly type: 'breakDown'
  /**
   * - `counting`: before anything is known; 500 and no body
   * - `before-rows`: 500, the header line and the sentence
   * - `after-rows`: 200, so many rows and the sentence
   */
  readonly when: 'counting' | 'before-rows' | 'after-rows'
  /** Rows that come whole before it. @defaultValue half of them */
  readonly afterRows?: number
  /** The same as a share of all rows. */
  readonly at?: number
  /** Number in the sentence. @defaultValue 1893345127 */
  readonly reference?: number
}

/** Rows stop, and a line of its own says that data are incomplete. */
export interface IncompleteAction {
  readonly type: 'incomplete'
  /** Rows before the line. @defaultValue half of them */
  readonly afterRows?: number
  /** The same as a share of all rows. */
  readonly at?: number
  /** The line has as many fields as the others. @defaultValue false */
  readonly padded?: boolean
  /** The other rows follow. @defaultValue false */
  readonly goesOn?: boolean
}

/** Counts in the headers are so many too high (or low). */
export interface AnnounceAction {
  readonly type: 'announce'
  readonly add: number
  /** What is counted. @defaultValue everything */
  readonly of?: string
  /** Whose count, besides the total. @defaultValue everybody's */
  readonly provider?: string
}

/** One of the providers behind the service fails. Its rows stop, and the document on the request says so. */
export interface UpstreamAction {
  readonly type: 'upstream'
  /** As that document calls it. */
  readonly name: 'usgs' | 'epa'
  /** Rows of it that still come. @defaultValue 0 */
  readonly afterRows?: number
  /** A last line says that data are incomplete. @defaultValue false */
  readonly marker?: boolean
}

/** The lists of codes cannot be reached, and good values are refused. */
export interface CodesDownAction {
  readonly type: 'codesDown'
  /** Whether the refusal admits it, or calls the value unknown. @defaultValue 'unknown' */
  readonly as?: 'unknown' | 'unavailable'
}
