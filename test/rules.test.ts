import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testTitles, titlesIn } from './tooling/test-titles.ts'

const titles = testTitles(import.meta.dirname)
const named = new Set(titles.flatMap(title => title.match(/\b[RF]\d{1,2}\b/g) ?? []))

const numbered = (letter: string, last: number, digits: number): string[] =>
  Array.from({ length: last }, (_, at) => `${letter}${String(at + 1).padStart(digits, '0')}`)

/** What can only be shown with the packed package: a program of its own, run by `npm run check`. */
const packTest = readFileSync(join(import.meta.dirname, 'pack', 'check.ts'), 'utf8')

describe('rules and field cases', () => {
  it('has a test that names every resilience rule', () => {
    expect(numbered('R', 63, 1).filter(rule => !named.has(rule))).toEqual([])
  })

  it('has a test that names every field case', () => {
    expect(numbered('F', 59, 2).filter(rule => !named.has(rule) && !packTest.includes(rule))).toEqual([])
  })

  it('reads the titles of plain tests, tables and groups, and nothing else', () => {
    const text =
      "// it('R1')\ndescribe('R2', () => { it.each([['R3']])('R4: %s', () => { const note = 'R5' }) })\nit(`R6 ${'R7'}`, () => {})"
    expect(titlesIn(text).join(' ').match(/R\d/g)).toEqual(['R2', 'R4', 'R6', 'R7'])
  })

  it('counts no test that does not run', () => {
    const text =
      "it.skip('R1', f)\nit.todo('R2')\ndescribe.skip('R3', () => { it('R4', f) })\nit.each.skip([1])('R5', f)\nit('R6', f)\ndescribe.skipIf(x)('R7', () => { it('R8', f) })"
    expect(titlesIn(text).join(' ').match(/R\d/g)).toEqual(['R6'])
  })
})
