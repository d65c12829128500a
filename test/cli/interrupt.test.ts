import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Fault } from '../../src/simulator/index.ts'
import { contentsOf, filesIn, manifestOf } from '../support/pulling.ts'
import { tempFolder } from '../tooling/temp-folder.ts'
import { binary, inside, simulated, start } from './headrace.ts'

const WHAT = ['--service', 'emissions', '--operation', 'historical', '--each', 'region=CAISO_NORTH,PJM_DC']
const SPEC = [...WHAT, '--start', '2024-01-01', '--end', '2024-02-29T23:55Z', '--segment', 'month']
/** January is answered, February never. */
const STALLS: Fault = { when: { startsFrom: '2024-02-01' }, do: { type: 'hang' } }
const HANGS: Fault = { do: { type: 'hang' } }

/** A pull whose January is done and whose February hangs. */
async function hanging(more: readonly string[] = []) {
  const { env, simulator } = await simulated({ faults: [STALLS] })
  const out = join(tempFolder(), 'data')
  const { child, end } = start(['pull', ...SPEC, '--out', out, '--parallel', '4', ...more], env)
  let said = ''
  child.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const isStuck = (): boolean =>
    simulator.requests.filter(({ query }) => query['start']?.startsWith('2024-02')).length === 2 &&
    filesIn(out).filter(path => path.startsWith('data/') && path.endsWith('.csv')).length === 2
  await expect.poll(isStuck, { timeout: 20_000 }).toBe(true)
  return { env, simulator, out, child, end, heard: () => said }
}

describe('headrace pull with a request that hangs', { timeout: 60_000 }, () => {
  it('130: the first interrupt ends it within its ten seconds; what is done is kept, and resume does the rest', async () => {
    const { env, simulator, out, child, end } = await hanging()
    const began = performance.now()
    child.kill('SIGINT')
    const { code, stderr } = await end
    expect(performance.now() - began).toBeLessThan(25_000)
    expect(stderr).toContain('stopping: nothing new is started')
    expect(stderr).toContain(`2 of 4 tasks are left; to go on: headrace resume ${out}\n`)
    expect(code).toBe(130)
    expect(manifestOf(out).map(({ type }) => type)).toEqual(['plan', 'task', 'task'])
    expect(filesIn(out).filter(path => path.endsWith('.part') || path.includes('lock'))).toEqual([])

    simulator.setFaults([])
    simulator.reset()
    expect((await binary(['resume', out, '--quiet'], env)).code).toBe(0)
    const asked = simulator.requests.flatMap(({ query }) => query['start'] ?? [])
    expect(asked.every(time => time.startsWith('2024-02'))).toBe(true)
    const whole = join(tempFolder(), 'whole')
    await inside(['pull', ...SPEC, '--out', whole], { env })
    expect(contentsOf(out)).toEqual(contentsOf(whole))
  })

  it('130: the second interrupt ends it at once, without a last word; resume does the rest', async () => {
    const { env, simulator, out, child, end, heard } = await hanging(['--grace-ms', '3600000'])
    child.kill('SIGINT')
    await expect.poll(heard, { timeout: 10_000 }).toContain('interrupt again to end at once')
    child.kill('SIGINT')
    const { code, stderr } = await end
    expect(stderr).not.toContain('ended early')
    expect(code).toBe(130)
    simulator.setFaults([])
    expect((await binary(['resume', out, '--quiet'], env)).code).toBe(0)
    const whole = join(tempFolder(), 'whole')
    await inside(['pull', ...SPEC, '--out', whole], { env })
    expect(contentsOf(out)).toEqual(contentsOf(whole))
  })
})

describe('the first interrupt', { timeout: 60_000 }, () => {
  async function pulled() {
    const { env, simulator } = await simulated()
    const out = join(tempFolder(), 'data')
    await inside(['pull', ...SPEC, '--out', out, '--quiet'], { env })
    simulator.reset()
    return { env, simulator, out }
  }

  it('ends sync, with --grace-ms as late as that says; the next sync brings what is new', async () => {
    const { env, simulator, out } = await pulled()
    simulator.setFaults([HANGS])
    const signals = new EventEmitter()
    const sync = ['sync', out, '--until', '2024-03-01T23:55Z']
    const running = inside([...sync, '--grace-ms', '100', '--json'], { env, signals })
    await expect.poll(() => simulator.requests.some(({ path }) => path === '/v3/historical')).toBe(true)
    signals.emit('SIGINT')
    const { code, stdout } = await running
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'interrupted',
      exitCode: 130,
      message: expect.stringContaining(`to go on: headrace sync ${out}`) as string,
    })
    expect(code).toBe(130)
    simulator.setFaults([])
    expect((await inside(sync, { env })).stderr).toContain('576 rows added')
  })

  it.each([
    ['verify', []],
    ['verify --repair', ['--repair']],
  ])('ends %s before the next part of a file is read', async (_, more) => {
    const { env, out } = await pulled()
    const signals = new EventEmitter()
    const running = inside(['verify', out, ...more], { env, signals })
    signals.emit('SIGINT')
    const { code, stdout, stderr } = await running
    expect(stderr).toContain(
      `error: it ended early: it was asked to stop; to go on: headrace verify ${[out, ...more].join(' ')}\n`,
    )
    expect([stdout, code]).toEqual(['', 130])
    expect((await inside(['verify', out])).code).toBe(0)
  })

  it('ends plan while a service counts', async () => {
    const { env, simulator } = await simulated({ faults: [HANGS] })
    const signals = new EventEmitter()
    const where = ['--set', `water-quality.baseUrl=${simulator.url}`]
    const what = ['--service', 'water-quality', '--operation', 'results', '--query', 'stateCode=US:55']
    const running = inside(['plan', ...what, '--start', '2023-01-01', '--end', '2023-02-01', ...where, '--json'], {
      env,
      signals,
    })
    await expect.poll(() => simulator.requests.length, { timeout: 10_000 }).toBe(1)
    signals.emit('SIGINT')
    const { code, stdout } = await running
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'interrupted',
      message: 'interrupted (SIGINT); run the command again',
    })
    expect(code).toBe(130)
  })
})
