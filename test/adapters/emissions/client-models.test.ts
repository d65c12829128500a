import { describe, expect, it } from 'vitest'
import type { Simulator } from '../../../src/simulator/index.ts'
import { listen, simulate } from '../../support/emissions.ts'
import { plainValues } from '../../support/plain-rows.ts'
import { patientClient } from '../../support/patient-client.ts'

const older = '2023-03-01'
const newer = '2026-03-01'
const query = { region: 'CAISO_NORTH', start: '2024-01-01', end: '2024-04-29' }

/** Spans asked for and the model named for each, in order of the span, then of arrival. */
function asked({ requests }: Simulator): string[] {
  return requests
    .filter(({ isAccount }) => !isAccount)
    .map(({ query: { start, model = 'default' } }) => `${start?.slice(0, 10)} ${model}`)
    .sort((a, b) => a.slice(0, 10).localeCompare(b.slice(0, 10)))
}

describe('R58: the model of the first answer is kept for the whole query', () => {
  it('one request at a time: the second names what the first answered with', async () => {
    const simulator = await simulate()
    const { rows, meta } = await patientClient(simulator, { concurrency: 1 }).getHistorical(query)
    expect(plainValues(rows)).toEqual(simulator.truth.historical(query))
    expect(asked(simulator)).toEqual([
      '2024-01-01 default',
      `2024-01-31 ${newer}`,
      `2024-03-01 ${newer}`,
      `2024-03-31 ${newer}`,
    ])
    expect(meta.map(({ source }) => source['model_date'])).toEqual([newer, newer, newer, newer])
  })

  it('an older default is kept, too, when it changes behind our back', async () => {
    const simulator = await simulate({ faults: [{ when: { nth: 1 }, do: { type: 'model', date: older } }] })
    const { rows, warnings } = await patientClient(simulator, { concurrency: 1 }).getHistorical(query)
    expect(plainValues(rows)).toEqual(simulator.truth.historical({ ...query, model: older }))
    expect(
      asked(simulator)
        .slice(1)
        .every(request => request.endsWith(older)),
    ).toBe(true)
    expect(warnings).toEqual([])
  })

  it('a model that the query names is asked for from the start', async () => {
    const simulator = await simulate()
    const { rows } = await patientClient(simulator).getHistorical({ ...query, model: older })
    expect(plainValues(rows)).toEqual(simulator.truth.historical({ ...query, model: older }))
    expect(asked(simulator).every(request => request.endsWith(older))).toBe(true)
  })

  it('of forecasts and fuels, too', async () => {
    const simulator = await simulate()
    const client = patientClient(simulator, { concurrency: 1 })
    const days = { region: query.region, start: '2024-03-01', end: '2024-03-02T12:00Z' }
    await client.getHistoricalForecast({ ...days, horizonHours: 0 })
    await client.getFuelMix({ ...days, end: '2024-04-02' })
    expect(asked(simulator)).toEqual([
      '2024-03-01 default',
      '2024-03-01 default',
      `2024-03-02 ${newer}`,
      `2024-03-31 ${newer}`,
    ])
  })
})

describe('R58: a default model that switches half-way', () => {
  // All four are under way before any has answered, so none names a model; the two earlier spans get the older one.
  const half = { when: { startsBefore: '2024-03-01T00:00Z' }, do: { type: 'model', date: older } } as const
  const slow = { when: { nth: [1, 2, 3, 4] }, do: { type: 'latency', ms: 400 } } as const

  it('is noticed: the older pieces are asked again with the newer model named, and no row is lost', async () => {
    const simulator = await simulate({ faults: [half, slow] })
    const { events, onEvent } = listen()
    const { rows, meta, warnings, completeness } = await patientClient(simulator).getHistorical(query, { onEvent })
    expect(plainValues(rows)).toEqual(simulator.truth.historical({ ...query, model: newer }))
    expect(asked(simulator)).toEqual([
      '2024-01-01 default',
      `2024-01-01 ${newer}`,
      '2024-01-31 default',
      `2024-01-31 ${newer}`,
      '2024-03-01 default',
      '2024-03-31 default',
    ])
    expect(completeness?.missing).toEqual([])
    expect(warnings).toEqual([])
    expect(events.filter(event => event.type === 'learned' && event.what === 'pin').map(event => event)).toMatchObject([
      { value: newer },
      { value: newer },
    ])
    // R55: a response whose rows were asked for again stays on record.
    const superseded = meta.filter(({ source }) => source['superseded'] === true)
    expect(superseded.map(({ rows: kept, source }) => [kept, source['model_date']])).toEqual([
      [0, older],
      [0, older],
    ])
    expect(meta).toHaveLength(6)
  })

  it('in a stream nothing is handed on before the models agree', async () => {
    const simulator = await simulate({ faults: [half, slow] })
    const rows = []
    for await (const batch of patientClient(simulator).streamHistorical(query)) rows.push(...plainValues(batch.rows))
    expect(rows).toEqual(simulator.truth.historical({ ...query, model: newer }))
  })

  it('when the service will not give the newer one: rows are kept, and a warning says so', async () => {
    const stubborn = { ...half, do: { ...half.do, evenWhenAsked: true } }
    const simulator = await simulate({ faults: [stubborn, slow] })
    const { rows, meta, warnings, completeness } = await patientClient(simulator).getHistorical(query)
    const seam = Date.parse('2024-03-01T00:00Z')
    const before = simulator.truth.historical({ ...query, model: older }).filter(row => row.point_time < seam)
    const after = simulator.truth.historical({ ...query, model: newer }).filter(row => row.point_time >= seam)
    expect(plainValues(rows)).toEqual([...before, ...after])
    expect(completeness?.missing).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(`${older}.*${newer}`)])
    expect(simulator.stats.dataRequests).toBe(6)
    expect(new Set(meta.map(({ source }) => source['model_date']))).toEqual(new Set([older, newer]))
  })

  it('when it is retired while we name it: what it had answered is asked again', async () => {
    const switched = {
      when: { nth: [3, 4, 5, 6, 7, 8] },
      do: { type: 'model', date: newer, evenWhenAsked: true },
    } as const
    const first = { when: { nth: [1, 2] }, do: { type: 'model', date: older, evenWhenAsked: true } } as const
    const simulator = await simulate({ faults: [first, switched] })
    const { rows, warnings } = await patientClient(simulator, { concurrency: 1 }).getHistorical(query)
    expect(plainValues(rows)).toEqual(simulator.truth.historical({ ...query, model: newer }))
    expect(warnings).toEqual([])
    expect(asked(simulator).filter(request => request.startsWith('2024-01-01'))).toEqual([
      '2024-01-01 default',
      `2024-01-01 ${newer}`,
    ])
  })
})

describe('the contract, section 8.9: no model stated', () => {
  it.each<[string, Record<string, unknown>]>([
    ['null', { model: null }],
    ['a null date', { model: { date: null } }],
  ])('%s is no error, pins nothing, and loses nothing', async (_what, patch) => {
    const simulator = await simulate({ faults: [{ do: { type: 'meta', patch } }] })
    const { rows, warnings } = await patientClient(simulator, { concurrency: 1 }).getHistorical(query)
    expect(plainValues(rows)).toEqual(simulator.truth.historical(query))
    expect(asked(simulator).every(request => request.endsWith('default'))).toBe(true)
    expect(warnings).toEqual([])
  })

  it('absent in the first answer: the second one that states it settles it for the rest', async () => {
    const simulator = await simulate({ faults: [{ when: { nth: 1 }, do: { type: 'meta', without: ['model'] } }] })
    const { rows, meta } = await patientClient(simulator, { concurrency: 1 }).getHistorical(query)
    expect(plainValues(rows)).toEqual(simulator.truth.historical(query))
    expect(asked(simulator).map(request => request.split(' ')[1])).toEqual(['default', 'default', newer, newer])
    expect(meta.map(({ source }) => source['model_date'])).toEqual([undefined, newer, newer, newer])
  })
})
