import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformWithOxc } from 'vite'
import { afterAll, beforeAll } from 'vitest'
import { ROOT } from '../tooling/entry-points.ts'

/**
 * The program as it is built, without the check of types: what is started a hundred times should start quickly.
 * Built once for each test file, where its packages are found, and removed at the file's end.
 */
const folder = join(ROOT, 'node_modules/.cache', `headrace-${process.pid}`)

/** What `bin` in package.json leads to. */
export const PROGRAM: string = join(folder, 'cli/main.js')

beforeAll(async () => {
  for (const name of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    const target = join(folder, name.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, await builtText(name))
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function builtText(name: string): Promise<string> {
  const { code } = await transformWithOxc(readFileSync(join(ROOT, 'src', name), 'utf8'), name, {
    lang: 'ts',
    sourcemap: false,
    typescript: { rewriteImportExtensions: true, onlyRemoveTypeImports: true },
  })
  return code
}
