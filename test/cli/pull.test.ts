import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { duckDb } from '../support/duckdb.ts'
import { contentsOf, filesIn } from '../support/pulling.ts'
import { tempFolder } from '../tooling/temp-folder.ts'
import { binary, inside, simulated, start } from './headrace.ts'

const WHAT = ['--service', 'emissions', '--operation', 'historical', '--each', 'region=CAISO_NORTH,PJM_DC']
const TIMES = ['--start', '2024-01-01', '--end', '2024-02-29T23:55Z', '--segment', 'month']
const SPEC = [...WHAT, ...TIMES]

const YAML = `
start: '2024-01-01'
end: '2024-02-29T23:55Z'
pulls:
  - service: emissions
    operation: historical
    each: { region: [CAISO_NORTH, PJM_DC] }
    segment: month
`

interface Document {
  readonly outcome: string
  readonly exitCode: number
  readonly plan: { readonly id: string; readonly requests: object; readonly tasks: readonly object[] }
  readonly report: { readonly rows: number; readonly tasks: object; readonly requests: number }
  readonly message: string
}

const documentIn = (stdout: string): Document => JSON.parse(stdout) as Document

describe('headrace plan', () => {
  it('says what a pull takes, and asks for nothing', async () => {
    const { env, simulator } = await simulated()
    const { stdout, code } = await inside(['plan', ...SPEC, '--tasks'], { env })
    expect(stdout).toMatch(/^tasks {5}4, of which 0 are there already$/m)
    expect(stdout).toMatch(/^rows {6}34,560$/m)
    expect(stdout.match(/^historical .*T00:00:00Z/gm)).toHaveLength(4)
    expect(simulator.requests).toEqual([])
    expect(code).toBe(0)
  })

  it('is the same from a file as from options', async () => {
    const { env } = await simulated()
    const file = join(tempFolder(), 'pull.yaml')
    writeFileSync(file, YAML)
    const [one, other] = await Promise.all([
      inside(['plan', file, '--json'], { env }),
      inside(['plan', ...SPEC, '--json'], { env }),
    ])
    expect(documentIn(one.stdout).plan.tasks).toHaveLength(4)
    expect(documentIn(one.stdout)).toEqual(documentIn(other.stdout))
  })

  it('reads arguments as the query has them, and addresses of one service', async () => {
    const { env, simulator } = await simulated()
    const what = ['--service', 'emissions', '--operation', 'historical-forecast', '--query', 'horizonHours=2']
    const where = ['--query', 'region=CAISO_NORTH', '--start', '2024-01-01', '--end', '2024-01-01T23:55Z']
    const { stdout } = await inside(
      ['plan', ...what, ...where, '--json', '--set', `streamflow.baseUrl=${simulator.url}`],
      { env },
    )
    expect(documentIn(stdout).plan).toMatchObject({ expectedRows: 288 * 24 })
  })

  it.each<[what: string, args: string[], message: string]>([
    ['nothing', [], 'say what to pull: a file, or --service and --operation'],
    ['a file that is not there', ['nowhere.yaml'], 'cannot read nowhere.yaml: there is no such file'],
    ['a file and options', ['pull.yaml', ...WHAT], 'pull.yaml says what to pull: --service stands beside it'],
    ['a service nobody knows', ['--service', 'emision', '--operation', 'x'], 'did you mean emissions?'],
    ['an operation nobody knows', ['--service', 'emissions', '--operation', 'histrical'], 'did you mean historical?'],
    ['an argument nobody knows', [...WHAT, '--query', 'regoin=x'], 'did you mean region?'],
    ['no name', [...WHAT, '--each', 'CAISO_NORTH'], "--each must be name=value; got 'CAISO_NORTH'"],
    ['no start', WHAT, 'pulls[0] has no start'],
    ['a format of another kind', [...SPEC, '--format', 'xlsx'], '--format must be one of csv, jsonl, parquet'],
    ['a setting of no service', [...SPEC, '--set', 'retries=3'], '--set must be service.option=value'],
  ])('refuses %s', async (_, args, message) => {
    const { stderr, code } = await inside(['plan', ...args])
    expect(stderr).toContain(message)
    expect(code).toBe(message.startsWith('cannot read') ? 7 : 2)
  })

  it('takes no secret from an option, and does not repeat it', async () => {
    const { stderr, code } = await inside(['plan', ...SPEC, '--set', 'emissions.password=hunter2hunter2'])
    expect(stderr).toBe(
      'error: --set takes no secrets: they would stand in the list of processes; use the environment\n',
    )
    expect(code).toBe(2)
  })
})

describe('headrace pull', () => {
  it('writes files, and does nothing the second time', async () => {
    const { env } = await simulated()
    const out = join(tempFolder(), 'data')
    const first = await inside(['pull', ...SPEC, '--out', out], { env })
    expect(first).toMatchObject({ code: 0, stdout: '' })
    expect(first.stderr).toContain('complete: 4 tasks done, 0 there before, 0 left\n34,560 rows')
    const files = contentsOf(out)
    expect(Object.keys(files).length).toBeGreaterThan(0)
    const second = await inside(['pull', ...SPEC, '--out', out, '--json'], { env })
    expect(documentIn(second.stdout)).toMatchObject({ outcome: 'ok', report: { outcome: 'unchanged', requests: 0 } })
    expect(contentsOf(out)).toEqual(files)
  })

  it('says nothing with --quiet, every task with -v, and draws one line on a terminal', async () => {
    const { env } = await simulated()
    const pull = (...more: string[]) => inside(['pull', ...SPEC, '--out', join(tempFolder(), 'data'), ...more], { env })
    expect((await pull('--quiet')).stderr).toBe('')
    expect((await pull('-v')).stderr.match(/^info: historical .*: \d+ rows$/gm)).toHaveLength(4)
    const out = join(tempFolder(), 'data')
    const { stderr } = await inside(['pull', ...SPEC, '--out', out], { env, terminal: true })
    expect(stderr).toContain('\r\u001B[2K0 of 4 tasks · 0 rows')
    expect(stderr.split('\r\u001B[2K').at(-1)).toMatch(/^\S+: complete/)
  })

  it('8: with holes, unless they are accepted', async () => {
    const { env } = await simulated({ faults: [{ do: { type: 'rows', drop: [3] } }] })
    const out = join(tempFolder(), 'data')
    const { code, stderr } = await inside(['pull', ...SPEC, '--out', out], { env })
    expect(stderr).toContain('historical CAISO_NORTH co2_moer: 2024-01-01T00:15:00Z to 2024-01-01T00:15:00Z (1 sample)')
    expect(code).toBe(8)
    expect((await inside(['resume', out, '--accept-holes'], { env })).code).toBe(0)
  })

  it('10: at the end of a budget; resume does the rest, and status says how far it is', async () => {
    const { env } = await simulated()
    const out = join(tempFolder(), 'data')
    const some = await inside(['pull', ...SPEC, '--out', out, '--max-requests', '3', '--parallel', '1'], { env })
    expect(some.code).toBe(10)
    const status = await inside(['status', out])
    expect(status.stdout).toMatch(/^tasks {5}[123] of 4 done$/m)
    const rest = await inside(['resume', out, '--json'], { env })
    expect(rest.code).toBe(0)
    expect(documentIn(rest.stdout).report.requests).toBeLessThan(6)
    expect((await inside(['status', out, '--json'])).stdout).toContain('"rows": 34560')
  })

  it.each<[code: number, what: string, status: number]>([
    [5, 'that may pass', 503],
    [6, 'for good', 400],
  ])('%i: when a part fails %s, and names it', async (exitCode, _, status) => {
    const { env } = await simulated({ faults: [{ when: { nth: [2, 3, 4, 5] }, do: { type: 'status', status } }] })
    const out = join(tempFolder(), 'data')
    const { code, stderr } = await inside(['pull', ...SPEC, '--out', out, '--retries', '0', '--parallel', '1'], { env })
    expect(stderr).toMatch(/warning: historical (CAISO_NORTH|PJM_DC) co2_moer: /)
    expect(stderr).not.toContain('stretches')
    expect(stderr).toContain(`tasks are left; to go on: headrace resume ${out}\n`)
    expect(code).toBe(exitCode)
  })

  it.each<[how: string, args: readonly string[]]>([
    ['as words', []],
    ['with every word', ['-vv']],
    ['as JSON', ['--json']],
  ])('says what to type, and never what a program would call: %s', async (_, more) => {
    // Of a year in one task, half of the chunks come: a single call would offer to take itself up.
    const { env } = await simulated({
      faults: [{ when: { startsFrom: '2024-06-01' }, do: { type: 'status', status: 503 } }],
    })
    const out = join(tempFolder(), 'my data')
    const year = [...WHAT, '--start', '2024-01-01', '--end', '2024-12-31T23:55Z']
    const { code, stdout, stderr } = await inside(
      ['pull', ...year, '--out', out, '--retries', '0', '--parallel', '1', ...more],
      { env },
    )
    expect(stdout + stderr).toContain('503')
    expect(stdout + stderr).toContain(`2 of 2 tasks are left; to go on: headrace resume '${out}'`)
    expect(stdout + stderr).not.toMatch(/resume\(\)|partial\(\)|run it again to do/)
    if (stdout) expect(documentIn(stdout)).toMatchObject({ error: { report: { rows: 0, tasks: { failed: 2 } } } })
    expect(code).toBe(5)
  })

  it('3: when the credentials are refused', async () => {
    const { env } = await simulated()
    const wrong = { ...env, WATTTIME_PASSWORD: 'not-the-password' }
    const { code } = await inside(['pull', ...SPEC, '--out', join(tempFolder(), 'data')], { env: wrong })
    expect(code).toBe(3)
  })

  it('7: into what is no folder, and 2: into a folder of another format', async () => {
    const { env } = await simulated()
    const folder = tempFolder()
    writeFileSync(join(folder, 'file'), '')
    expect((await inside(['pull', ...SPEC, '--out', join(folder, 'file')], { env })).code).toBe(7)
    const out = join(folder, 'data')
    await inside(['pull', ...SPEC, '--out', out, '--max-requests', '2'], { env })
    const other = await inside(['pull', ...SPEC, '--out', out, '--format', 'jsonl'], { env })
    expect(other.stderr).toContain('holds csv, not jsonl')
    expect(other.code).toBe(2)
  })

  it('2: without a folder, and nothing to resume', async () => {
    expect((await inside(['pull', ...SPEC])).stderr).toBe('error: --out is missing: say into which folder\n')
    const { code, stderr } = await inside(['resume', join(tempFolder(), 'empty')])
    expect(stderr).toContain('nothing was pulled into')
    expect(code).toBe(2)
  })
})

describe('headrace pull in a process of its own', { timeout: 60_000 }, () => {
  it('130: the first interrupt lets what is on its way end; resume makes it whole', async () => {
    const { env, simulator } = await simulated({ faults: [{ do: { type: 'latency', ms: 300 } }] })
    const out = join(tempFolder(), 'data')
    const { child, end } = start(['pull', ...SPEC, '--out', out, '--parallel', '1'], env)
    await expect
      .poll(() => simulator.requests.filter(({ path }) => path.includes('historical')).length, { timeout: 10_000 })
      .toBeGreaterThan(0)
    child.kill('SIGINT')
    const { code, stderr } = await end
    expect(stderr).toContain('stopping')
    expect(code).toBe(130)
    expect(filesIn(out).filter(path => path.endsWith('.part'))).toEqual([])
    const began = simulator.requests.length
    expect((await binary(['resume', out, '--quiet'], env)).code).toBe(0)
    expect(simulator.requests.length - began).toBeGreaterThan(0)
    const whole = join(tempFolder(), 'whole')
    await inside(['pull', ...SPEC, '--out', whole], { env })
    expect(contentsOf(out)).toEqual(contentsOf(whole))
  })

  it('can be killed again and again: what was done is not asked again, and in the end all is there', async () => {
    const { env, simulator } = await simulated({ faults: [{ do: { type: 'latency', ms: 100 } }] })
    /** Region and month of everything that was asked for. */
    const asked = (): string[] =>
      simulator.requests.flatMap(({ path, query }) =>
        path.includes('historical') ? [`${query['region']} ${query['start']?.slice(0, 7)}`] : [],
      )
    const out = join(tempFolder(), 'data')
    const pull = ['pull', ...SPEC, '--out', out, '--parallel', '2', '--quiet']
    for (const requests of [1, 2, 3, 4]) {
      const [left, before] = [await leftIn(out), asked().length]
      const { child, end } = start(pull, env)
      const isOver = (): boolean => child.exitCode !== null
      await expect.poll(() => isOver() || asked().length >= before + requests, { timeout: 20_000 }).toBe(true)
      child.kill('SIGKILL')
      await end
      expect(left).toEqual(expect.arrayContaining(asked().slice(before)))
    }
    const [left, before] = [await leftIn(out), asked().length]
    expect((await binary(['resume', out, '--quiet'], env)).code).toBe(0)
    expect([...new Set(asked().slice(before))].sort()).toEqual(left.sort())
    expect(filesIn(out).filter(path => path.endsWith('.part'))).toEqual([])
    const whole = join(tempFolder(), 'whole')
    await inside(['pull', ...SPEC, '--out', whole], { env })
    expect(contentsOf(out)).toEqual(contentsOf(whole))
  })

  it('7: a second process on the same folder', async () => {
    const { env, simulator } = await simulated({ faults: [{ do: { type: 'hang' } }] })
    const out = join(tempFolder(), 'data')
    const { child, end } = start(['pull', ...SPEC, '--out', out], env)
    await expect
      .poll(() => simulator.requests.some(({ path }) => path.includes('historical')), { timeout: 10_000 })
      .toBe(true)
    const second = await binary(['pull', ...SPEC, '--out', out, '--json'], env)
    expect(documentIn(second.stdout)).toMatchObject({ outcome: 'local', exitCode: 7, error: { kind: 'locked' } })
    expect(second.code).toBe(7)
    // Of two signals of one kind that come together, a process sees one.
    child.kill('SIGINT')
    child.kill('SIGTERM')
    expect((await end).code).toBe(130)
  })
})

describe('--format parquet', () => {
  it('writes one call to a file that ends in .parquet, and to nothing else', async () => {
    const { env } = await simulated()
    const path = join(tempFolder(), 'x.parquet')
    const call = ['emissions', 'historical', '--region', 'CAISO_NORTH', '--start', '2024-01-01', '--end', '2024-01-02']
    expect((await inside([...call, '--output', path], { env })).code).toBe(0)
    const ask = await duckDb()
    const about = 'count(*) AS rows, min(typeof(point_time)) AS type, sum(value) AS sum'
    const { stdout } = await inside([...call, '--format', 'json', '--quiet'], { env })
    const values = (JSON.parse(stdout) as { value: number }[]).map(({ value }) => value)
    const [found] = await ask(`SELECT ${about} FROM '${path}'`)
    expect(found).toMatchObject({ rows: '289', type: 'TIMESTAMP WITH TIME ZONE' })
    expect(Number(found?.['sum'])).toBeCloseTo(
      values.reduce((sum, value) => sum + value, 0),
      6,
    )
    const { code, stderr } = await inside([...call, '--format', 'parquet'], { env })
    expect(stderr).toContain('write it to a file with --output')
    expect(code).toBe(2)
  })
})

/** Region and month of the tasks that a folder does not have yet. */
async function leftIn(out: string): Promise<string[]> {
  const { stdout } = await inside(['plan', ...SPEC, '--out', out, '--json'])
  const { tasks } = documentIn(stdout).plan as unknown as {
    tasks: readonly { covered: boolean; series: { region: string }; span: { start: string } }[]
  }
  return tasks.flatMap(({ covered, series, span }) => (covered ? [] : [`${series.region} ${span.start.slice(0, 7)}`]))
}
