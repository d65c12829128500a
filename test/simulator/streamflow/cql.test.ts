import { describe, expect, it } from 'vitest'
import { partsOf, type Condition } from '../../../src/simulator/streamflow/cql/condition.ts'
import { compile } from '../../../src/simulator/streamflow/cql/evaluate.ts'
import { readCqlJson } from '../../../src/simulator/streamflow/cql/read-json.ts'
import { readCqlText } from '../../../src/simulator/streamflow/cql/read-text.ts'
import { isAllTime, stretchesOf } from '../../../src/simulator/streamflow/cql/spans.ts'
import type { Json } from '../../../src/simulator/streamflow/json.ts'

const RECORD: Readonly<Record<string, Json>> = {
  parameter_code: '00060',
  value: '34.52',
  time: '2024-02-01T00:15:00+00:00',
  altitude: 120.5,
  water_year: 1970,
  qualifier: ['ICE', 'ESTIMATED'],
  hydrologic_unit_code: '020700100101',
  name: "O'Hara_1",
  nothing: null,
  geometry: [-90.5, 34.5],
}

const property = (name: string): { property: string } => ({ property: name })
const holds = (condition: Condition): boolean | undefined => compile(condition)(name => RECORD[name] ?? null)

// Each predicate as text and as a document: both must be understood alike.
const PREDICATES: readonly (readonly [text: string, document: unknown, holds: boolean])[] = [
  [`parameter_code = '00060'`, { op: '=', args: [property('parameter_code'), '00060'] }, true],
  [`parameter_code <> '00060'`, { op: '<>', args: [property('parameter_code'), '00060'] }, false],
  [`parameter_code IN ('00065', '00060')`, { op: 'in', args: [property('parameter_code'), ['00065', '00060']] }, true],
  [
    `NOT parameter_code IN ('00065')`,
    { op: 'not', args: [{ op: 'in', args: [property('parameter_code'), ['00065']] }] },
    true,
  ],
  // Texts are compared as texts.
  [`value >= '9'`, { op: '>=', args: [property('value'), '9'] }, false],
  [`value < '9'`, { op: '<', args: [property('value'), '9'] }, true],
  [`altitude > '99'`, { op: '>', args: [property('altitude'), '99'] }, true],
  [`altitude BETWEEN '100' AND '121'`, { op: 'between', args: [property('altitude'), '100', '121'] }, true],
  [`water_year = '1970'`, { op: '=', args: [property('water_year'), '1970'] }, true],
  [`hydrologic_unit_code LIKE '0207%'`, { op: 'like', args: [property('hydrologic_unit_code'), '0207%'] }, true],
  [`hydrologic_unit_code LIKE '207%'`, { op: 'like', args: [property('hydrologic_unit_code'), '207%'] }, false],
  [`name = 'O''Hara_1'`, { op: '=', args: [property('name'), "O'Hara_1"] }, true],
  [`qualifier = 'ICE'`, { op: '=', args: [property('qualifier'), 'ICE'] }, true],
  [`nothing IS NULL`, { op: 'isNull', args: [property('nothing')] }, true],
  [`name IS NOT NULL`, { op: 'not', args: [{ op: 'isNull', args: [property('name')] }] }, true],
  // Instants are compared by their place in time, however they are spelt.
  [`time >= '2024-01-31T19:15:00-05:00'`, { op: '>=', args: [property('time'), '2024-01-31T19:15:00-05:00'] }, true],
  [`time > '2024-02-01T00:15:00Z'`, { op: '>', args: [property('time'), '2024-02-01T00:15:00Z'] }, false],
  [
    `T_INTERSECTS(time, INTERVAL('2024-01-01', '..'))`,
    { op: 't_intersects', args: [property('time'), { interval: ['2024-01-01', '..'] }] },
    true,
  ],
  [
    `T_AFTER(time, TIMESTAMP('2024-02-01T00:15:00Z'))`,
    { op: 't_after', args: [property('time'), { timestamp: '2024-02-01T00:15:00Z' }] },
    false,
  ],
  [`T_BEFORE(time, DATE('2024-02-02'))`, { op: 't_before', args: [property('time'), { date: '2024-02-02' }] }, true],
  [
    `S_INTERSECTS(geometry, BBOX(-91, 34, -90, 35))`,
    { op: 's_intersects', args: [property('geometry'), { bbox: [-91, 34, -90, 35] }] },
    true,
  ],
  [
    `S_WITHIN(geometry, POLYGON((-91 34, -90 34, -91 35, -91 34)))`,
    {
      op: 's_within',
      args: [
        property('geometry'),
        {
          type: 'Polygon',
          coordinates: [
            [
              [-91, 34],
              [-90, 34],
              [-91, 35],
              [-91, 34],
            ],
          ],
        },
      ],
    },
    false,
  ],
  [
    `(parameter_code = '00065' OR value = '34.52') AND altitude < '200'`,
    {
      op: 'and',
      args: [
        {
          op: 'or',
          args: [
            { op: '=', args: [property('parameter_code'), '00065'] },
            { op: '=', args: [property('value'), '34.52'] },
          ],
        },
        { op: '<', args: [property('altitude'), '200'] },
      ],
    },
    true,
  ],
]

describe('CQL2', () => {
  it.each(PREDICATES)('%s', (text, document, expected) => {
    expect(readCqlText(text)).toEqual(readCqlJson(document))
    expect(holds(readCqlText(text))).toBe(expected)
  })

  it.each(['', 'value', 'value =', "value = 'a", "value ~ 'a'", "value = 'a' AND", "value IN 'a'", "value = 'a') "])(
    'refuses the text %j',
    text => expect(() => readCqlText(text)).toThrow(/unexpected|expected|is not/),
  )

  it.each([
    {},
    null,
    { op: 'in', args: [property('a'), 'b'] },
    { op: '=', args: ['a', 'b'] },
    { op: 'crosses', args: [] },
    { op: 'and', args: ['a'] },
    { op: 's_intersects', args: [property('geometry'), { type: 'Point' }] },
    { op: 't_intersects', args: [property('time'), 'soon'] },
  ])('refuses the document %j', document => expect(() => readCqlJson(document)).toThrow(/expected|needs|is not/))

  it('says that it cannot tell, where a field is not known yet', () => {
    const test = compile(readCqlText(`parameter_code = '00065' OR value = '1'`))
    expect(test(name => (name === 'value' ? undefined : '00060'))).toBeUndefined()
    expect(test(name => (name === 'value' ? undefined : '00065'))).toBe(true)
    const both = compile(readCqlText(`parameter_code = '00065' AND value = '1'`))
    expect(both(name => (name === 'value' ? undefined : '00060'))).toBe(false)
    expect(compile(readCqlText(`NOT value = '1'`))(() => undefined)).toBeUndefined()
  })
})

describe('stretches', () => {
  const of = (text: string): string[] =>
    stretchesOf(readCqlText(text), 'time').map(({ from, to }) =>
      [from, to].map(at => (Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : '..')).join('/'),
    )

  it.each([
    [`time >= '2024-01-01' AND time <= '2024-02-01'`, ['2024-01-01/2024-02-01']],
    [
      `(time >= '2024-01-01' AND time <= '2024-01-02') OR time = '2023-01-01'`,
      ['2023-01-01/2023-01-01', '2024-01-01/2024-01-02'],
    ],
    [`time >= '2024-01-01' OR time <= '2024-02-01'`, ['../..']],
    [`time >= '2024-02-01' AND time <= '2024-01-01'`, []],
    [`value = '1'`, ['../..']],
    [`NOT time = '2024-01-01'`, ['../..']],
    [`value = '1' AND time < '2024-01-01'`, ['../2024-01-01']],
  ])('%s', (text, expected) => expect(of(text)).toEqual(expected))

  it.each([
    [`time >= '2024-01-01' AND time <= '2024-02-01'`, true],
    [`time > '2024-01-01'`, false],
    [`time = '2024-01-01' OR value = '1'`, false],
  ])('say all that there is to say of %s: %s', (text, expected) => {
    expect(partsOf(readCqlText(text)).every(part => isAllTime(part, 'time'))).toBe(expected)
  })
})
