import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createEmissions } from '../../src/adapters/emissions/index.ts'
import { createStreamflow } from '../../src/adapters/streamflow/index.ts'
import { ConfigurationError, QueryError, RequestError, RetrievalInterrupted } from '../../src/errors.ts'
import { Retrieval } from '../../src/retrieval/index.ts'
import { textWidth } from '../../src/plain-text.ts'
import { COLUMNS, fiveMinutely, metaRow, minute, resultOf } from './sample-result.ts'

/** A notebook's front end, as far as a value sees of it: asks the hook if there is one, and takes what it gives. */
async function frontEnd(value: object): Promise<Readonly<Record<string, string>>> {
  const hook: unknown = (value as Record<symbol, unknown>)[Symbol.for('Jupyter.display')]
  if (typeof hook !== 'function') return { 'text/plain': inspect(value) }
  return (await hook.call(value)) as Record<string, string>
}

const NASTY = '</table><script>alert(1)</script>\u001b[31m"&\''

const failure = new RequestError('timeout', `no byte for 60000 ms ${NASTY}; raise readTimeoutMs`, {
  service: 'acme',
  operation: 'getSeries',
  method: 'GET',
  url: 'https://acme.test/v1/series?from=1',
  attempts: 2,
  span: { start: minute(0), end: minute(60) },
})
const interrupted = new RetrievalInterrupted(failure, {
  done: [],
  left: [{ start: minute(0), end: minute(60) }],
  partial: () => resultOf([]),
  resume: () => Promise.resolve(resultOf([])),
  checkpoint: () => ({ version: 1, service: 'acme', operation: 'getSeries', query: {}, left: [] }),
})
const emissions = createEmissions({ env: {} })
const streamflow = createStreamflow({ env: {} })
const site = { monitoringLocationId: 'USGS-01646500', parameterCode: '00060' }

const shown: readonly (readonly [string, object, string])[] = [
  ['a result', resultOf(fiveMinutely([1, 2, 3])), 'acme historical: 3 rows'],
  ['its metadata', resultOf([], { meta: [metaRow(), metaRow({ cached: true })] }).meta, '2 responses'],
  [
    'a plan',
    emissions.planHistorical({ region: 'A', start: '2024-01-01', end: '2024-03-01' }),
    'plan of getHistorical: 2 requests',
  ],
  [
    'a plan of another service',
    streamflow.planDaily({ ...site, start: '2020-01-01', end: '2020-12-31' }),
    'plan of getDaily: 1 request, 366 rows expected, within the quota',
  ],
  ['a request that failed', failure, 'RequestError (timeout): no byte for 60000 ms'],
  ['a retrieval that broke off', interrupted, 'RetrievalInterrupted (timeout): no byte for 60000 ms'],
  ['a refused query', new QueryError('no such thing', { argument: 'x', value: 1 }), 'QueryError (HEADRACE_QUERY)'],
  ['a refused setting', new ConfigurationError('no', { setting: 'rate', source: 'env' }), 'ConfigurationError'],
]

describe.each(shown)('%s', (_what, value, says) => {
  it('shows itself in a terminal, in 100 columns where no address is longer, without colour', () => {
    const text = inspect(value, { colors: true })
    expect(text).toContain(says)
    expect(text).not.toContain('\u001b')
    for (const line of text.split('\n'))
      if (!/https?:|\bat /.test(line)) expect(textWidth(line), line).toBeLessThanOrEqual(100)
  })

  it('shows itself in a notebook as text and as markup, every value escaped', async () => {
    const bundle = await frontEnd(value)
    expect(bundle['text/plain']).toBe(inspect(value))
    expect(bundle['text/html']).toMatch(/^<div/)
    expect(bundle['text/html']).not.toContain('<script')
    expect(bundle['text/html']).not.toContain('\u001b')
  })

  it('has nothing more for those who copy or count it', () => {
    expect(Object.getOwnPropertySymbols({ ...value })).toEqual([])
  })
})

describe('the bundle of a result', () => {
  it('holds a picture of a single series, and none of several or of a table without times', async () => {
    const one = await frontEnd(resultOf(fiveMinutely([1, 2, 3])))
    expect(one['image/svg+xml']).toMatch(/^<svg/)
    const columns = [{ name: 'site', kind: 'text' }, ...COLUMNS] as const
    const rows = ['a', 'b'].flatMap(name => fiveMinutely([1, 2]).map(row => ({ site: name, ...row })))
    const two = await frontEnd(resultOf(rows, { columns, chart: { series: ['site'] } }))
    expect(Object.keys(two)).toEqual(['text/plain', 'text/html'])
    expect(Object.keys(await frontEnd(resultOf([])))).toEqual(['text/plain', 'text/html'])
  })
})

describe('toHtml', () => {
  it('escapes names, units and values, and counts what it leaves out', () => {
    const columns = [
      { name: NASTY, kind: 'text' },
      { name: 'value', kind: 'number', unit: NASTY },
    ] as const
    const rows = Array.from({ length: 30 }, (_, at) => ({ [NASTY]: NASTY, value: at }))
    const html = new Retrieval({
      service: 'acme',
      operation: 'get',
      rows,
      columns,
      meta: [],
      warnings: [NASTY],
    }).toHtml()
    expect(html).not.toContain('<script')
    expect(html).not.toContain('\u001b')
    expect(html.match(/<tr>/g)).toHaveLength(1 + 8 + 1 + 4)
    expect(html).toContain('… 18 more rows …')
    expect(html).toContain('&lt;script&gt;')
  })
})

describe('an error', () => {
  it('says what is missing, and shows a few frames and not a page of them', () => {
    const text = inspect(interrupted)
    expect(text).toContain('  left: 2024-03-01T00:00:00Z to 2024-03-01T01:00:00Z')
    expect(text.split('\n').filter(line => line.startsWith('    at ')).length).toBeLessThanOrEqual(5)
  })

  it('is still all that an error is', () => {
    expect(interrupted.stack).toContain('RetrievalInterrupted')
    expect(JSON.parse(JSON.stringify(failure))).toMatchObject({ kind: 'timeout', attempts: 2 })
  })
})
