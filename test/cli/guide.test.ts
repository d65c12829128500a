import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSimulator } from '../../src/simulator/index.ts'
import { ROOT } from '../tooling/entry-points.ts'
import { tempFolder } from '../tooling/temp-folder.ts'
import { PROGRAM } from './built.ts'
import { shell } from './headrace.ts'

const guide = join(ROOT, 'docs/guide/command-line.md')
const SEPARATOR = '\u001E'
/** Where the guide says that the simulator is. */
const TOLD_URL = 'http://127.0.0.1:8080'

/** Runs the commands of a block, one after the other, and returns the block with what they printed. */
async function rerun(block: string, url: string, folder: string): Promise<string> {
  const commands = block.split('\n').flatMap(line => (line.startsWith('$ ') ? [line.slice(2)] : []))
  const script = commands.map(line => `{ ${line.replaceAll(TOLD_URL, url)}\n} 2>&1; printf '${SEPARATOR}'`).join('\n')
  const { stdout } = await shell(
    script,
    {
      PATH: `${folder}:${process.env['PATH']}`,
      WATTTIME_API_URL: url,
      WATTTIME_USER: 'demo',
      WATTTIME_PASSWORD: 'demo-pass-1!',
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
  return text.replace(/waited \d+\.\d s/g, 'waited …').replace(/\d+\.\d kB/g, '… kB')
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return [text.slice(0, at), text.slice(at + separator.length)]
}

// When an output changes on purpose: `npx vitest run test/cli/guide.test.ts -u`, and read the diff of the guide.
describe('the guide to the command line', () => {
  it('shows what the commands print', { timeout: 120_000 }, async () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'headrace'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`)
    chmodSync(join(folder, 'headrace'), 0o755)
    const simulator = await startSimulator()
    try {
      const page = readFileSync(guide, 'utf8')
      for (const [, name = '', text = ''] of page.matchAll(/```yaml file=(\S+)\n([\s\S]*?)```/g))
        writeFileSync(join(folder, name), text)
      const parts = page.split(/(?<=```console\n)([\s\S]*?)(?=```\n)/)
      for (let at = 1; at < parts.length; at += 2) parts[at] = await rerun(parts[at] ?? '', simulator.url, folder)
      expect(parts.length).toBeGreaterThan(10)
      await expect(parts.join('')).toMatchFileSnapshot(guide)
    } finally {
      await simulator.close()
    }
  })
})
