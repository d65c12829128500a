import { describe, expect, it } from 'vitest'
import type { EmissionsClient } from '../../../src/adapters/emissions/index.ts'
import { RetrievalInterrupted } from '../../../src/errors.ts'
import type { Checkpoint } from '../../../src/index.ts'
import { listen, simulate } from '../../support/emissions.ts'
import { plainForecasts, plainFuels, plainValues } from '../../support/plain-rows.ts'
import { patientClient } from '../../support/patient-client.ts'

const region = 'CAISO_NORTH'
const months = { region, start: '2024-01-01', end: '2024-04-29' }
const slowest = { when: { startsBefore: '2024-01-15T00:00Z' }, do: { type: 'latency', ms: 200 } } as const

async function gather<Batch>(stream: AsyncIterable<Batch>): Promise<Batch[]> {
  const batches: Batch[] = []
  for await (const batch of stream) batches.push(batch)
  return batches
}

describe('streams', () => {
  it('F40: hand on in the order of time, though the first answer comes last', async () => {
    const simulator = await simulate({ faults: [slowest] })
    const batches = await gather(patientClient(simulator).streamHistorical(months))
    expect(batches.map(({ meta }) => meta.map(({ chunk, operation }) => [chunk, operation]))).toEqual(
      [0, 1, 2, 3].map(chunk => [[chunk, 'getHistorical']]),
    )
    expect(plainValues(batches.flatMap(({ rows }) => rows))).toEqual(simulator.truth.historical(months))
  })

  it('R54: give the rows and the metadata that the collecting getter gives', async () => {
    const simulator = await simulate()
    const client = patientClient(simulator, { concurrency: 2 })
    const whole = await client.getHistorical(months)
    const batches = await gather(client.streamHistorical(months))
    expect(batches.flatMap(({ rows }) => rows)).toEqual(whole.rows)
    const spans = (meta: typeof whole.meta): unknown[] =>
      meta.map(({ span, rows, chunk, depth }) => ({ span, rows, chunk, depth }))
    expect(spans(batches.flatMap(({ meta }) => meta))).toEqual(spans(whole.meta))
  })

  it('of runs and of fuels are as good', async () => {
    const simulator = await simulate()
    const client = patientClient(simulator)
    const days = { region, start: '2024-03-01', end: '2024-03-03' }
    const runs = await gather(client.streamHistoricalForecast({ ...days, horizonHours: 0 }))
    expect(plainForecasts(runs.flatMap(({ rows }) => rows))).toEqual(
      simulator.truth.historicalForecast({ ...days, horizonHours: 0 }),
    )
    const fuels = await gather(client.streamFuelMix(days))
    expect(plainFuels(fuels.flatMap(({ rows }) => rows))).toEqual(simulator.truth.fuelMix(days))
  })

  it('send nothing until somebody listens', async () => {
    const simulator = await simulate()
    const stream = patientClient(simulator).streamHistorical(months)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(simulator.stats.requests).toBe(0)
    await stream.return()
    expect(simulator.stats.requests).toBe(0)
  })

  it('R37: are bulk unless told otherwise, and a slow consumer slows the pull', async () => {
    const simulator = await simulate()
    const client = patientClient(simulator, { concurrency: 1 })
    const stream = client.streamHistorical({ region, start: '2024-01-01', end: '2024-12-31' })
    await stream.next()
    // A window of two chunks per request at a time: nobody asks ahead for a year.
    await new Promise(resolve => setTimeout(resolve, 300))
    const asked = simulator.stats.dataRequests
    expect(asked).toBeLessThanOrEqual(4)
    await gather(stream)
    expect(simulator.stats.dataRequests).toBe(13)
  })

  it('R59: a consumer that breaks off leaves nothing open and starts nothing more', async () => {
    const simulator = await simulate({ faults: [{ when: { startsFrom: '2024-02-15T00:00Z' }, do: { type: 'hang' } }] })
    const client = patientClient(simulator, { readTimeoutMs: 60_000, concurrency: 2 })
    const { events, onEvent } = listen()
    for await (const { rows } of client.streamHistorical({ ...months, end: '2024-12-31' }, { onEvent })) {
      expect(rows.length).toBeGreaterThan(0)
      break
    }
    // The end of the loop waited for everything that was under way: what hung was aborted by us.
    expect(events.at(-1)).toMatchObject({ type: 'done', outcome: 'aborted' })
    const asked = simulator.stats.dataRequests
    const open = (): number => simulator.requests.filter(({ endedAt }) => endedAt === undefined).length
    await expect.poll(open, { timeout: 5_000 }).toBe(0)
    expect(simulator.stats.dataRequests).toBe(asked)
    expect(asked).toBeLessThan(13)
  })

  it('R62: a consumer that throws ends it the same way', async () => {
    const simulator = await simulate()
    const abort = new AbortController()
    const consume = async (): Promise<void> => {
      for await (const batch of patientClient(simulator).streamHistorical(months, { signal: abort.signal })) {
        throw new Error(`no room for ${batch.rows.length} rows`)
      }
    }
    await expect(consume()).rejects.toThrow('no room for 8640 rows')
    await expect
      .poll(() => simulator.requests.filter(({ endedAt }) => endedAt === undefined).length, { timeout: 5_000 })
      .toBe(0)
  })

  it('R59, R60: hand on what stands before a failure, then throw it with what is missing', async () => {
    const faults = [
      {
        when: { startsFrom: '2024-02-15T00:00Z', startsBefore: '2024-03-15T00:00Z' },
        do: { type: 'status', status: 400 },
      },
    ] as const
    const simulator = await simulate({ faults })
    const rows: unknown[] = []
    const consume = async (): Promise<void> => {
      for await (const batch of patientClient(simulator, { concurrency: 1 }).streamHistorical(months))
        rows.push(...batch.rows)
    }
    const error: unknown = await consume().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RetrievalInterrupted)
    expect(error).toMatchObject({ kind: 'http_4xx', status: 400 })
    expect(rows).toHaveLength(2 * 8640)
    const { left, done } = error as RetrievalInterrupted
    expect(done).toEqual([{ start: new Date('2024-01-01'), end: new Date('2024-02-29T23:55Z') }])
    expect(left).toEqual([{ start: new Date('2024-03-01'), end: new Date('2024-04-29') }])
  })
})

describe('R60: the checkpoint of each batch', () => {
  /** A stream that is left after so many batches, and its last checkpoint after a trip through a file. */
  async function leaveAfter(
    client: EmissionsClient,
    batches: number,
  ): Promise<{ rows: unknown[]; checkpoint: Checkpoint }> {
    const rows: unknown[] = []
    let text = ''
    let left = batches
    for await (const batch of client.streamHistorical(months)) {
      rows.push(...plainValues(batch.rows))
      text = JSON.stringify(batch.checkpoint())
      left -= 1
      if (left === 0) break
    }
    return { rows, checkpoint: JSON.parse(text) as Checkpoint }
  }

  it.each([1, 2, 3])('after %d of 4: what was handed on and what is got later are the whole', async batches => {
    const simulator = await simulate()
    const { rows, checkpoint } = await leaveAfter(patientClient(simulator), batches)
    const seam = Date.parse(checkpoint.left[0]?.start ?? '')
    simulator.reset()
    const rest = await patientClient(simulator).resumeFrom(checkpoint)
    expect([...rows, ...plainValues(rest.rows as never)]).toEqual(simulator.truth.historical(months))
    const starts = simulator.requests.flatMap(({ query: { start } }) => (start ? [Date.parse(start)] : []))
    expect(Math.min(...starts)).toBe(seam)
  })

  it('after the last leaves nothing to do', async () => {
    const simulator = await simulate()
    const { rows, checkpoint } = await leaveAfter(patientClient(simulator), 4)
    expect(rows).toEqual(simulator.truth.historical(months))
    expect(checkpoint.left).toEqual([])
    simulator.reset()
    expect((await patientClient(simulator).resumeFrom(checkpoint)).rows).toEqual([])
    expect(simulator.stats.requests).toBe(0)
  })

  it('inside a chunk that was split goes on with its second part', async () => {
    const simulator = await simulate({
      faults: [{ when: { spanOverMs: 15 * 86_400_000 }, do: { type: 'status', status: 504 } }],
    })
    const client = patientClient(simulator, { concurrency: 1 })
    const { rows, checkpoint } = await leaveAfter(client, 1)
    expect(checkpoint.left[0]?.start).toBe('2024-01-16T00:00:00Z')
    const rest = await patientClient(simulator).resumeFrom(checkpoint)
    expect([...rows, ...plainValues(rest.rows as never)]).toEqual(simulator.truth.historical(months))
  })
})
