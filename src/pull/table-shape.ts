import type { AnyRow } from '../retrieval/index.ts'

/** What a file says about itself, where its format has a place for it. */
export type FileFacts = Readonly<Record<string, string>>

/** Turns rows into a file of some format. */
export interface TableWriter {
  add(rows: readonly AnyRow[]): Promise<void>
  /** Writes what is left. The file itself is finished by its owner. @param facts - units and provenance */
  end(facts: FileFacts): Promise<void>
  /** What could not be written in this format so far, in words with numbers. */
  losses(): readonly string[]
}
