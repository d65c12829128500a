import { describe, expect, it } from 'vitest'
import {
  checkCqlJson,
  checkCqlText,
  conditionAsJson,
  conditionAsText,
  quoted,
} from '../../../src/adapters/streamflow/cql.ts'
import { QueryError } from '../../../src/errors.ts'

describe('conditions', () => {
  it.each([
    [
      { field: 'state_code', values: ['51', '24'], prefix: false },
      { op: 'in', args: [{ property: 'state_code' }, ['51', '24']] },
      "state_code IN ('51', '24')",
    ],
    [
      { field: 'hydrologic_unit_code', values: ['0207'], prefix: true },
      { op: 'like', args: [{ property: 'hydrologic_unit_code' }, '0207%'] },
      "(hydrologic_unit_code LIKE '0207%')",
    ],
    [
      { field: 'hydrologic_unit_code', values: ['0207', '0208'], prefix: true },
      {
        op: 'or',
        args: [
          { op: 'like', args: [{ property: 'hydrologic_unit_code' }, '0207%'] },
          { op: 'like', args: [{ property: 'hydrologic_unit_code' }, '0208%'] },
        ],
      },
      "(hydrologic_unit_code LIKE '0207%' OR hydrologic_unit_code LIKE '0208%')",
    ],
  ])('are written as JSON and as text: %j', (condition, json, text) => {
    expect(conditionAsJson(condition)).toEqual(json)
    expect(conditionAsText(condition)).toBe(text)
  })

  it('doubles a quote inside a literal', () => {
    expect(quoted("O'Brien's")).toBe("'O''Brien''s'")
  })
})

describe('checkCqlText', () => {
  it.each([
    "value >= '1000'",
    "time >= '2024-01-01T00:00:00Z' AND time <= '2024-01-02T00:00:00Z'",
    "monitoring_location_name = 'Bridge 5 = 6'",
    "parameter_code IN ('00060','00065')",
    "name = 'it''s > 5'",
    'BBOX(geometry, -90, 34, -89, 35)',
    'S_INTERSECTS(geometry, POINT(-90 35))',
    'parameter_code IS NULL',
    "channel_1 = 'x'",
    "S_WITHIN(geometry, POINT(-90 35)) AND value BETWEEN '1' AND '2'",
    "state_code IN ('51', '24') AND BBOX(geometry, -90, 34, -89, 35)",
    "'1000' <= value",
  ])('lets %s pass', text => {
    expect(() => checkCqlText(text)).not.toThrow()
  })

  it.each([
    'value >= 1000',
    'value>1',
    "parameter_code='00060' AND value < -3",
    'value BETWEEN 1 AND 2',
    'water_year IN (1970, 1971)',
    'value <> .5',
    "value BETWEEN '1' AND 2",
    "water_year IN ('1970', 1971)",
    '1000 <= value',
  ])('refuses %s: a bare number ends in a status 500', text => {
    expect(() => checkCqlText(text)).toThrow(QueryError)
    expect(() => checkCqlText(text)).toThrow('need quotes')
  })
})

describe('checkCqlJson', () => {
  it('lets an operator with its arguments pass', () => {
    expect(() => checkCqlJson({ op: '=', args: [{ property: 'a' }, 'b'] })).not.toThrow()
  })

  it.each([{}, { op: 'and' }, { args: [] }, 5, []])('refuses %j', value => {
    expect(() => checkCqlJson(value)).toThrow(QueryError)
  })
})
