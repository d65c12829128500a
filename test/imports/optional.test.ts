import { join } from 'node:path'
import { expect, it } from 'vitest'
import { manifest } from '../tooling/entry-points.ts'
import { runScript } from '../support/run-script.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const script = join(import.meta.dirname, 'scripts/load.ts')
const OPTIONAL = Object.keys(manifest.peerDependencies)

/** Optional packages that are loaded after the import, and after doing one thing with a result. */
async function loadedFor(thing: string): Promise<{ atImport: string[]; afterwards: string[]; all: string[] }> {
  const { stdout, stderr } = await runScript(script, [thing, tempFolder()])
  expect(stderr).toBe('')
  const { atImport, afterwards } = JSON.parse(stdout) as { atImport: string[]; afterwards: string[] }
  const optional = (names: readonly string[]): string[] => names.filter(name => OPTIONAL.includes(name))
  return { atImport: optional(atImport), afterwards: optional(afterwards), all: atImport }
}

it.each([
  ['nothing', []],
  ['chart', ['@observablehq/plot', 'linkedom']],
  ['png', ['@observablehq/plot', '@resvg/resvg-js', 'linkedom']],
  ['arrow', ['apache-arrow']],
  ['cache', ['cacache']],
])('%s: no optional package is loaded by the import, and then only %j', async (thing, expected) => {
  const { atImport, afterwards, all } = await loadedFor(thing)
  // The list is not empty for want of looking: what every import needs is in it.
  expect(all).toEqual(expect.arrayContaining(['axios', 'axios-retry', 'luxon', 'p-limit', 'zod']))
  expect(atImport).toEqual([])
  expect(afterwards).toEqual(expected)
})
