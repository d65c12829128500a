import { describe, expect, it } from 'vitest'
import type { EmissionsClient, HistoricalRow } from '../../../src/adapters/emissions/index.ts'
import { RetrievalInterrupted } from '../../../src/errors.ts'
import type { Checkpoint, Retrieval } from '../../../src/index.ts'
import { simulate } from '../../support/emissions.ts'
import { plainForecasts, plainValues } from '../../support/plain-rows.ts'
import { patientClient } from '../../support/patient-client.ts'

const region = 'CAISO_NORTH'
const months = { region, start: '2024-01-01', end: '2024-04-29' }
const march = { startsFrom: '2024-03-01T00:00Z', startsBefore: '2024-03-02T00:00Z' }
const refusedMarch = { when: march, do: { type: 'status', status: 400 } } as const

async function interruption(call: Promise<Retrieval>): Promise<RetrievalInterrupted<Retrieval>> {
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  if (error instanceof RetrievalInterrupted) return error as RetrievalInterrupted<Retrieval>
  throw new Error('it was not interrupted', { cause: error })
}

const throughJson = (checkpoint: Checkpoint): Checkpoint => JSON.parse(JSON.stringify(checkpoint)) as Checkpoint
const values = (result: Retrieval): unknown => plainValues(result.rows as never)

describe('R60: an interrupted retrieval', () => {
  it('keeps what came, says what is missing, and gets that and nothing else when it goes on', async () => {
    const simulator = await simulate({ faults: [refusedMarch] })
    const interrupted = await interruption(patientClient(simulator, { concurrency: 1 }).getHistorical(months))
    expect(interrupted.kind).toBe('http_4xx')
    expect(interrupted.left).toEqual([{ start: new Date('2024-03-01'), end: new Date('2024-04-29') }])
    const partial = interrupted.partial()
    expect(partial.rows).toHaveLength(2 * 8640)
    expect(partial.completeness).toMatchObject({ expected: 34_273, missing: interrupted.left })

    simulator.setFaults([])
    simulator.reset()
    const whole = await interrupted.resume()
    expect(values(whole)).toEqual(simulator.truth.historical(months))
    expect(whole.completeness).toEqual({ expected: 34_273, received: 34_273, missing: [] })
    expect(simulator.requests.flatMap(({ query: { start } }) => start ?? []).sort()).toEqual([
      '2024-03-01T00:00:00Z',
      '2024-03-31T00:00:00Z',
    ])
  })

  it("can be taken up by another process: the checkpoint goes through JSON, and the rest's completeness is of the rest", async () => {
    const simulator = await simulate({ faults: [refusedMarch] })
    const interrupted = await interruption(patientClient(simulator, { concurrency: 1 }).getHistorical(months))
    const checkpoint = throughJson(interrupted.checkpoint())
    expect(checkpoint).toEqual({
      version: 1,
      service: 'emissions',
      operation: 'getHistorical',
      query: { region, start: '2024-01-01T00:00:00Z', end: '2024-04-29T00:00:00Z' },
      left: [{ start: '2024-03-01T00:00:00Z', end: '2024-04-29T00:00:00Z' }],
      pin: '2026-03-01',
    })
    simulator.setFaults([])
    simulator.reset()
    const rest = await patientClient(simulator).resumeFrom(checkpoint)
    expect(values(rest)).toEqual(simulator.truth.historical({ ...months, start: '2024-03-01' }))
    expect(rest.completeness).toEqual({ expected: 16_993, received: 16_993, missing: [] })
    // R58: the model that the first process met goes with it.
    expect(new Set(simulator.requests.flatMap(({ query: { model } }) => model ?? []))).toEqual(new Set(['2026-03-01']))
  })

  it('keeps every parameter of the query, and what they meant', async () => {
    const simulator = await simulate({ faults: [refusedMarch] })
    const query = {
      region,
      start: '2024-01-01',
      end: '2024-03-05',
      zone: 'America/New_York',
      model: '2023-03-01',
      includeImputedMarker: true,
      updatedSince: '2024-01-01T00:00',
    }
    const faults = [{ when: { startsFrom: '2024-01-31T00:00Z' }, do: { type: 'status', status: 400 } }] as const
    simulator.setFaults(faults)
    const interrupted = await interruption(patientClient(simulator, { concurrency: 1 }).getHistorical(query))
    simulator.setFaults([])
    simulator.reset()
    await patientClient(simulator, { concurrency: 1 }).resumeFrom(throughJson(interrupted.checkpoint()))
    const sent = simulator.requests.filter(({ isAccount }) => !isAccount).map(({ query: asked }) => asked)
    expect(sent[0]).toEqual({
      region,
      signal_type: 'co2_moer',
      start: '2024-01-31T05:00:00Z',
      end: '2024-03-01T04:55:00Z',
      model: '2023-03-01',
      include_imputed_marker: 'true',
      updated_since: '2024-01-01T05:00:00Z',
    })
  })

  it('of runs by dates goes on with the days that are missing', async () => {
    const simulator = await simulate({ faults: [{ ...refusedMarch, when: { startsFrom: '2024-03-05T00:00Z' } }] })
    const dates = ['2024-03-01', '2024-03-05', '2024-03-09']
    const query = { region, dates, horizonHours: 1 }
    const interrupted = await interruption(patientClient(simulator, { concurrency: 1 }).getHistoricalForecast(query))
    simulator.setFaults([])
    const rest = await patientClient(simulator).resumeFrom(throughJson(interrupted.checkpoint()))
    const truth = ['2024-03-05', '2024-03-09'].flatMap(day =>
      simulator.truth.historicalForecast({ region, start: `${day}T00:00Z`, end: `${day}T23:55Z`, horizonHours: 1 }),
    )
    expect(plainForecasts(rest.rows as never)).toEqual(truth)
    expect(rest.completeness).toEqual({ expected: 576, received: 576, missing: [] })
  })

  it('can be taken up as a stream, which can be left and taken up again: every sample once', async () => {
    const simulator = await simulate({ faults: [refusedMarch] })
    const interrupted = await interruption(patientClient(simulator, { concurrency: 1 }).getHistorical(months))
    simulator.setFaults([])
    const client = patientClient(simulator)
    const rows: HistoricalRow[] = [...interrupted.partial().rows] as never
    let left = throughJson(interrupted.checkpoint())
    for (let rounds = 0; left.left.length > 0; rounds++) {
      expect(rounds).toBeLessThan(10)
      for await (const batch of client.streamFrom(left)) {
        rows.push(...(batch.rows as never[]))
        left = throughJson(batch.checkpoint())
        break
      }
    }
    expect(plainValues(rows)).toEqual(simulator.truth.historical(months))
  })

  it.each<[string, Partial<Checkpoint>]>([
    ['another service', { service: 'streamflow' }],
    ['an operation that has no span', { operation: 'getForecast' }],
    ['an operation that there is not', { operation: 'constructor' }],
    ['a version that we do not know', { version: 2 as never }],
  ])('a checkpoint of %s is refused before any request', async (_what, part) => {
    const simulator = await simulate()
    const checkpoint: Checkpoint = {
      version: 1,
      service: 'emissions',
      operation: 'getHistorical',
      query: months,
      left: [],
      ...part,
    }
    await expect(patientClient(simulator).resumeFrom(checkpoint)).rejects.toMatchObject({
      code: 'HEADRACE_QUERY',
      argument: 'checkpoint',
    })
    expect(simulator.stats.requests).toBe(0)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'checkpoint'],
    ['no list of what is left', { version: 1, service: 'emissions', operation: 'getHistorical', query: months }],
    [
      'an instant that is none',
      { version: 1, service: 'emissions', operation: 'getHistorical', query: months, left: [{ start: 'a', end: 'b' }] },
    ],
    [
      'a query that was changed',
      { version: 1, service: 'emissions', operation: 'getHistorical', query: { from: 1 }, left: [] },
    ],
  ])('what is no checkpoint is refused with a QueryError: %s', async (_what, checkpoint) => {
    const simulator = await simulate()
    await expect(patientClient(simulator).resumeFrom(checkpoint as Checkpoint)).rejects.toMatchObject({
      code: 'HEADRACE_QUERY',
    })
    expect(simulator.stats.requests).toBe(0)
  })
})

describe('planX', () => {
  it.each<
    [
      string,
      (client: EmissionsClient) => { operation: string; requests: number; chunks: readonly unknown[] },
      string,
      number,
    ]
  >([
    ['planHistorical', client => client.planHistorical(months), 'getHistorical', 4],
    ['planFuelMix', client => client.planFuelMix(months), 'getFuelMix', 4],
    [
      'planHistoricalForecast',
      client => client.planHistoricalForecast({ region, dates: ['2024-03-01', '2024-03-03'] }),
      'getHistoricalForecast',
      2,
    ],
    [
      'planHistorical with a chunk of its own',
      client => client.planHistorical(months, { chunk: 'P10D' }),
      'getHistorical',
      12,
    ],
  ])('%s says what would be asked, and sends nothing', async (_name, plan, operation, requests) => {
    const simulator = await simulate()
    const planned = plan(patientClient(simulator))
    expect(planned).toMatchObject({ operation, requests })
    expect(planned.chunks).toHaveLength(requests)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(simulator.stats.requests).toBe(0)
  })

  it('F01: is what the getter then asks', async () => {
    const simulator = await simulate()
    const client = patientClient(simulator)
    const { chunks } = client.planHistorical({ region, start: '2024-01-01T00:03Z', end: '2024-03-01' })
    const { meta } = await client.getHistorical({ region, start: '2024-01-01T00:03Z', end: '2024-03-01' })
    expect(meta.map(({ span }) => span)).toEqual(chunks)
  })

  it.each(['P33D', 'PT1M'])(
    'R26: refuses a chunk that the service does not take, before any request: %s',
    async chunk => {
      const simulator = await simulate()
      const client = patientClient(simulator)
      expect(() => client.planHistorical(months, { chunk })).toThrow(/chunk is/)
      await expect(client.getHistorical(months, { chunk })).rejects.toMatchObject({ argument: 'chunk' })
      expect(simulator.stats.requests).toBe(0)
    },
  )
})
