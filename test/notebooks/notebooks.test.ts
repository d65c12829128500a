import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jupyterCells, notebookFolder, srcbookCells, writeCells } from '../support/notebooks.ts'
import { runScript, type ScriptEnd } from '../support/run-script.ts'

const root = join(import.meta.dirname, '../..')
const notebooks = join(root, 'docs/notebooks')
const textOf = (name: string): string => readFileSync(join(notebooks, name), 'utf8')

/** What each cell prints, beside what every cell of its notebook does. */
const PRINTS: Readonly<Record<string, Readonly<Record<string, readonly RegExp[]>>>> = {
  'emissions.src.md': {
    'service.ts': [/^a simulation\n$/],
    'look.ts': [/emissions getHistorical: 210529 rows/, /holes: none/, /\n2[5-9] requests, \d+ ms\n$/],
    'chart.ts': [/wrote hours\.svg/],
    'columns.ts': [/mean of 8928 values: \d+\.\d lbs_co2_per_mwh/],
    'plan.ts': [/plan of getHistorical: 122 requests/],
  },
  'streamflow.src.md': {
    'service.ts': [/^a simulation\n$/],
    'look.ts': [/streamflow getDaily: 730 rows/, /in ft\^3\/s/],
    'chart.ts': [/wrote hydrograph\.svg and duration\.svg/],
    'series.ts': [/streamflow getTimeSeriesMetadata: \d+ rows/],
  },
  'water-quality.src.md': {
    'service.ts': [/^a simulation\n$/],
    'look.ts': [/water-quality getResults: 24 rows/, /value in mg\/l as P/, /\n[1-9]\d* requests\n$/],
    'chart.ts': [/^a simulation\n24 results, 3 of them below a limit\nwrote results\.svg\n$/],
    'inventory.ts': [/water-quality getSummary: \d+ rows/, /water-quality getCodes: 2 rows/],
  },
  'emissions.ipynb': {},
}

/** Runs a cell as Srcbook does: through tsx, in a process of its own, in the notebook's folder. */
function runCell(folder: string, name: string): Promise<ScriptEnd> {
  const env = {
    WATTTIME_USER: undefined,
    API_USGS_PAT: undefined,
    LIVE: undefined,
    TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
  }
  return runScript(join(folder, name), [], env, folder)
}

it('every notebook is run here, and every cell of it', () => {
  expect(Object.keys(PRINTS).sort()).toEqual(
    readdirSync(notebooks)
      .filter(name => /\.(src\.md|ipynb)$/.test(name))
      .sort(),
  )
  for (const [name, cells] of Object.entries(PRINTS))
    if (name.endsWith('.src.md')) expect(Object.keys(cells)).toEqual(srcbookCells(textOf(name)).map(cell => cell.name))
})

describe.each(Object.keys(PRINTS).filter(name => name.endsWith('.src.md')))('%s', notebook => {
  it('runs cell by cell, and says what it should', { timeout: 180_000 }, async () => {
    const folder = notebookFolder()
    const cells = srcbookCells(textOf(notebook))
    writeCells(folder, cells)
    const check = async ({ name }: { readonly name: string }): Promise<void> => {
      const { code, stdout, stderr } = await runCell(folder, name)
      expect([name, code, stderr]).toEqual([name, 0, ''])
      for (const pattern of PRINTS[notebook]?.[name] ?? []) expect(stdout).toMatch(pattern)
    }
    // No cell needs another to have run: each imports what it uses. But the first to look is to find nothing kept.
    const first = cells.filter(({ name }) => name === 'look.ts')
    for (const cell of first) await check(cell)
    await Promise.all(cells.filter(cell => !first.includes(cell)).map(check))
    if (notebook === 'streamflow.src.md') return
    // Must show: run again, the cell asks nobody.
    const again = await runCell(folder, 'look.ts')
    expect(again.stdout).toMatch(/\n0 requests\b/)
    if (notebook !== 'emissions.src.md') return
    expect(again.stdout).toMatch(/emissions getHistorical: 210529 rows/)
    expect(again.stdout).toMatch(/\n0 requests, \d+ ms\n$/)
    // With refresh, which the environment may ask for as well, it asks for all of it.
    writeFileSync(join(folder, 'refreshed.ts'), `process.env['HEADRACE_REFRESH'] = 'yes'\nawait import('./look.ts')\n`)
    expect((await runCell(folder, 'refreshed.ts')).stdout).toMatch(/\n2[5-9] requests, \d+ ms\n$/)
  })
})

it('emissions.ipynb: its cells, one after the other, are a program that runs', { timeout: 60_000 }, async () => {
  const folder = notebookFolder()
  const cells = jupyterCells(textOf('emissions.ipynb'))
  expect(cells.length).toBeGreaterThan(3)
  writeCells(folder, [{ name: 'all.ts', code: cells.map(({ code }) => code).join('\n') }])
  const { code, stdout, stderr } = await runCell(folder, 'all.ts')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.split('\n')).toEqual(['a simulation', '2016 rows', '<svg', 'done', ''])
})
