import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runScript } from '../support/run-script.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const docs = join(import.meta.dirname, '../../docs')

it(
  'the pictures of the documentation are what their script draws, byte for byte, in any zone',
  { timeout: 60_000 },
  async () => {
    const folder = tempFolder()
    const { code, stderr } = await runScript(join(docs, 'examples/pictures.ts'), [folder], { TZ: 'Pacific/Chatham' })
    expect([code, stderr]).toEqual([0, ''])
    const names = readdirSync(folder).sort()
    expect(
      readdirSync(join(docs, 'img'))
        .filter(name => name.endsWith('.svg'))
        .sort(),
    ).toEqual(names)
    for (const name of names)
      expect(readFileSync(join(docs, 'img', name), 'utf8') === readFileSync(join(folder, name), 'utf8'), name).toBe(
        true,
      )
  },
)
