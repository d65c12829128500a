import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Collection } from '../../../src/adapters/streamflow/collection.ts'
import { COLLECTIONS, GROUNDWATER, REFERENCES } from '../../../src/adapters/streamflow/collections.ts'
import { FIELD_KINDS } from '../../../src/adapters/streamflow/fields.ts'
import { camelCase, snakeCase } from '../../../src/adapters/streamflow/names.ts'

const collections: readonly Collection[] = [
  ...Object.values(COLLECTIONS),
  ...Object.values(REFERENCES),
  ...Object.values(GROUNDWATER),
]
const digest = join(import.meta.dirname, '../../../../shared/recorded/usgs/ogc/openapi-0.56.0-digest.json')

/** A collection in the service's own description. */
interface Described {
  readonly limit: { readonly maximum: number }
  readonly shared_parameters: readonly string[]
  readonly filters: Readonly<
    Record<string, { readonly type?: string; readonly multi_value?: boolean; readonly prefix_match?: boolean }>
  >
  readonly properties: readonly string[]
}

describe.each(collections)('the entry of $name', collection => {
  const { columns, filters, lists, prefixes, sort, sample, idName, time, kinds } = collection

  it('names every column and filter once', () => {
    for (const names of [columns, filters, lists, sort]) expect(new Set(names).size).toBe(names.length)
    expect(columns).not.toContain(idName)
    expect(columns).not.toContain('id')
  })

  it('says of lists, prefixes, order and kinds only what exists', () => {
    const shown = [...columns, idName]
    expect(lists.filter(name => !filters.includes(name))).toEqual([])
    expect(prefixes.filter(name => !filters.includes(name))).toEqual([])
    expect([...sort, ...(sample ?? []), ...(time ? [time.field] : [])].filter(name => !shown.includes(name))).toEqual(
      [],
    )
    expect(Object.keys(kinds).filter(name => !shown.includes(name))).toEqual([])
    expect(filters).not.toContain(time?.field)
  })

  it('has options that can be told apart and turned back', () => {
    const names = [...filters, idName]
    expect(new Set(names.map(camelCase)).size).toBe(new Set(names).size)
    for (const name of names) expect(snakeCase(camelCase(name))).toBe(name)
  })
})

describe.runIf(existsSync(digest))('the service describes itself', () => {
  const described = existsSync(digest)
    ? (JSON.parse(readFileSync(digest, 'utf8')) as { collections: Record<string, Described> }).collections
    : {}

  it('as having the collections of the table, and no others', () => {
    expect(Object.keys({ ...COLLECTIONS, ...REFERENCES }).sort()).toEqual(Object.keys(described).sort())
  })

  it.each(Object.entries(described))(
    '%s: fields, filters, lists and prefixes are those of the table',
    (name, { filters, properties, limit, shared_parameters }) => {
      const entry = ({ ...COLLECTIONS, ...REFERENCES } as Record<string, Collection>)[name] as Collection
      const wire = (field: string): string => (field === 'id' ? entry.idName : field)
      // Seen in records, though the description lacks it.
      const undocumented = ['data_gap_interval', 'reading_type']
      expect(entry.columns.filter(column => !undocumented.includes(column)).sort()).toEqual(
        properties
          .map(wire)
          .filter(field => field !== entry.idName && !undocumented.includes(field))
          .sort(),
      )
      const timeField = entry.time?.field
      const asked = Object.keys(filters).filter(field => field !== timeField)
      expect([...entry.filters, ...(entry.idFilter ? ['id'] : [])].sort()).toEqual(asked.sort())
      const many = Object.keys(filters).filter(field => filters[field]?.multi_value)
      expect([...entry.lists, ...(entry.idFilter === 'many' ? ['id'] : [])].sort()).toEqual(many.sort())
      expect([...entry.prefixes]).toEqual(Object.keys(filters).filter(field => filters[field]?.prefix_match))
      expect(entry.pageSize).toBeLessThanOrEqual(limit.maximum)
      if (shared_parameters.includes('datetime')) expect(timeField).toBe('time')
      for (const [field, { type }] of Object.entries(filters)) {
        const kind = entry.kinds[field] ?? (FIELD_KINDS as Record<string, string>)[field]
        if (type === 'number' || type === 'integer') expect(['number', 'text', undefined]).toContain(kind)
      }
    },
  )
})
