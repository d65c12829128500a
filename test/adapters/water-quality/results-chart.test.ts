import { describe, expect, it } from 'vitest'
import { createLayout } from '../../../src/adapters/water-quality/layout.ts'
import { resultsChart, withUnit } from '../../../src/adapters/water-quality/results-chart.ts'
import { qualityClient, simulateQuality, SITES, YEAR } from '../../support/water-quality.ts'

const NAMES = {
  wqx3: ['Result_Characteristic', 'Result_MeasureUnit', 'Result_Measure'],
  legacy: ['CharacteristicName', 'ResultMeasure/MeasureUnitCode', 'ResultMeasureValue'],
} as const
const COLUMNS = [{ name: 'value', kind: 'number' }] as const

describe.each(['wqx3', 'legacy'] as const)('how results are drawn, in the spelling of %s', service => {
  const [characteristic, unit] = NAMES[service]
  const layout = createLayout(NAMES[service])
  const row = (what: string, value: number | null, measured: string | null) => ({
    [characteristic]: what,
    [unit]: measured,
    value,
    censored: value === null ? 'below' : null,
  })

  it('by characteristic, as points, what was not detected by its limit', () => {
    expect(resultsChart([row('Phosphorus', 1, 'mg/l'), row('Nitrate', 2, 'mg/l')], layout)).toEqual({
      y: 'value',
      series: [characteristic],
      below: { column: 'censored', values: ['below'], limit: 'limit' },
      apart: true,
    })
  })

  it('by unit as well where one characteristic was measured in two', () => {
    const rows = [row('Phosphorus', 1, 'mg/l'), row('Phosphorus', 900, 'ug/l')]
    expect(resultsChart(rows, layout).series).toEqual([characteristic, unit])
  })

  it('not by unit where only what was not detected states none', () => {
    const rows = [row('Phosphorus', 1, 'mg/l'), row('Phosphorus', null, null), row('pH', 7, 'std units')]
    expect(resultsChart(rows, layout).series).toEqual([characteristic])
  })

  it('values have a unit where all that were measured have the same', () => {
    const mg = row('Phosphorus', 1, 'mg/l')
    expect(withUnit(COLUMNS, [mg, row('Phosphorus', null, null)], layout)).toEqual([{ ...COLUMNS[0], unit: 'mg/l' }])
    for (const other of [row('pH', 7, 'std units'), row('pH', 7, null)]) {
      expect(withUnit(COLUMNS, [mg, other], layout)).toBe(COLUMNS)
      expect(withUnit(COLUMNS, [other, mg], layout)).toBe(COLUMNS)
    }
    expect(withUnit(COLUMNS, [row('Phosphorus', null, null)], layout)).toBe(COLUMNS)
  })
})

describe('a chart of results', () => {
  it('has a series for each characteristic, the unit on its axis, and a mark for what was not detected', async () => {
    const client = qualityClient(await simulateQuality())
    const query = { siteId: SITES, start: '2005-01-01', end: YEAR.end }
    const result = await client.getResults({ ...query, characteristicName: ['Phosphorus', 'Orthophosphate'] })
    expect(result.rows.map(row => row.censored)).toContain('below')
    const svg = await result.toSvg()
    for (const text of ['Phosphorus', 'Orthophosphate', 'mg/l as P', 'below this limit']) expect(svg).toContain(text)
    const plain = await client.getResults({ ...query, characteristicName: 'Phosphorus', derive: false })
    await expect(plain.toSvg()).rejects.toThrow('no column of kind number')
  })
})
