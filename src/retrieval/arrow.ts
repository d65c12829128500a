import type * as Arrow from 'apache-arrow'
import { ConfigurationError, describeCause } from '../errors.ts'
import type { AnyRow, Column } from './columns.ts'
import { toColumns, type ColumnValues } from './typed-columns.ts'

const DAY_MS = 86_400_000

/** A table of `apache-arrow`, as far as its types can be named where the package is not installed. */
export interface ArrowTable {
  readonly numRows: number
  readonly numCols: number
  readonly schema: { readonly fields: readonly { readonly name: string; readonly metadata: Map<string, string> }[] }
  getChild(name: string): { readonly length: number; get(at: number): unknown } | null
}

/** How the bytes of a table are framed. */
export interface ArrowIpcOptions {
  /** `'stream'` for most readers; `'file'` (also called Feather 2) for those that jump about. @defaultValue 'stream' */
  readonly format?: 'stream' | 'file' | undefined
}

/**
 * Rows as an Arrow table: instants as timestamps in UTC, calendar dates as dates, numbers as doubles, text and JSON as
 * text. What holds no value is null. A column's unit stands in the metadata of its field.
 *
 * @throws ConfigurationError naming what to install, when the optional package is absent
 */
export async function toArrow(rows: readonly AnyRow[], columns: readonly Column[]): Promise<ArrowTable> {
  return tableOf(await loadPackage(), rows, columns)
}

/** The same table as bytes, which every version of Arrow in every language reads. */
export async function toArrowIpc(
  rows: readonly AnyRow[],
  columns: readonly Column[],
  { format = 'stream' }: ArrowIpcOptions = {},
): Promise<Uint8Array> {
  const arrow = await loadPackage()
  return arrow.tableToIPC(tableOf(arrow, rows, columns), format)
}

function tableOf(arrow: ArrowPackage, rows: readonly AnyRow[], columns: readonly Column[]): Arrow.Table {
  const values = toColumns(rows, columns)
  const vectors = columns.map(column => vectorOf(arrow, column, values[column.name] as ColumnValues))
  const fields = columns.map(({ name, unit }, at) => {
    const { type } = vectors[at] as Arrow.Vector
    return new arrow.Field(name, type, true, new Map(unit === undefined ? [] : [['unit', unit]]))
  })
  const schema = new arrow.Schema(fields)
  const children = vectors.flatMap(vector => vector.data)
  const data = arrow.makeData({ type: new arrow.Struct(fields), length: rows.length, nullCount: 0, children })
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, data)])
}

/** The little that is used of the package. */
type ArrowPackage = Pick<
  typeof Arrow,
  | 'Bool'
  | 'DateDay'
  | 'Field'
  | 'Float64'
  | 'RecordBatch'
  | 'Schema'
  | 'Struct'
  | 'Table'
  | 'TimeUnit'
  | 'Timestamp'
  | 'Utf8'
  | 'makeData'
  | 'makeVector'
  | 'tableToIPC'
  | 'vectorFromArray'
>

function vectorOf(arrow: ArrowPackage, { kind }: Column, values: ColumnValues): Arrow.Vector {
  switch (kind) {
    case 'instant': {
      // Made from whole numbers of 64 bits: from floating ones the package would make a column of doubles.
      const data = BigInt64Array.from(values as Float64Array, ms => (Number.isNaN(ms) ? 0n : BigInt(Math.round(ms))))
      return arrow.makeVector(
        arrow.makeData({
          type: new arrow.Timestamp(arrow.TimeUnit.MILLISECOND, 'UTC'),
          data,
          ...nullsIn(values as Float64Array),
        }),
      )
    }
    case 'number':
      return arrow.makeVector(
        arrow.makeData({ type: new arrow.Float64(), data: values as Float64Array, ...nullsIn(values as Float64Array) }),
      )
    case 'date': {
      const days = (values as (string | null)[]).map(day => (day === null ? Number.NaN : Date.parse(day) / DAY_MS))
      return arrow.makeVector(
        arrow.makeData({ type: new arrow.DateDay(), data: Int32Array.from(days), ...nullsIn(Float64Array.from(days)) }),
      )
    }
    case 'boolean':
      return arrow.vectorFromArray(values as (boolean | null)[], new arrow.Bool())
    default:
      return arrow.vectorFromArray(values as (string | null)[], new arrow.Utf8())
  }
}

/** A bit for each value that is there, as Arrow keeps them. */
function nullsIn(values: Float64Array): { length: number; nullCount: number; nullBitmap?: Uint8Array } {
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 64) * 8)
  let nullCount = 0
  values.forEach((value, at) => {
    if (Number.isNaN(value)) nullCount += 1
    else nullBitmap[at >> 3] = (nullBitmap[at >> 3] as number) | (1 << (at & 7))
  })
  return { length: values.length, nullCount, ...(nullCount > 0 ? { nullBitmap } : {}) }
}

async function loadPackage(): Promise<ArrowPackage> {
  try {
    return await import('apache-arrow')
  } catch (thrown) {
    throw new ConfigurationError(
      `toArrow needs an optional package; run: npm i apache-arrow (${describeCause(thrown).message})`,
      { setting: 'toArrow', source: 'installed packages' },
    )
  }
}
