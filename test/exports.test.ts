import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { version } from '../src/version.ts'
import { ENTRY_POINTS, exportedNames, manifest, ROOT } from './tooling/entry-points.ts'

describe('the exports map', () => {
  it('has the package itself and its manifest', () => {
    expect(Object.keys(manifest.exports)).toEqual(expect.arrayContaining(['.', './package.json']))
  })

  it('stands beside the version that the code states', () => {
    expect(version).toBe(manifest.version)
  })

  it.each(ENTRY_POINTS)('$key is built from a source that exists, types first', ({ conditions, source }) => {
    expect(Object.keys(conditions)).toEqual(['types', 'default'])
    expect(conditions['types']).toBe(conditions['default']?.replace(/\.js$/, '.d.ts'))
    expect(source).toMatch(/^src\/(.+\/)?index\.ts$/)
    expect(existsSync(join(ROOT, source)), source).toBe(true)
  })
})

// Public API. When a name comes or goes on purpose: `npx vitest run test/exports.test.ts -u`, read the diff of
// exports.txt, and say so in CHANGELOG.md.
describe('what can be imported', () => {
  it('is exactly what the list says', async () => {
    const list = ENTRY_POINTS.map(({ specifier, source }) => {
      const { values, types } = exportedNames(source)
      return [specifier, ...values.map(name => `  ${name}`), ...types.map(name => `  type ${name}`)].join('\n')
    })
    await expect(`${list.join('\n\n')}\n`).toMatchFileSnapshot('tooling/exports.txt')
  })

  it.each(ENTRY_POINTS)('$specifier gives its values when it is imported', async ({ source }) => {
    const module = (await import(join(ROOT, source))) as object
    expect(Object.keys(module).sort()).toEqual(exportedNames(source).values)
    expect(Object.values(module)).not.toContain(undefined)
  })
})
