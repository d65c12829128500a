import type { InstantInput } from '../../time.ts'
import { FIELD_KINDS, type FieldKind, type KindOf, type ValueOf } from './fields.ts'

/** How a collection is asked by time. */
export interface CollectionTime {
  /** Field that holds the time of a record. */
  readonly field: string
  /** Whether the service selects by instants or by calendar dates. */
  readonly by: 'instant' | 'date'
  /** Query parameter of the selection. */
  readonly parameter: 'time' | 'datetime'
  /** Whether a span is cut into pieces. Otherwise it is one filter among others. */
  readonly cut: boolean
  /** Whether a span must be given: without one the service would choose it. */
  readonly required?: boolean
  /** Longest span that is asked for at a time, days. @defaultValue none */
  readonly mostDays?: number
  /** Length of a piece where the span is longer, days: fills whole pages at the usual cadences. */
  readonly chunkDays?: number
  /** Records of one series in a day, as far as it can be known beforehand. @defaultValue unknown */
  readonly perDay?: number
}

/** Everything that is known of a collection. The getters are made from it. */
export interface Collection {
  /** As it stands in the address. */
  readonly name: string
  /** Which family of services it belongs to. */
  readonly family: 'waterdata' | 'groundwater'
  /** What the identifier of a record is called in rows and queries. */
  readonly idName: string
  /** Whether records can be selected by their identifier, and whether by several at once. @defaultValue no */
  readonly idFilter?: 'one' | 'many'
  /** Where the identifier stands among the columns. */
  readonly idFirst?: boolean
  /** Fields of a record, in their documented order, the identifier left out. */
  readonly columns: readonly string[]
  /** Fields that can be selected by, the identifier and the time left out. */
  readonly filters: readonly string[]
  /** Filters that take a list joined by commas. */
  readonly lists: readonly string[]
  /** Filters that match the beginning of a code. */
  readonly prefixes: readonly string[]
  /** Kinds that depart from the general ones. */
  readonly kinds: Readonly<Record<string, FieldKind>>
  readonly time?: CollectionTime
  /** Columns by which rows are sorted. */
  readonly sort: readonly string[]
  /** Columns that together say which sample a row is a version of. @defaultValue the identifier alone */
  readonly sample?: readonly string[]
  /** Filter that takes a state, and in which spelling. */
  readonly state?: { readonly field: string; readonly as: 'fips' | 'name' | 'postal' }
  /** Whether records have a place. */
  readonly places: boolean
  /** Records of a page unless the caller says otherwise. */
  readonly pageSize: number
  /** Whether a page without records is the last one, whatever it links to. */
  readonly endsEmpty?: boolean
}

/** Kind of a field of a collection. */
export function kindOf({ kinds }: Pick<Collection, 'kinds'>, name: string): FieldKind {
  return kinds[name] ?? (FIELD_KINDS as Readonly<Record<string, FieldKind>>)[name] ?? 'text'
}

/** `monitoring_location_id` as `monitoringLocationId`. */
export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** One value, or any of several. */
export type OneOrMany<Value> = Value | readonly Value[]

/** An instant, a stretch of time, or a duration such as `'P7D'` for the time just past. */
export type TimeFilter =
  InstantInput | { readonly start?: InstantInput | undefined; readonly end?: InstantInput | undefined }

/** What a query may say of a field of some kind. */
type FilterOf<Kind> = Kind extends 'number' | 'measure'
  ? OneOrMany<number>
  : Kind extends 'instant' | 'utc' | 'zoned'
    ? TimeFilter
    : OneOrMany<string>

/** Filters of a collection as options. */
export type FiltersOf<C extends Collection> = {
  readonly [Name in C['filters'][number] as CamelCase<Name>]?: FilterOf<KindOf<Name, C['kinds']>> | undefined
} & { readonly [Name in C['idFilter'] extends string ? CamelCase<C['idName']> : never]?: OneOrMany<string> | undefined }

/** Columns of a row that hold fields of the service. */
export type FieldsOf<C extends Collection> = {
  readonly [Name in C['columns'][number]]: ValueOf<KindOf<Name, C['kinds']>>
} & { readonly [Name in C['idName']]: string | null }

/** Where a record lies, EPSG:4326. `null` where the service states no place. */
export interface PlaceColumns {
  readonly longitude?: number | null
  readonly latitude?: number | null
  /** GeoJSON; only with `geometry: 'geojson'`, in place of the two others. */
  readonly geometry?: unknown
}
