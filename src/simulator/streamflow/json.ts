/** What stands in an answer. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** Fields of a record, in the order they are served. */
export type Fields = Readonly<Record<string, Json>>
