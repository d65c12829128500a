import type { Column } from '../../retrieval/index.ts'
import { readCondition, readMeasurement, readNumber, type Limit } from './censoring.ts'
import { createInstantReader, type WithoutInstant } from './instants.ts'
import type { Layout } from './layout.ts'

/** What is said of the rows of one answer beside the rows. */
export interface Notes {
  readonly withoutInstant: WithoutInstant
  censored: number
  /** Conditions that nobody lists, and how often each came. */
  readonly unknownConditions: Map<string, number>
}

/** Columns that are made of the service's own. */
export interface Derivation {
  readonly columns: readonly Column[]
  /** The values of the derived columns, in their order. */
  readonly values: (fields: readonly (string | null)[]) => readonly unknown[]
  readonly notes: Notes
}

/** What a caller may add to the tables. */
export interface DeriveOptions {
  /** Zone codes, hours from UTC. */
  readonly zones?: Readonly<Record<string, number>> | undefined
}

/** What can be derived from the columns of an answer. */
export function createDerivation(layout: Layout, { zones = {} }: DeriveOptions = {}): Derivation {
  const notes: Notes = {
    withoutInstant: { date: 0, time: 0, zone: 0, unreadable: 0, unknownZones: new Map() },
    censored: 0,
    unknownConditions: new Map(),
  }
  const parts = [...instants(layout, zones, notes), ...measurements(layout, notes), ...places(layout)]
  const taken = new Set(layout.names)
  const used = parts.map(({ columns }) => columns.map(({ name }) => !taken.has(name)))
  const isPlain = used.every(flags => flags.every(Boolean))
  return {
    notes,
    columns: parts.flatMap(({ columns }, part) => columns.filter((_, at) => used[part]?.[at])),
    values(fields) {
      const values: unknown[] = []
      for (let part = 0; part < parts.length; part++) {
        const made = (parts[part] as Part).values(fields)
        for (let at = 0; at < made.length; at++) if (isPlain || used[part]?.[at]) values.push(made[at])
      }
      return values
    },
  }
}

interface Part {
  readonly columns: readonly Column[]
  readonly values: (fields: readonly (string | null)[]) => readonly unknown[]
}

/** The activity's own start counts as the time of a row. */
function instants({ triples, place }: Layout, zones: Readonly<Record<string, number>>, notes: Notes): Part[] {
  return triples.map(triple => {
    const isStart = triple.date === place('date')
    const read = createInstantReader(triple, zones, isStart ? notes.withoutInstant : undefined)
    return {
      columns: [{ name: triple.name, kind: 'instant', ...(isStart ? { when: true as const } : {}) }],
      values: fields => [read(fields)],
    }
  })
}

function measurements(layout: Layout, notes: Notes): Part[] {
  const value = layout.place('value')
  const condition = layout.place('condition')
  const unit = layout.place('unit')
  if (value === undefined) return []
  const ordinary = [0, null, null, null, null] as unknown[]
  return [
    {
      columns: [
        { name: 'value', kind: 'number' },
        { name: 'censored', kind: 'text' },
        { name: 'limit', kind: 'number' },
        { name: 'limit_unit', kind: 'text' },
        { name: 'limit_type', kind: 'text' },
      ],
      values(fields) {
        const text = fields[value] ?? null
        const said = condition === undefined ? null : (fields[condition] ?? null)
        const number = said === null ? readNumber(text) : null
        // Nearly every row.
        if (number !== null) {
          ordinary[0] = number
          return ordinary
        }
        if (said !== null && readCondition(said) === undefined)
          notes.unknownConditions.set(said, (notes.unknownConditions.get(said) ?? 0) + 1)
        const limits = layout.limits.map((stated): Limit => {
          const [at, unitAt, typeAt] = stated
          return { value: fields[at] ?? null, unit: fields[unitAt] ?? null, type: fields[typeAt] ?? null }
        })
        const made = readMeasurement(text, said, limits, unit === undefined ? null : (fields[unit] ?? null))
        if (made.censored !== null) notes.censored += 1
        return [made.value, made.censored, made.limit, made.limit_unit, made.limit_type]
      },
    },
  ]
}

function places({ place }: Layout): Part[] {
  const [latitude, longitude] = [place('latitude'), place('longitude')]
  if (latitude === undefined || longitude === undefined) return []
  return [
    {
      columns: [
        { name: 'latitude', kind: 'number' },
        { name: 'longitude', kind: 'number' },
      ],
      values: fields => [readNumber(fields[latitude]), readNumber(fields[longitude])],
    },
  ]
}
