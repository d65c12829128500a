import { exportedNames, type EntryPoint } from '../tooling/entry-points.ts'

/**
 * Small programs of people who installed the package. Kept as text: they are written next to an installed
 * tarball, where `headrace` means what it means to a user.
 */

/** Imports by name everything an entry point promises, and prints a line at its end. */
export function importing(entries: readonly EntryPoint[], style: 'top-level await' | 'async main'): string {
  const imports = entries.map(({ specifier }, i) => `import * as entry${i} from '${specifier}'`)
  const checks = entries.map(({ specifier, source }, i) => {
    const names = JSON.stringify(exportedNames(source).values)
    return `for (const name of ${names}) if (entry${i}[name] === undefined) throw new Error(name + ' of ${specifier}')`
  })
  const body = [...checks, `await Promise.resolve()`, `console.log('imported')`].join('\n')
  return [...imports, style === 'async main' ? `async function main() {\n${body}\n}\nvoid main()` : body, ''].join('\n')
}

/** Names every type and value of every entry point, under the strictest settings a user may have. */
export function typeCheck(entries: readonly EntryPoint[]): string {
  const lines = entries.flatMap(({ specifier, source }, i) => {
    const { values, types } = exportedNames(source)
    return [
      `import * as entry${i} from '${specifier}'`,
      `export const values${i}: readonly unknown[] = [${values.map(name => `entry${i}.${name}`).join(', ')}]`,
      ...types.map(name => `export { type ${name} as ${name}${i} } from '${specifier}'`),
    ]
  })
  return `${lines.join('\n')}\n`
}

/** What a user writes first. Not run: it would ask the real service. */
export const FIRST_CALL = `
import { createEmissions, getHistorical } from 'headrace/emissions'
import { isRequestError, type FailureKind } from 'headrace'

export async function firstCall(): Promise<number> {
  const { rows, meta } = await getHistorical({ region: 'CAISO_NORTH', start: '2025-01-01', end: new Date(0) })
  const when: Date | undefined = rows[0]?.point_time
  const value: number | null | undefined = rows[0]?.value
  return rows.length + meta.length + (value ?? 0) + (when?.getTime() ?? 0)
}

export async function ownClient(signal: AbortSignal): Promise<FailureKind | undefined> {
  const emissions = createEmissions({ username: 'a', password: 'b', retries: 3, concurrency: 4 })
  try {
    for await (const batch of emissions.streamHistorical({ region: 'CAISO_NORTH', last: 'P7D' }, { signal })) {
      void batch.rows.length
    }
  } catch (error) {
    return isRequestError(error) ? error.kind : undefined
  }
  return undefined
}
`

/**
 * R63. Imports everything with the doors watched: a socket, a timer, a listener, a line printed, a variable with
 * a setting or credential read, the environment changed, or a process that does not end by itself, is a failure.
 */
export function quiet(entries: readonly EntryPoint[]): string {
  return `
import { writeFileSync } from 'node:fs'
import net from 'node:net'

const seen = []
const { setTimeout } = globalThis
net.Socket.prototype.connect = () => seen.push('opened a socket')
net.Server.prototype.listen = () => seen.push('opened a port')
for (const name of ['setTimeout', 'setInterval', 'setImmediate']) globalThis[name] = () => seen.push('started ' + name)
const before = JSON.stringify(process.env)
const listeners = JSON.stringify(process.eventNames())
process.env = new Proxy(process.env, {
  get(env, name) {
    if (/^(WATTTIME|API_USGS|HEADRACE)_/.test(String(name))) seen.push('read ' + String(name))
    return env[name]
  },
  set: (env, name) => seen.push('wrote ' + String(name)),
})
${entries.map(({ specifier }) => `await import('${specifier}')`).join('\n')}
if (JSON.stringify({ ...process.env }) !== before) seen.push('changed the environment')
if (JSON.stringify(process.eventNames()) !== listeners) seen.push('listens on the process')
// The loader's own file handles close a moment later.
await new Promise(resolve => setTimeout(resolve, 50))
const streams = ['PipeWrap', 'TTYWrap']
seen.push(...process.getActiveResourcesInfo().filter(name => !streams.includes(name)).map(name => 'holds ' + name))
writeFileSync('seen.json', JSON.stringify({ seen, endedAt: Date.now() }))
`
}

/** The simulator's door without msw: the import or the start must fail, and name the package. */
export const SIMULATOR_WITHOUT_MSW = `
try {
  const { startSimulator } = await import('headrace/simulator')
  await (await startSimulator()).close()
  console.log('it started')
} catch (error) {
  console.log(String(error?.message))
}
`
