import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { userAgent, version } from '../src/version.ts'

describe('version', () => {
  it('is the one of package.json', () => {
    const text = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')
    expect(version).toBe((JSON.parse(text) as { version: string }).version)
  })

  it('is how the package names itself to services', () => {
    expect(userAgent).toBe(`headrace/${version} (+node ${process.versions.node})`)
  })
})
