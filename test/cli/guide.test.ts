import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandGroups } from '../../src/cli/commands.ts'
import { readCommandLine } from '../../src/cli/program.ts'
import { startSimulator } from '../../src/simulator/index.ts'
import { startPostgres } from '../support/postgres.ts'
import { ROOT } from '../tooling/entry-points.ts'
import { tempFolder } from '../tooling/temp-folder.ts'
import { PROGRAM } from './built.ts'
import { shell } from './headrace.ts'

const SEPARATOR = '\u001E'
/** Where the guide says that the simulator is. */
const TOLD_URL = 'http://127.0.0.1:8080'

/** Runs the commands of a block, one after the other, and returns the block with what they printed. */
async function rerun(
  block: string,
  url: string,
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const commands = block.split('\n').flatMap(line => (line.startsWith('$ ') ? [line.slice(2)] : []))
  const script = commands.map(line => `{ ${line.replaceAll(TOLD_URL, url)}\n} 2>&1; printf '${SEPARATOR}'`).join('\n')
  const { stdout } = await shell(
    script,
    {
      PATH: `${folder}:${process.env['PATH']}`,
      WATTTIME_API_URL: url,
      WATTTIME_USER: 'demo',
      WATTTIME_PASSWORD: 'demo-pass-1!',
      SIMULATED: `--set streamflow.baseUrl=${url} --set water-quality.baseUrl=${url}`,
      ...more,
    },
    folder,
  )
  const printed = stdout.split(SEPARATOR)
  const told = new Map(
    block
      .split(/^\$ /m)
      .slice(1)
      .map(part => splitOnce(part, '\n')),
  )
  return commands
    .map((line, at) => {
      const now = (printed[at] ?? '').replaceAll(url, TOLD_URL)
      const before = told.get(line)
      return `$ ${line}\n${before !== undefined && steady(before) === steady(now) ? before : now}`
    })
    .join('')
}

/** Without figures that differ from run to run. */
function steady(text: string): string {
  return text
    .replace(/waited \d+\.\d s/g, 'waited …')
    .replace(/\d+\.\d (?:kB|MB)/g, '… kB')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return [text.slice(0, at), text.slice(at + separator.length)]
}

/** A page of the guide, and what its commands find around them. */
const PAGES: readonly (readonly [page: string, needs: 'nothing more' | 'a database'])[] = [
  ['command-line.md', 'nothing more'],
  ['bulk-pulls.md', 'nothing more'],
  ['etl.md', 'a database'],
]

// When an output changes on purpose: `npx vitest run test/cli/guide.test.ts -u`, and read the diff of the guide.
describe('what commands print in the guide', () => {
  it.each(PAGES)('%s: is what they print, with %s', { timeout: 120_000 }, async (name, needs) => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'headrace'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`)
    chmodSync(join(folder, 'headrace'), 0o755)
    const simulator = await startSimulator()
    const database = needs === 'a database' ? await startPostgres() : undefined
    try {
      const path = join(ROOT, 'docs/guide', name)
      const page = readFileSync(path, 'utf8')
      for (const [, file = '', text = ''] of page.matchAll(/```\w+ file=(\S+)\n([\s\S]*?)```/g))
        writeFileSync(join(folder, file), text)
      const parts = page.split(/(?<=```console\n)([\s\S]*?)(?=```\n)/)
      for (let at = 1; at < parts.length; at += 2) {
        parts[at] = await rerun(parts[at] ?? '', simulator.url, folder, database && variablesOf(database.connection))
      }
      expect(parts.length).toBeGreaterThan(4)
      await expect(parts.join('')).toMatchFileSnapshot(path)
    } finally {
      await simulator.close()
      await database?.close()
    }
  })

  it('are those that its programs in other languages call', async () => {
    const text = readFileSync(join(ROOT, 'docs/guide/etl.md'), 'utf8')
    const calls = [...text.matchAll(/\["(?:pull|sync|verify|load)"[^\]]*\]/g)].map(
      ([list]) => JSON.parse(list) as string[],
    )
    expect(calls).toHaveLength(7)
    for (const args of calls) {
      const wish = await readCommandLine(args, commandGroups(), { width: 100, below: '' })
      expect(wish).toMatchObject({ type: 'run', path: args[0] })
    }
  })

  it('shows every command', () => {
    const text = PAGES.map(([name]) => readFileSync(join(ROOT, 'docs/guide', name), 'utf8')).join('')
    const shown = [...text.matchAll(/^\$ .*$/gm)].map(([line]) => line).join('\n')
    const names = commandGroups().flatMap(({ commands }) => commands.map(({ name }) => name))
    expect(names.filter(name => !new RegExp(`headrace ${name}\\b`).test(shown))).toEqual([])
    expect(names.length).toBeGreaterThan(12)
  })
})

function variablesOf(connection: string): Readonly<Record<string, string>> {
  const { hostname, port, username, pathname } = new URL(connection)
  return { PGHOST: hostname, PGPORT: port, PGUSER: username, PGDATABASE: pathname.slice(1) }
}
