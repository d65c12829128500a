/**
 * Imports the emissions adapter, does one thing with a result, and prints which packages had been loaded by then, as
 * JSON: after the import, and after the thing. The thing is the first argument; the second is a folder for a cache.
 */
import Module, { register } from 'node:module'
import { MessageChannel } from 'node:worker_threads'

const [thing = 'nothing', folder = ''] = process.argv.slice(2)

// Every module that is loaded passes by here, in a thread of its own; what is required inside a package does not.
const { port1, port2 } = new MessageChannel()
const hook = `
  let port
  export function initialize(data) { port = data.port }
  export async function load(url, context, next) { port.postMessage(url); return next(url, context) }`
register(`data:text/javascript,${encodeURIComponent(hook)}`, { data: { port: port2 }, transferList: [port2] })
const urls = new Set<string>()
port1.on('message', (url: string) => urls.add(url))
port1.unref()

async function packages(): Promise<string[]> {
  // Messages of the other thread may still be on their way.
  await new Promise(resolve => setTimeout(resolve, 50))
  const required = Object.keys((Module as unknown as Record<'_cache', object>)['_cache'])
  const paths = [...urls, ...required].map(path => path.replaceAll('\\', '/'))
  const names = paths.flatMap(path => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  return [...new Set(names)].sort()
}

const { createEmissions } = await import('../../../src/adapters/emissions/index.ts')
const atImport = await packages()

const { Retrieval } = await import('../../../src/retrieval/index.ts')
const rows = [0, 1, 2].map(at => ({ point_time: new Date(at * 300_000), value: at }))
const result = new Retrieval({
  service: 'acme',
  operation: 'get',
  rows,
  columns: [
    { name: 'point_time', kind: 'instant' },
    { name: 'value', kind: 'number' },
  ],
  meta: [],
  warnings: [],
})

const things: Readonly<Record<string, () => unknown>> = {
  nothing: () => [result.toCsv(), result.toJsonl(), result.toHtml(), result.toColumns()],
  chart: () => result.toSvg(),
  png: () => result.toPng(),
  arrow: () => result.toArrow(),
  cache: () =>
    createEmissions({ env: {}, username: 'a', password: 'b', baseUrl: 'http://127.0.0.1:9', cache: folder })
      .getAccess({}, { offline: true })
      .catch(() => {}),
}
await things[thing]?.()
console.log(JSON.stringify({ atImport, afterwards: await packages() }))
