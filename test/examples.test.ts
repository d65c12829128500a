import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runScript } from './support/run-script.ts'

const folder = resolve(import.meta.dirname, '../docs/examples')
const root = resolve(import.meta.dirname, '..')

/** Programs that need nothing but a simulator of their own; a `-source` is what they share. */
const examples = readdirSync(folder).filter(name => name.startsWith('streamflow-') && !name.endsWith('-source.ts'))

describe('examples', () => {
  it('are there, one for each family of getters', () => {
    expect(examples).toHaveLength(6)
  })

  it.each(examples)(
    '%s runs on a simulator, and prints tables with rows',
    async name => {
      const { code, stdout, stderr } = await runScript(join(folder, name), [], {
        LIVE: undefined,
        API_USGS_PAT: undefined,
        TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
      })
      expect({
        code,
        stderr: stderr.split('\n').filter(line => line !== '' && !line.includes('simulator at')),
      }).toEqual({
        code: 0,
        stderr: [],
      })
      const counts = [...stdout.matchAll(/(\d[\d,]*) rows?\b/g)].map(([, count = '0']) =>
        Number(count.replaceAll(',', '')),
      )
      expect(counts.length).toBeGreaterThan(0)
      expect(counts.filter(count => count === 0)).toEqual([])
    },
    120_000,
  )
})
