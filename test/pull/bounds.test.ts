import { describe, expect, it } from 'vitest'
import { isPullError, pull, type PullEvent, type PullOptions, type PullSpec } from '../../src/pull/index.ts'
import { simulate } from '../support/emissions.ts'
import { settingsFor } from '../support/pull-settings.ts'
import { contentsOf, filesIn } from '../support/pulling.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

/** Six days, a task a day. */
const DAYS: PullSpec = {
  start: '2024-01-01',
  end: '2024-01-06T23:55Z',
  pulls: [{ service: 'emissions', operation: 'historical', query: { region: 'CAISO_NORTH' }, segment: 'day' }],
}

/** Runs until something ends it, then again without bounds, and compares with a pull that nobody ended. */
async function ended(
  latencyMs: number,
  bounds: (heard: (listener: (event: PullEvent) => void) => void) => Partial<PullOptions>,
) {
  const simulator = await simulate({ faults: [{ do: { type: 'latency', ms: latencyMs } }] })
  const settings = settingsFor(simulator)
  const whole = tempFolder()
  await pull(DAYS, { out: whole, settings })
  simulator.reset()
  const out = tempFolder()
  const listeners: ((event: PullEvent) => void)[] = []
  const given = bounds(listener => listeners.push(listener))
  const began = performance.now()
  const thrown: unknown = await pull(DAYS, {
    out,
    settings,
    parallel: 2,
    onEvent: event => listeners.forEach(listen => listen(event)),
    ...given,
  }).catch((error: unknown) => error)
  const tookMs = performance.now() - began
  const requests = simulator.stats.dataRequests
  if (!isPullError(thrown)) throw new Error('it was not ended', { cause: thrown })
  expect(filesIn(out).filter(path => path !== 'manifest.jsonl' && !/\/part-[0-9a-f]{16}\.csv$/.test(path))).toEqual([])
  const again = await pull(DAYS, { out, settings })
  expect(again.tasks).toMatchObject({ covered: thrown.report?.tasks.done ?? 0, left: 0 })
  expect(contentsOf(out)).toEqual(contentsOf(whole))
  return { thrown, tookMs, requests }
}

describe('a pull that is ended', () => {
  it('by being asked to stop: starts nothing new, and lets what runs end', async () => {
    const stop = new AbortController()
    const { thrown } = await ended(150, heard => {
      heard(({ type }) => {
        if (type === 'task-started') stop.abort()
      })
      return { stop: stop.signal }
    })
    expect(thrown).toMatchObject({
      kind: 'stopped',
      report: { outcome: 'incomplete', tasks: { done: 1, left: 5, failed: 0 } },
    })
    expect(thrown.message).toContain('5 of 6 tasks are left; run it again to do those')
  })

  it('by being asked to stop, when what runs takes too long: not later than it was given', async () => {
    const stop = new AbortController()
    const { thrown, tookMs } = await ended(5_000, heard => {
      heard(({ type }) => {
        if (type === 'task-started') stop.abort()
      })
      return { stop: stop.signal, graceMs: 100 }
    })
    expect(thrown).toMatchObject({ kind: 'stopped', report: { tasks: { done: 0, left: 6 } } })
    expect(tookMs).toBeLessThan(4_000)
  }, 60_000)

  it('at once: what runs is lost, what is done is kept', async () => {
    const abort = new AbortController()
    const { thrown } = await ended(100, heard => {
      heard(({ type }) => {
        if (type === 'task-done') abort.abort()
      })
      return { signal: abort.signal }
    })
    expect(thrown).toMatchObject({ kind: 'stopped', report: { tasks: { failed: 0 } } })
    expect(thrown.report?.tasks.done).toBeGreaterThan(0)
    expect(thrown.report?.tasks.left).toBeGreaterThan(0)
  })

  it('before it began: nothing is asked', async () => {
    const { thrown, requests } = await ended(0, () => ({ stop: AbortSignal.abort() }))
    expect(thrown).toMatchObject({ kind: 'stopped', report: { tasks: { done: 0, left: 6 } } })
    expect(requests).toBe(0)
  })

  it('by a deadline', async () => {
    const { thrown } = await ended(200, () => ({ deadlineMs: 500 }))
    expect(thrown).toMatchObject({
      kind: 'deadline',
      message: expect.stringContaining('the deadline of 500 ms') as string,
    })
  })

  it('by its last request: no more are sent than were given', async () => {
    const { thrown, requests } = await ended(20, () => ({ maxRequests: 3 }))
    expect(thrown).toMatchObject({ kind: 'budget', message: expect.stringContaining('maxRequests') as string })
    expect(requests).toBeLessThanOrEqual(3)
    expect(thrown.report?.tasks.done).toBeGreaterThan(0)
  })

  it.each([
    ['deadlineMs', -1],
    ['maxRequests', Number.NaN],
  ])('not by a bound that makes no sense: %s %d', async (name, value) => {
    await expect(pull(DAYS, { out: tempFolder(), [name]: value })).rejects.toMatchObject({
      name: 'QueryError',
      argument: name,
    })
  })
})
