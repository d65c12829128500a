import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OperationEntry } from '../../src/pull/service-entry.ts'
import { SERVICES } from '../../src/pull/services.ts'
import { ROOT } from '../tooling/entry-points.ts'

const PAGE = join(ROOT, 'docs/guide/bulk-pulls.md')
const HEAD = '| Service | Operation | One task | Holes are known | What was revised |\n|---|---|---|---|---|\n'
const BACK: Readonly<Record<string, string>> = { P30D: '30 days', P1Y: 'a year' }
const TASKS = { day: 'a day', month: 'a month', year: 'a year', all: 'all of it' }

function holesOf({ cadenceMs }: OperationEntry): string {
  if (cadenceMs === undefined) return 'no'
  return cadenceMs({}, {}) === undefined ? 'with `cadence` in the query' : 'yes'
}

function revisedOf({ time, revisions, lookBack = 'P30D' }: OperationEntry): string {
  if (time === undefined) return 'is not looked for'
  return revisions === undefined ? `is looked for ${BACK[lookBack] ?? lookBack} back` : 'is asked for'
}

function rowOf(service: string, operation: string, entry: OperationEntry): string {
  const task = TASKS[entry.time === undefined ? 'all' : (entry.time.segment ?? 'year')]
  return `| ${service} | \`${operation}\` | ${task} | ${holesOf(entry)} | ${revisedOf(entry)} |\n`
}

describe('the guide to bulk pulls', () => {
  // When an operation comes or goes: `npx vitest run test/pull/pullable.test.ts -u`.
  it('lists what can be pulled, all of it and nothing else', async () => {
    const rows = Object.entries(SERVICES).flatMap(([service, { operations }]) =>
      Object.entries(operations).map(([name, entry]) => rowOf(service, name, entry)),
    )
    const page = readFileSync(PAGE, 'utf8')
    expect(rows.length).toBeGreaterThan(10)
    await expect(page.replace(/\| Service \|(?:.*\n)(?:\|.*\n)+/, () => HEAD + rows.join(''))).toMatchFileSnapshot(PAGE)
  })
})
