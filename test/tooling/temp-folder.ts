import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { currentSearch } from './leaks.ts'

/** An empty folder for the running test. At the test's end its files are searched for secrets and it is removed. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headrace-'))
  onTestFinished(() => {
    currentSearch().seenFolder(folder)
    rmSync(folder, { recursive: true })
  })
  return folder
}
