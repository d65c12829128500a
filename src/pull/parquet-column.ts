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
  readonly #kind: ColumnKind
  #lost = 0
  #example = ''

  /** @param constant - value of rows that have none */
  constructor({ name, kind }: Column, most: number, constant?: unknown) {
    this.#constant = constant
    this.element = { name, repetition_type: 'OPTIONAL', ...TYPES[kind] }
    this.#name = name
    this.#kind = kind
    this.#valueOf = VALUES[kind]
    this.#most = most
    this.#values = room(most)
  }

  /** Takes the column's values of some rows. */
  fill(rows: readonly AnyRow[], from: number, count: number, at: number): void {
    const name = this.#name
    const valueOf = this.#valueOf
    const constant = this.#constant
    for (let step = 0; step < count; step++) {
      const given = (rows[from + step] as AnyRow)[name] ?? constant
      const value = valueOf(given)
      this.#values[at + step] = value
      if (value === null && given !== null && given !== undefined) this.#miss(given)
    }
  }

  /** What could not be written, in words; nothing where all was. */
  get loss(): string | undefined {
    if (this.#lost === 0) return undefined
    const many = this.#lost === 1 ? '1 value is' : `${this.#lost} values are`
    return `${this.#name}: ${many} no ${this.#kind} and could not be written to Parquet, the first: '${this.#example}'; csv and jsonl keep such values`
  }

  #miss(given: unknown): void {
    // An empty text and "not a number" stand for nothing in every format.
    if (given === '' || Number.isNaN(given)) return
    if (this.#lost === 0) this.#example = textOf(given).slice(0, 40)
    this.#lost += 1
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
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return null
    const ms = Date.parse(value)
    // The thirtieth of February would become the second of March.
    return Number.isNaN(ms) || new Date(ms).getUTCDate() !== Number(value.slice(8)) ? null : ms / DAY_MS
  },
  number: value => (typeof value === 'number' && Number.isFinite(value) ? value : null),
  boolean: value => (typeof value === 'boolean' ? value : null),
  text: value => (value === null || value === undefined ? null : textOf(value)),
  json: value => (value === null || value === undefined ? null : JSON.stringify(value)),
}
