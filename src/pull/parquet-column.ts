import type { SchemaElement } from 'hyparquet'
import type { ColumnSource } from 'hyparquet-writer'
import type { AnyRow, Column, ColumnKind } from '../retrieval/index.ts'

const TYPES: Readonly<Record<ColumnKind, Omit<SchemaElement, 'name'>>> = {
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
}

const DAY_MS = 86_400_000

/** Values of one column of a group, while they are gathered. */
export class ParquetColumn {
  readonly element: SchemaElement
  readonly #name: string
  readonly #valueOf: (value: unknown) => unknown
  #values: unknown[]
  readonly #most: number
  readonly #constant: unknown

  /** @param constant - value of rows that have none */
  constructor({ name, kind }: Column, most: number, constant?: unknown) {
    this.#constant = constant
    this.element = { name, repetition_type: 'OPTIONAL', ...TYPES[kind] }
    this.#name = name
    this.#valueOf = VALUES[kind]
    this.#most = most
    this.#values = room(most)
  }

  /** Takes the column's values of some rows. */
  fill(rows: readonly AnyRow[], from: number, count: number, at: number): void {
    const name = this.#name
    const valueOf = this.#valueOf
    const constant = this.#constant
    for (let step = 0; step < count; step++)
      this.#values[at + step] = valueOf((rows[from + step] as AnyRow)[name] ?? constant)
  }

  /** The first `count` values, as the writer takes them. */
  take(count: number): ColumnSource {
    const data = count === this.#most ? this.#values : this.#values.slice(0, count)
    this.#values = room(this.#most)
    // Neighbouring instants differ by little, and a dictionary of them would only be thrown away.
    return { name: this.#name, data, ...(this.element.type === 'INT64' ? { encoding: 'DELTA_BINARY_PACKED' } : {}) }
  }
}

/** Text as it is; what is none, as JSON has it. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function room(length: number): unknown[] {
  const values: unknown[] = []
  values.length = length
  return values
}

/** How a value stands in a column of its kind; `null` for what holds no value. */
const VALUES: Readonly<Record<ColumnKind, (value: unknown) => unknown>> = {
  instant(value) {
    if (!(value instanceof Date)) return null
    const ms = value.getTime()
    return Number.isNaN(ms) ? null : BigInt(ms)
  },
  date(value) {
    if (typeof value !== 'string') return null
    const day = Date.parse(value) / DAY_MS
    return Number.isInteger(day) ? day : null
  },
  number: value => (typeof value === 'number' && Number.isFinite(value) ? value : null),
  boolean: value => (typeof value === 'boolean' ? value : null),
  text: value => (value === null || value === undefined ? null : textOf(value)),
  json: value => (value === null || value === undefined ? null : JSON.stringify(value)),
}
