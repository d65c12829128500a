import type { Collection } from './collection.ts'
import { GROUNDWATER } from './tables/groundwater.ts'
import { INVENTORIES } from './tables/inventories.ts'
import { MEASUREMENTS } from './tables/measurements.ts'
import { OBSERVATIONS } from './tables/observations.ts'
import { REFERENCES } from './tables/references.ts'

/**
 * The collections of the service, as it describes itself (API version 0.56.0, June 2026) and as recorded answers show
 * it. Every getter of a collection is made from its entry here.
 */
export const COLLECTIONS = { ...OBSERVATIONS, ...MEASUREMENTS, ...INVENTORIES } as const

/** Entries by name: data collections and tables of codes. */
const KNOWN: Readonly<Record<string, Collection>> = { ...COLLECTIONS, ...REFERENCES }

/** The entry of a collection of the service, or one that says nothing about a collection that is not known here. */
export function collectionNamed(name: string): Collection {
  return (Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined) ?? unknown(name)
}

/** Names of the tables of codes. */
export const REFERENCE_NAMES: readonly string[] = Object.keys(REFERENCES)

export { GROUNDWATER, REFERENCES }

/** All that can be said of a collection of which nothing is known: what its records hold will be seen. */
function unknown(name: string): Collection {
  return {
    name,
    family: 'waterdata',
    idName: 'id',
    columns: [],
    filters: [],
    lists: [],
    prefixes: [],
    kinds: {},
    time: { field: 'time', by: 'instant', parameter: 'datetime', cut: false },
    sort: ['id'],
    places: true,
    pageSize: 10_000,
  }
}
