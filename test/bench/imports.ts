/**
 * What it costs to import the built package, beside importing what it cannot do without: `npm run build`, then
 * `npx tsx test/bench/imports.ts`. Each import runs in a process of its own, in turn; medians of milliseconds.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const TIMES = 21
const root = fileURLToPath(new URL('../../', import.meta.url))
const built = `${root}dist/adapters/emissions/index.js`
if (!existsSync(built)) throw new Error('nothing is built yet: npm run build')

const IMPORTS = {
  'axios, zod and luxon': ['axios', 'zod', 'luxon'],
  'headrace/emissions': [pathToFileURL(built).href],
}

function timeOf(modules: readonly string[]): number {
  const code = `const began = performance.now()
    ${modules.map(name => `await import(${JSON.stringify(name)})`).join('\n')}
    process.stdout.write(String(performance.now() - began))`
  const text = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: root, encoding: 'utf8' })
  return Number(text)
}

const times = Object.fromEntries(Object.keys(IMPORTS).map(name => [name, [] as number[]]))
for (let turn = 0; turn < TIMES; turn++)
  for (const [name, modules] of Object.entries(IMPORTS)) times[name]?.push(timeOf(modules))

const medians = Object.entries(times).map(([name, all]) => [name, all.sort((a, b) => a - b)[TIMES >> 1] ?? 0] as const)
for (const [name, ms] of medians) console.log(`${name}: ${ms.toFixed(0)} ms`)
console.log(`ratio: ${((medians[1]?.[1] ?? 0) / (medians[0]?.[1] ?? 1)).toFixed(2)}`)
