import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PullSpec } from '../../src/pull/index.ts'
import { systemDisk } from '../../src/pull/disk.ts'
import { foldManifest } from '../../src/pull/folder-state.ts'
import { readManifest } from '../../src/pull/manifest.ts'
import type { LineFile, ManifestLine } from '../../src/pull/manifest-lines.ts'
import { readTable } from '../../src/pull/table-reader.ts'
import type { AnyRow } from '../../src/retrieval/index.ts'

/** Two regions, two months each, a task a month. */
export const TWO_REGIONS: PullSpec = {
  start: '2024-01-01',
  end: '2024-02-29T23:55Z',
  pulls: [
    {
      service: 'emissions',
      operation: 'historical',
      each: { region: ['CAISO_NORTH', 'PJM_DC'] },
      segment: 'month',
    },
  ],
}

/** Paths of all files below a folder, relative, in order. None where there is no folder. */
export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

/** Files and what they hold, but for the manifest, in which instants of the day stand. */
export function contentsOf(folder: string, below = 'data'): Record<string, string> {
  const files = filesIn(folder).filter(path => path.startsWith(`${below}/`))
  return Object.fromEntries(files.map(path => [path, readFileSync(join(folder, path), 'base64')]))
}

export function manifestOf(folder: string): ManifestLine[] {
  return readFileSync(join(folder, 'manifest.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as ManifestLine)
}

/** All rows of the files that count, the files in the order of their tasks' time. */
export async function rowsIn(out: string, table?: string): Promise<AnyRow[]> {
  const { files, tasks } = foldManifest((await readManifest(systemDisk, out)).lines)
  const startOf = (file: LineFile): string => file.tasks.map(id => tasks.get(id)?.span?.start ?? '').sort()[0] ?? ''
  const data = [...files.values()]
    .filter(file => file.holds === 'data' && (table === undefined || file.table === table))
    .sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1))
  const rows: AnyRow[] = []
  for (const file of data)
    for await (const part of readTable(systemDisk, out, file)) for (const row of part) rows.push(row)
  return rows
}
