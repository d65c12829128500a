import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  startSimulator,
  type Simulator,
  type TruthResult,
  type WaterQualityQuery,
} from '../../../src/simulator/index.ts'
import { get, readTable, tableOf, type Table } from './table.ts'

let simulator: Simulator
beforeEach(async () => {
  simulator = await startSimulator()
})
afterEach(() => simulator.close())

const SITE = 'USGS-05510007'
const PORTAL = { siteid: SITE, startDateLo: '01-01-2022', startDateHi: '12-31-2022', mimeType: 'csv' }
const SAMPLES = {
  monitoringLocationIdentifier: SITE,
  activityStartDateLower: '2022-01-01',
  activityStartDateUpper: '2022-12-31',
}

/** By service: how it is asked, and how it calls an identifier and a value. */
const SERVICES: readonly [WaterQualityQuery['service'], string, Record<string, string>, id: string, value: string][] = [
  [
    'legacy',
    '/data/Result/search',
    { ...PORTAL, dataProfile: 'resultPhysChem' },
    'ResultIdentifier',
    'ResultMeasureValue',
  ],
  ['wqx3', '/wqx3/Result/search', PORTAL, 'Result_MeasureIdentifier', 'Result_Measure'],
  ['samples', '/samples-data/results/fullphyschem', SAMPLES, 'Result_MeasureIdentifier', 'Result_Measure'],
]

describe.each(SERVICES)('results of %s', (service, path, query, id, value) => {
  const truth = (): Map<string, TruthResult> =>
    new Map([...simulator.truth.waterQuality.results({ service, query })].map(result => [result.id, result]))
  const served = async (): Promise<Map<string, string>> => {
    const reply = get(simulator, path, query)
    const table: Table = service === 'samples' ? readTable((await reply).text.replace(/\n$/, '')) : await tableOf(reply)
    return new Map(table.column(id).map((name, row) => [name, table.column(value)[row] ?? '']))
  }

  it('that were revised have other values, in the answer and in the truth', async () => {
    const before = truth()
    const day = [...before.values()].find(one => one.value !== null)?.date ?? ''
    simulator.setFaults([{ do: { type: 'revise', from: day, to: day, at: '2026-01-01T00:00Z', add: 1000 } }])
    const now = truth()
    const changed = [...now.values()].filter(one => one.text !== before.get(one.id)?.text)
    const due = [...before.values()].filter(one => one.date === day && one.value !== null)
    expect(changed.map(one => one.id)).toEqual(due.map(one => one.id))
    expect(changed.map(one => one.value)).toEqual(due.map(one => (one.value ?? 0) + 1000))
    expect(due.length).toBeGreaterThan(0)
    expect(await served()).toEqual(new Map([...now.values()].map(one => [one.id, one.text])))
  })

  it('that were taken away are in no answer, no count and no truth', async () => {
    const before = truth()
    const day = [...before.values()][0]?.date ?? ''
    simulator.setFaults([{ do: { type: 'withdraw', from: day, to: day } }])
    const gone = [...before.values()].filter(one => one.date === day)
    expect(gone.length).toBeGreaterThan(0)
    expect([...truth().keys()]).toEqual([...before.keys()].filter(name => !gone.some(one => one.id === name)))
    expect([...(await served()).keys()].sort()).toEqual([...truth().keys()].sort())
    const counts = Object.values(simulator.truth.waterQuality.counts({ service, query }))
    expect(counts.reduce((sum, { results }) => sum + results, 0)).toBe(before.size - gone.length)
  })
})
