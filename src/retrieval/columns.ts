/** What a column holds: decides how it is written to files and shown. */
export type ColumnKind = 'instant' | 'date' | 'text' | 'number' | 'boolean' | 'json'

/** One column of a result. The same for an empty result as for a full one. */
export interface Column {
  /** The service's own name. */
  readonly name: string
  readonly kind: ColumnKind
  /** Unit of the values, where the service states one. */
  readonly unit?: string | undefined
  /** Whether it is the one that says when a row holds, where a result has several that could. */
  readonly when?: true
}

/** A row of any result. */
export type AnyRow = Readonly<Record<string, unknown>>
