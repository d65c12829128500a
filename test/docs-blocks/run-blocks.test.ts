import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { notebookFolder, writeCells } from '../support/notebooks.ts'
import { runScript } from '../support/run-script.ts'

const root = join(import.meta.dirname, '../..')
const guide = readdirSync(join(root, 'docs/guide'))
const pages = ['README.md', ...guide.filter(name => name.endsWith('.md')).map(name => `docs/guide/${name}`)]

/** Packages of the snippets in plain JavaScript, which not every machine can have. */
const OPTIONAL = 'nodejs-polars'
const hasPolars = canLoad(OPTIONAL)
if (!hasPolars) console.warn(`${OPTIONAL} is not installed: the snippet that uses it is not run`)

function canLoad(name: string): boolean {
  try {
    createRequire(import.meta.url)(name)
    return true
  } catch {
    return false
  }
}

/** A block that names a database needs a server: those are type-checked, and `loadPostgres` has tests of its own. */
const NEEDS_SERVER = /postgres:\/\//

/** Files that a page shows: marked with their names, or as text whose first line says it (`# spec.yaml`). */
function filesOf(page: string): { readonly name: string; readonly text: string }[] {
  const text = readFileSync(join(root, page), 'utf8')
  const marked = [...text.matchAll(/```\w+ file=(\S+)\n([\s\S]*?)```/g)]
  const indented = [...text.matchAll(/^ {4}# (\w+\.yaml)\n((?: {4}.*\n)+)/gm)]
  return [
    ...marked.map(([, name = '', lines = '']) => ({ name, text: lines })),
    ...indented.map(([, name = '', lines = '']) => ({ name, text: lines.replaceAll(/^ {4}/gm, '') })),
  ]
}

function blocksOf(page: string): { readonly name: string; readonly code: string }[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/```(ts|js)\n([\s\S]*?)```/g)]
    .filter(([, language, code = '']) => (language === 'ts' || hasPolars) && !NEEDS_SERVER.test(code))
    .map(([, language, code = ''], at) => ({ name: `block-${at + 1}.${language === 'ts' ? 'ts' : 'mjs'}`, code }))
}

describe.each(pages.filter(page => blocksOf(page).length > 0))('%s', page => {
  it('every block of code runs to its end', { timeout: 120_000 }, async () => {
    const folder = notebookFolder()
    const blocks = blocksOf(page)
    writeCells(
      folder,
      blocks.map(({ name, code }) => ({ name, code: `${code}\nexport {}\n` })),
    )
    for (const { name, text } of filesOf(page)) writeFileSync(join(folder, name), text)
    const programs = blocks.map(({ name }) => join(folder, name))
    const { code, stdout, stderr } = await runScript(
      join(import.meta.dirname, 'scripts/run.ts'),
      programs,
      {
        WATTTIME_USER: 'demo',
        WATTTIME_PASSWORD: 'demo-pass-1!',
        HEADRACE_RATE: '10000',
        XDG_CACHE_HOME: join(folder, 'cache'),
        TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
      },
      folder,
    )
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    for (const program of programs) expect(stdout).toContain(`ended well: ${program}`)
  })
})
