import type { AnyRow, Column } from '../retrieval/index.ts'
import type { Disk } from './disk.ts'
import type { LineFile } from './manifest-lines.ts'
import { startFile, type NewFile } from './new-file.ts'
import type { Labels } from './series.ts'
import type { PullFormat } from './spec.ts'
import type { FileFacts, TableWriter } from './table-shape.ts'
import { openTable } from './table-writer.ts'

/** Where rows of one table go. */
export interface TableTarget {
  readonly disk: Disk
  readonly out: string
  readonly format: PullFormat
  /** Path of the n-th file, from 0. */
  readonly path: (nth: number) => string
  /** What the manifest says of each file. */
  readonly about: Pick<LineFile, 'holds' | 'table' | 'series' | 'tasks'>
  /** Columns that have one value in all rows, which do not say it themselves. @defaultValue none */
  readonly constants?: Labels
}

interface Open {
  readonly file: NewFile
  readonly table: TableWriter
  readonly columns: readonly Column[]
  rows: number
}

/** Writes rows as they come. A column that nobody knew of before begins a new file: a head that is written stays. */
export class TableFiles {
  readonly #target: TableTarget
  readonly #done: LineFile[] = []
  #open: Open | undefined
  #nth = 0
  readonly #losses: string[] = []

  constructor(target: TableTarget) {
    this.#target = target
  }

  /** @param columns - those known by now; units may be among them */
  async add(rows: readonly AnyRow[], columns: readonly Column[], facts: FileFacts): Promise<void> {
    if (rows.length === 0) return
    if (this.#open && !hasAll(this.#open.columns, columns)) await this.#close(facts)
    this.#open ??= await this.#start(columns)
    await this.#open.table.add(rows)
    this.#open.rows += rows.length
  }

  /** Makes all files last. They count when the manifest names them. */
  async finish(facts: FileFacts): Promise<readonly LineFile[]> {
    await this.#close(facts)
    return this.#done
  }

  /** What could not be written in this format, in words with numbers, when all files are finished. */
  get losses(): readonly string[] {
    return this.#losses
  }

  /** Takes away what was written. Finished files of an unfinished task count for nothing, and go, too. */
  async discard(): Promise<void> {
    await this.#open?.file.discard()
    const { disk, out } = this.#target
    for (const { path } of this.#done) await disk.remove(`${out}/${path}`).catch(() => undefined)
  }

  async #start(columns: readonly Column[]): Promise<Open> {
    const { disk, out, format, path, constants = {} } = this.#target
    const file = await startFile(disk, out, path(this.#nth++))
    try {
      return { file, table: await openTable(format, file, columns, constants), columns, rows: 0 }
    } catch (thrown) {
      await file.discard()
      throw thrown
    }
  }

  async #close(facts: FileFacts): Promise<void> {
    const open = this.#open
    if (open === undefined) return
    await open.table.end(facts)
    this.#losses.push(...open.table.losses())
    const { bytes, sha256 } = await open.file.finish()
    this.#open = undefined
    this.#done.push({
      path: open.file.path,
      ...this.#target.about,
      rows: open.rows,
      bytes,
      sha256,
      columns: open.columns,
    })
  }
}

function hasAll(known: readonly Column[], wanted: readonly Column[]): boolean {
  return known === wanted || wanted.every(({ name }) => known.some(column => column.name === name))
}
