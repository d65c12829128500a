/** A record as the service sends it. */
export interface Feature {
  readonly id?: unknown
  readonly geometry?: { readonly coordinates?: readonly unknown[] } | null
  readonly properties: Readonly<Record<string, unknown>>
}

/** A row while it is made. */
export type Made = Record<string, unknown>
