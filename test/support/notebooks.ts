import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { currentSearch } from '../tooling/leaks.ts'

/** A cell of a notebook that holds code. */
export interface CodeCell {
  readonly name: string
  readonly code: string
}

const ROOT = join(import.meta.dirname, '../..')

/** Code cells of a Srcbook, in order: a heading of the sixth level names the file, a fence holds it. */
export function srcbookCells(text: string): CodeCell[] {
  if (!text.startsWith('<!-- srcbook:{"language":"typescript"} -->\n\n# ')) throw new Error('not a Srcbook')
  return [...text.matchAll(/^###### (\S+\.ts)\n\n```typescript\n([\s\S]*?)^```$/gm)].map(
    ([, name = '', code = '']) => ({
      name,
      code,
    }),
  )
}

/** Code cells of a Jupyter notebook, in order. They share what they declare: together they are one program. */
export function jupyterCells(text: string): CodeCell[] {
  const { cells } = JSON.parse(text) as { cells: { cell_type: string; source: string[] }[] }
  return cells
    .filter(cell => cell.cell_type === 'code')
    .map(({ source }, at) => ({ name: `cell ${at + 1}`, code: source.join('') }))
}

/** A folder inside the project, so that `headrace` and its packages are found from there. Removed at the test's end. */
export function notebookFolder(): string {
  mkdirSync(join(ROOT, 'out'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'out/notebook-'))
  onTestFinished(() => {
    currentSearch().seenFolder(folder)
    rmSync(folder, { recursive: true })
  })
  return folder
}

export function writeCells(folder: string, cells: readonly CodeCell[]): void {
  for (const { name, code } of cells) writeFileSync(join(folder, name), code)
}
