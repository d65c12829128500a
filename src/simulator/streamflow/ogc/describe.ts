import { jsonAnswer, type Answer, type Ask } from '../../service.ts'
import type { Json } from '../json.ts'
import { notFound } from '../refusals.ts'
import { gather } from '../world/ids.ts'
import type { Table } from './table.ts'
import { createWriter } from './render.ts'

/** `/collections`: all of them. */
export function listCollections(ask: Ask, tables: readonly Table[]): Answer {
  const root = `${ask.base}${ask.path.replace(/\/$/, '')}`
  return jsonAnswer(200, {
    collections: tables.map(table => describe(table, `${root}/${table.name}`)),
    links: [{ type: 'application/json', rel: 'self', title: 'This document as JSON', href: `${root}?f=json` }],
  })
}

/** `/collections/{name}` */
export function describeCollection(ask: Ask, table: Table): Answer {
  return jsonAnswer(200, describe(table, `${ask.base}${ask.path}`))
}

function describe({ name, title, timing }: Table, href: string): Json {
  return {
    id: name,
    title,
    description: title,
    keywords: [name],
    links: [
      { type: 'application/geo+json', rel: 'items', title: 'Items as GeoJSON', href: `${href}/items?f=json` },
      { type: 'application/schema+json', rel: 'queryables', title: 'Queryables', href: `${href}/queryables?f=json` },
    ],
    extent: {
      spatial: { bbox: [[-180, -90, 180, 90]], crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' },
      ...(timing === undefined ? {} : { temporal: { interval: [[null, null]] } }),
    },
    itemType: 'feature',
    crs: ['http://www.opengis.net/def/crs/OGC/1.3/CRS84'],
  }
}

/** `/collections/{name}/queryables`: what a filter may name. `/schema`: what a record holds. */
export function describeFields(ask: Ask, table: Table, what: 'queryables' | 'schema'): Answer {
  const names = what === 'queryables' ? Object.keys(table.filters) : table.fields
  const properties = Object.fromEntries([...names].sort().map(name => [name, propertyOf(table, name)]))
  return jsonAnswer(
    200,
    {
      type: 'object',
      title: table.title,
      properties: {
        ...properties,
        geometry: { $ref: 'https://geojson.org/schema/Geometry.json', 'x-ogc-role': 'primary-geometry' },
      },
      $schema: 'http://json-schema.org/draft/2019-09/schema',
      $id: `${ask.base}${ask.path}`,
    },
    { 'content-type': 'application/schema+json' },
  )
}

function propertyOf({ filters }: Table, name: string): Json {
  const { type = 'string', isList = false, isPrefix = false } = filters[name] ?? {}
  const words = name.replaceAll('_', ' ')
  const hint = isList ? '\n\nSplit parameters are enabled.' : isPrefix ? '\n\nMatches by prefix.' : ''
  return {
    title: words.replace(/^./, letter => letter.toUpperCase()),
    type: type === 'time' ? 'string' : type,
    description: `The ${words} of the record.${hint}`,
  }
}

/** `/collections/{name}/items/{id}` */
export function oneItem(ask: Ask, table: Table, id: string, now: number): Answer {
  const write = createWriter(table, {
    properties: table.fields,
    skipGeometry: ask.query.get('skipGeometry') === 'true',
  })
  const { timing } = table
  const [, group, rest] = timing?.salt === undefined ? [id, '0', id] : (/^([0-9a-f]{8})(.*)$/.exec(id) ?? [])
  const word = Number.parseInt(group ?? '', 16)
  const index = timing?.salt === undefined ? 0 : gather(word, timing.salt)
  const track = table.tracks(now).find(({ tail }) => tail === rest)
  const isThere =
    track !== undefined &&
    index >= track.first &&
    index <= Math.min(track.last, timing?.latest(now) ?? 0) &&
    (table.has?.(track, index) ?? true)
  if (!isThere) throw notFound('identifier not found')
  const collection = `${ask.base}${ask.path.replace(/\/items\/.*$/, '')}`
  const links = [
    {
      type: 'application/geo+json',
      rel: 'self',
      title: 'This document as JSON',
      href: `${ask.base}${ask.path}?f=json`,
    },
    { type: 'application/json', rel: 'collection', title: table.title, href: collection },
  ]
  const feature = write({ track, index, word })
  return {
    status: 200,
    headers: { 'content-type': 'application/geo+json' },
    body: `${feature.slice(0, -1)},"links":${JSON.stringify(links)}}`,
  }
}
