import type { Column } from '../../retrieval/index.ts'
import { epochMs } from '../../time.ts'
import { kindOf, type Collection } from './collection.ts'
import type { Feature, Made } from './feature.ts'
import type { FieldKind } from './fields.ts'
import { observationReader, OBSERVATION_COLUMNS } from './read-observation.ts'
import { instantReader, readMeasure, readZoned, textInPlaceOfNumber, utcMs } from './values.ts'

/** How the place of a record is shown. */
export type GeometryChoice = 'columns' | 'geojson' | 'none'

/** Makes rows of one query, all of one shape, and notes what came beyond the documented columns. */
export interface RowReader {
  /** @throws Unreadable naming the field, when a record does not keep the contract */
  read(feature: Feature): Made
  /** Columns in the documented order, with those that came on top. */
  columns(): readonly Column[]
  /** Columns that every row has by its making. */
  readonly documented: readonly string[]
}

/** What a query's rows look like. */
export interface RowShape {
  readonly collection: Collection
  /** Fields asked for. @defaultValue all documented ones */
  readonly properties: readonly string[] | undefined
  readonly geometry: GeometryChoice
  readonly apiVersion: 'v0' | 'v1'
}

const COLUMN_KINDS: Readonly<Record<FieldKind, Column['kind']>> = {
  text: 'text',
  number: 'number',
  measure: 'number',
  instant: 'instant',
  utc: 'instant',
  zoned: 'text',
  date: 'date',
  terms: 'json',
  json: 'json',
}

export function createRowReader({ collection, properties, geometry, apiVersion }: RowShape): RowReader {
  const fields =
    properties === undefined
      ? collection.columns
      : collection.columns.length === 0
        ? properties
        : collection.columns.filter(name => properties.includes(name))
  const places = collection.places ? placeColumns(geometry) : []
  const known = new Set([...fields, 'geometry', 'id'])
  const extras = new Map<string, Column>()
  const columnOf = (name: string): Column => {
    const kind = kindOf(collection, name)
    const isTime = name === collection.time?.field
    return {
      name,
      kind: kind === 'zoned' && apiVersion === 'v1' ? 'instant' : COLUMN_KINDS[kind],
      ...(isTime ? { when: true } : {}),
    }
  }
  const id: Column = { name: collection.idName, kind: 'text' }
  const documented = [
    ...(collection.idFirst ? [id] : []),
    ...fields.map(columnOf),
    ...places,
    ...(collection.idFirst ? [] : [id]),
  ]
  const blank: Made = Object.fromEntries(documented.map(({ name }) => [name, null]))
  const fill = fillers(collection, fields)
  const setPlace = placeSetter(collection.places ? geometry : 'none')

  const noteText = (row: Made, name: string, value: unknown): void => {
    const text = textInPlaceOfNumber(value, row[name] as number | null)
    if (text === undefined) return
    row[`${name}_text`] = text
    if (!extras.has(`${name}_text`)) extras.set(`${name}_text`, { name: `${name}_text`, kind: 'text' })
  }

  /** Nothing that the service says is lost, though nobody documented it. */
  const passExtras = (row: Made, given: Readonly<Record<string, unknown>>): void => {
    for (const name in given) {
      if (known.has(name) || name === collection.idName) continue
      row[name] = given[name]
      if (!extras.has(name)) extras.set(name, { name, kind: extraKind(given[name]) })
    }
  }

  const quick =
    fields.join() === OBSERVATION_COLUMNS.join() && places.length === 2 && collection.time
      ? observationReader(collection.idName, collection.time.by)
      : undefined

  const readAny = ({ id: featureId, geometry: place, properties: given }: Feature): Made => {
    const row: Made = { ...blank }
    let met = 0
    for (let at = 0; at < fields.length; at++) {
      const name = fields[at] as string
      const value = given[name]
      if (value === undefined) continue
      met += 1
      const fillIn = fill[at]
      if (fillIn === undefined) row[name] = value
      else if (value !== null) fillIn(row, value, noteText)
    }
    let sent = 0
    for (const name in given) if (name !== '') sent += 1
    if (sent > met) passExtras(row, given)
    row[collection.idName] = featureId === undefined || featureId === null ? idInside(given) : String(featureId)
    setPlace(row, place)
    return row
  }

  return {
    documented: documented.map(({ name }) => name),
    read: feature => quick?.(feature) ?? readAny(feature),
    columns: () => withExtras(documented, [...extras.values()]),
  }
}

type Filler = (row: Made, value: unknown, noteText: (row: Made, name: string, value: unknown) => void) => void

/** How each field gets into a row; nothing where it is taken as it is. */
function fillers(collection: Collection, fields: readonly string[]): readonly (Filler | undefined)[] {
  return fields.map(name => {
    switch (kindOf(collection, name)) {
      case 'number':
      case 'measure':
        return (row, value, noteText) => {
          row[name] = readMeasure(value)
          if (row[name] === null) noteText(row, name, value)
        }
      case 'instant':
      case 'utc':
        return instantFiller(name, kindOf(collection, name) === 'utc' ? utcMs : epochMs)
      case 'zoned':
        return (row, value) => {
          row[name] = typeof value === 'string' ? readZoned(value) : value
        }
      default:
        return undefined
    }
  })
}

function instantFiller(name: string, msOf: (text: string) => number): Filler {
  const read = instantReader(name, msOf)
  return (row, value) => {
    row[name] = read(value)
  }
}

function placeColumns(geometry: GeometryChoice): readonly Column[] {
  if (geometry === 'none') return []
  if (geometry === 'geojson') return [{ name: 'geometry', kind: 'json' }]
  return [
    { name: 'longitude', kind: 'number' },
    { name: 'latitude', kind: 'number' },
  ]
}

function placeSetter(geometry: GeometryChoice): (row: Made, place: Feature['geometry']) => void {
  if (geometry === 'none') return () => {}
  if (geometry === 'geojson') return (row, place) => void (row['geometry'] = place ?? null)
  return (row, place) => {
    const coordinates = place?.coordinates
    if (coordinates === undefined || typeof coordinates[0] !== 'number') return
    row['longitude'] = coordinates[0]
    row['latitude'] = coordinates[1]
  }
}

function idInside(given: Readonly<Record<string, unknown>>): string | null {
  const id = given['id']
  return id === undefined || id === null ? null : String(id)
}

function extraKind(value: unknown): Column['kind'] {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'object' && value !== null ? 'json' : 'text'
}

/** A text companion stands behind its column, everything else at the end. */
function withExtras(documented: readonly Column[], extras: readonly Column[]): readonly Column[] {
  const companions = new Map(extras.map(column => [column.name.replace(/_text$/, ''), column]))
  const placed = documented.flatMap(column => {
    const companion = companions.get(column.name)
    return companion?.name === `${column.name}_text` ? [column, companion] : [column]
  })
  return [...placed, ...extras.filter(column => !placed.includes(column))]
}
