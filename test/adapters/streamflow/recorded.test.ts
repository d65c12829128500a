import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectionNamed } from '../../../src/adapters/streamflow/collections.ts'
import { parseRdb } from '../../../src/adapters/streamflow/index.ts'
import { readFeatures } from '../../../src/adapters/streamflow/read-features.ts'
import { createRowReader } from '../../../src/adapters/streamflow/read-row.ts'
import type { AnyRow } from '../../../src/retrieval/index.ts'
import { createReply } from '../../../src/transport/reply.ts'
import { answer, startScripted } from '../../support/scripted-server.ts'
import { waterClient } from '../../support/streamflow.ts'

const fixtures = join(import.meta.dirname, '../../../fixtures/streamflow')
const shared = join(import.meta.dirname, '../../../../shared/recorded/usgs')

/** A recorded body: where it lies and what it is. */
interface Recorded {
  readonly name: string
  readonly text: string
}

function filesIn(folder: string, wanted: (name: string) => boolean): Recorded[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter(name => !name.endsWith('.meta.json') && wanted(name))
  return names.map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

const isPage = (name: string): boolean =>
  /\.(?:page|cursor-page|offset-page|single-page|empty|odd-values)\.json$/.test(name)
const pages = [
  ...filesIn(fixtures, isPage),
  ...filesIn(join(shared, 'ogc/by-collection'), () => true),
  ...filesIn(join(shared, 'ogc-pages'), () => true),
].map(one => ({ ...one, collection: /^[a-z-]+/.exec(one.name)?.[0].replace(/-(?:page|head)$/, '') ?? '' }))

/** What a file says, read here by the plainest means. */
interface Said {
  readonly features: readonly {
    readonly id: unknown
    readonly geometry: { readonly coordinates: number[] } | null
    readonly properties: Readonly<Record<string, unknown>>
  }[]
  readonly links?: readonly { readonly rel: string; readonly href: string }[]
}

describe.each(pages)('a page as it was recorded: $name', ({ text, collection }) => {
  const said = JSON.parse(text) as Said
  const entry = collectionNamed(collection)
  const reader = createRowReader({ collection: entry, properties: undefined, geometry: 'columns', apiVersion: 'v0' })
  const reply = createReply({ status: 200, headers: {}, url: 'https://example.org/items', body: Buffer.from(text) })
  const content = readFeatures<AnyRow>(reply, reader, entry)

  it('is known by its collection', () => {
    expect(entry.columns.length, collection).toBeGreaterThan(0)
  })

  it('gives as many rows as it says, with the same identifiers', () => {
    expect(content.rows.map(row => row[entry.idName])).toEqual(said.features.map(({ id }) => String(id)))
  })

  it('gives the same values, none lost and none made up', () => {
    content.rows.forEach((row, at) => {
      const { properties = {}, geometry } = said.features[at] ?? { geometry: null }
      for (const [name, value] of Object.entries(properties)) {
        if (name === 'id' || name === 'geometry') continue
        expect([name, asSaid(row[name], row[`${name}_text`], value)]).toEqual([name, value])
      }
      if (entry.places)
        expect([row['longitude'], row['latitude']]).toEqual(geometry === null ? [null, null] : geometry.coordinates)
    })
  })

  it('gives the same times', () => {
    content.rows.forEach((row, at) => {
      for (const [name, value] of Object.entries(said.features[at]?.properties ?? {})) {
        const read = row[name]
        if (read instanceof Date)
          expect([name, read.getTime()]).toEqual([
            name,
            Date.parse(/[Z+]/.test(String(value)) ? String(value) : `${String(value)}Z`),
          ])
      }
    })
  })

  it('F29: gives rows of one shape, all of whose columns are listed', () => {
    const names = new Set(reader.columns().map(({ name }) => name))
    for (const row of content.rows) expect(Object.keys(row).filter(name => !names.has(name))).toEqual([])
    for (const row of content.rows) expect(reader.documented.filter(name => !(name in row))).toEqual([])
  })

  it('R46: leads to the page that follows, as the service gives the address', () => {
    expect(content.next).toBe(said.links?.find(({ rel }) => rel === 'next')?.href)
    expect(content.warnings).toEqual([])
  })
})

/** A value of a row in the words of the file. */
function asSaid(read: unknown, text: unknown, value: unknown): unknown {
  if (read instanceof Date) return value
  if (typeof read === 'number' && typeof value === 'string') return Number(value) === read ? value : read
  if (read === null && typeof text === 'string') return text
  if (read === null && value === '') return ''
  return read
}

const statistics = [
  ...filesIn(fixtures, name => name.startsWith('statistics.')),
  ...filesIn(join(shared, 'statistics'), () => true),
]

describe.each(statistics)('statistics as they were recorded: $name', ({ text, name }) => {
  it('have a row for each value and each percentile', async () => {
    const server = await startScripted(visit => answer(visit, { body: JSON.parse(text) as object }))
    const of = /interval/i.test(name) ? 'dateRange' : 'periodOfRecord'
    const { rows, columns } = await waterClient(server).getStatistics({ of })
    const said = (
      JSON.parse(text) as {
        features: {
          properties: Record<string, unknown> & {
            data: (Record<string, unknown> & { values: Record<string, unknown>[] })[]
          }
        }[]
      }
    ).features.flatMap(({ properties: { data, ...site } }) =>
      data.flatMap(({ values, ...series }) => values.flatMap(value => valuesIn({ ...site, ...series, ...value }))),
    )
    expect(rows).toHaveLength(said.length)
    said.forEach((one, at) => expect(rows[at]).toMatchObject(one))
    for (const row of rows) expect(Object.keys(row)).toEqual(columns.map(column => column.name))
  })
})

/** One value, or one for each percentile, as rows say it. */
function valuesIn({ value, values, percentiles, ...facts }: Record<string, unknown>): Record<string, unknown>[] {
  const rank = { minimum: 0, median: 50, maximum: 100 }[String(facts['computation'])] ?? null
  if (!Array.isArray(values) || !Array.isArray(percentiles))
    return [{ ...facts, value: Number(value), percentile: rank }]
  return percentiles.map((percentile, at) => ({
    ...facts,
    percentile: Number(percentile),
    value: values[at] === 'nan' ? null : Number(values[at]),
  }))
}

const networks = [
  ...filesIn(fixtures, name => /^nldi\.(?!sources)/.test(name)),
  ...filesIn(join(shared, 'nldi'), () => true),
]

describe.each(networks)('the river network as it was recorded: $name', ({ text, name }) => {
  it('gives a row for each feature, with its identifier and its shape', async () => {
    const said = JSON.parse(text) as {
      features: { geometry: { type: string; coordinates: number[] }; properties: Record<string, unknown> }[]
    }
    const server = await startScripted(visit => answer(visit, { body: said }))
    const client = waterClient(server)
    const origin = { featureSource: 'WQP', featureId: 'USGS-054279485' }
    const result = await (/basin/.test(name)
      ? client.getBasin(origin)
      : /flowlines/.test(name)
        ? client.getFlowlines({ ...origin, navigation: 'UM' })
        : client.getFeatures(origin))
    const rows: readonly AnyRow[] = result.rows
    expect(rows).toHaveLength(said.features.length)
    said.features.forEach(({ geometry, properties }, at) => {
      expect(rows[at]?.['geometry']).toEqual(geometry)
      for (const [field, value] of Object.entries(properties))
        expect([field, rows[at]?.[field]]).toEqual([field, value])
      if (geometry.type === 'Point')
        expect([rows[at]?.['longitude'], rows[at]?.['latitude']]).toEqual(geometry.coordinates)
    })
  })
})

const tables = [
  ...filesIn(fixtures, name => name.endsWith('.rdb')),
  ...filesIn(join(shared, 'rdb'), () => true),
  ...filesIn(join(shared, 'waterservices'), name => !/_(?:dv|iv)\.txt$/.test(name)),
]

describe.each(tables)('a tab-separated table as it was recorded: $name', ({ text }) => {
  it('gives a row for each line, every field as its text', () => {
    const lines = text.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'))
    const { columns, rows, comments } = parseRdb(text)
    expect(columns).toEqual(lines[0]?.split('\t'))
    expect(rows).toHaveLength(lines.length - 2)
    rows.forEach((row, at) => expect(Object.values(row).join('\t').trimEnd()).toBe(lines[at + 2]?.trimEnd()))
    expect(comments).toHaveLength(text.split('\n').filter(line => line.startsWith('#')).length)
  })
})

describe('the check', () => {
  it('looked at bodies of every kind', () => {
    expect(pages.length).toBeGreaterThanOrEqual(10)
    for (const kind of [statistics, networks, tables]) expect(kind.length).toBeGreaterThan(0)
  })
})
