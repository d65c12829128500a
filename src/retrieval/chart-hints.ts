/** How rows of an operation are drawn unless somebody says otherwise: facts that an adapter states. */
export interface ChartHints {
  readonly y?: string
  /** Columns that tell series apart. */
  readonly series?: readonly string[]
  readonly scale?: 'linear' | 'log'
  /** Rows that may still be revised. */
  readonly provisional?: { readonly column: string; readonly values: readonly string[] }
  /** Rows that say only that the value lies below a limit: what stands in `column` then, and which column holds the limit. */
  readonly below?: { readonly column: string; readonly values: readonly string[]; readonly limit?: string }
  /** Column whose values name the series of a hole. */
  readonly holes?: string
  /** Whether values are samples, which no line joins. */
  readonly apart?: boolean
}
