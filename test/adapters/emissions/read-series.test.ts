import { describe, expect, it } from 'vitest'
import {
  readForecast,
  readFuelMix,
  readHistorical,
  readHistoricalForecast,
} from '../../../src/adapters/emissions/read-series.ts'
import type { Content } from '../../../src/transport/index.ts'
import { createReply, type Reply } from '../../../src/transport/reply.ts'
import { emissionsBody } from '../../support/fixtures.ts'

function replyWith(body: string | object, status = 200): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return createReply({ status, headers: {}, url: 'https://service.test/v3', body: Buffer.from(text) })
}

const noon = '2024-03-01T12:00:00+00:00'
const point = (fields: object): object => ({ data: [{ point_time: noon, ...fields }] })
const withMeta = (meta: unknown): Content<unknown> => readHistorical(replyWith({ data: [], meta }))

describe('F47: values', () => {
  it.each<[unknown, number | null, string | undefined]>([
    [870, 870, undefined],
    [0, 0, undefined],
    [-3.5, -3.5, undefined],
    ['12.3', 12.3, undefined],
    ['1e-3', 0.001, undefined],
    ['.5', 0.5, undefined],
    [null, null, undefined],
    [undefined, null, undefined],
    ['', null, undefined],
    ['Ice', null, 'Ice'],
    ['<0.5', null, '<0.5'],
    ['1,200', null, '1,200'],
    ['1e999', null, '1e999'],
    [' ', null, ' '],
  ])('reads %j as %j with the text %j kept beside it', (given, value, valueText) => {
    const { rows } = readHistorical(replyWith(point({ value: given })))
    expect(rows).toEqual([
      { point_time: new Date(noon), value, ...(valueText === undefined ? {} : { value_text: valueText }) },
    ])
  })

  it('changes no other row for an odd one', () => {
    const data = ['Ice', 2, '3'].map((value, step) => ({ point_time: `2024-03-01T12:0${step}:00Z`, value }))
    const { rows } = readHistorical(replyWith({ data }))
    expect(rows.map(({ value }) => value)).toEqual([null, 2, 3])
    expect(rows.map(row => Object.keys(row))).toEqual([
      ['point_time', 'value', 'value_text'],
      ['point_time', 'value'],
      ['point_time', 'value'],
    ])
  })

  it('F46: reads a bare NaN as null, with a warning', () => {
    const reply = replyWith(`{"data":[{"point_time":"${noon}","value":NaN}]}`)
    expect(readHistorical(reply).rows).toEqual([{ point_time: new Date(noon), value: null }])
    expect(reply.warnings).toEqual([expect.stringContaining('1 value NaN or Infinity')])
  })
})

describe('F07: instants', () => {
  it.each([
    ['2024-11-03T01:30:00-04:00', '2024-11-03T05:30:00.000Z'],
    ['2024-11-03T01:30:00-05:00', '2024-11-03T06:30:00.000Z'],
    ['2024-11-03T06:30:00Z', '2024-11-03T06:30:00.000Z'],
    ['2024-11-03T06:30:00.250+00:00', '2024-11-03T06:30:00.250Z'],
  ])('reads %s as %s', (text, instant) => {
    const { rows } = readHistorical(replyWith({ data: [{ point_time: text, value: 1 }] }))
    expect(rows[0]?.point_time.toISOString()).toBe(instant)
  })

  it.each([['2024-11-03T06:30:00'], ['2024-11-03'], ['soon'], [1_730_615_400_000], [null], [undefined]])(
    'R11: refuses %j, which states no zone or no instant, and says where',
    text => {
      const reply = replyWith({
        data: [
          { point_time: noon, value: 1 },
          { point_time: text, value: 1 },
        ],
      })
      expect(() => readHistorical(reply)).toThrow(/data\[1\]\.point_time: is not an instant/)
    },
  )
})

describe('the contract, section 8.10: extra fields', () => {
  const extras = { imputed_data_used: true, last_updated: '2024-04-01T00:00:00+00:00', quality: 'good' }
  const read = { imputed_data_used: true, last_updated: new Date('2024-04-01T00:00:00Z'), quality: 'good' }
  const at = { point_time: new Date(noon), value: 1 }
  const forecast = [{ point_time: noon, value: 1, ...extras }]

  it('of a value are passed through', () => {
    expect(readHistorical(replyWith(point({ value: 1, ...extras }))).rows).toEqual([{ ...at, ...read }])
  })

  it('of a forecast are passed through', () => {
    const { rows } = readForecast(replyWith({ data: forecast, meta: { generated_at: noon } }))
    expect(rows).toEqual([{ generated_at: new Date(noon), ...at, ...read }])
  })

  it('of a forecast that was made earlier are passed through', () => {
    const { rows } = readHistoricalForecast(replyWith({ data: [{ generated_at: noon, forecast }] }))
    expect(rows).toEqual([{ generated_at: new Date(noon), ...at, ...read }])
  })

  it('of a fuel are passed through', () => {
    const values = [{ fuel_type: 'gas', value: 1, ...extras }]
    expect(readFuelMix(replyWith({ data: [{ point_time: noon, values }] })).rows).toEqual([
      { ...at, fuel_type: 'gas', ...read },
    ])
  })

  it('never take the place of a documented one', () => {
    const data = [{ point_time: noon, value: 'Ice', generated_at: 'never', value_text: 'Snow' }]
    const { rows } = readForecast(replyWith({ data, meta: { generated_at: noon } }))
    expect(rows).toEqual([{ generated_at: new Date(noon), point_time: new Date(noon), value: null, value_text: 'Ice' }])
  })

  it('of the metadata are kept as they are', () => {
    expect(withMeta({ region: 'X', new_field: { deep: [1] } }).source).toEqual({
      region: 'X',
      new_field: { deep: [1] },
    })
  })
})

describe('the contract, section 5.1: metadata that comes in more than one form', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['objects', [{ type: 'MISSING_DATA', message: 'some are missing' }], ['MISSING_DATA: some are missing']],
    ['objects without a type', [{ message: 'some are missing' }], ['some are missing']],
    ['plain strings', ['some are missing'], ['some are missing']],
    ['an empty list', [], []],
    ['null', null, []],
    ['absent', undefined, []],
  ])('takes warnings as %s', (_form, warnings, said) => {
    expect(withMeta({ warnings }).warnings).toEqual(said)
  })

  it.each<[string, unknown, string | undefined, object]>([
    [
      'a date and a type',
      { date: '2023-03-01', type: 'average' },
      '2023-03-01',
      { model_date: '2023-03-01', model_type: 'average' },
    ],
    ['a date', { date: '2023-03-01' }, '2023-03-01', { model_date: '2023-03-01', model_type: null }],
    ['a date that is null', { date: null }, undefined, { model_date: null, model_type: null }],
    ['null', null, undefined, {}],
    ['absent', undefined, undefined, {}],
  ])('R58: takes a model of %s, and pins what it names', (_form, model, pin, source) => {
    const content = withMeta({ model })
    expect(content.pin).toBe(pin)
    expect(content.source).toEqual(source)
  })

  it('takes an answer without metadata', () => {
    expect(readHistorical(replyWith({ data: [] }))).toEqual({ rows: [], warnings: [], source: {} })
  })

  it('F43: takes 204 for no rows', () => {
    expect(readHistorical(replyWith('', 204))).toEqual({ rows: [], warnings: [], source: {} })
  })
})

describe('R11: an answer of the wrong shape is refused, and the message says where', () => {
  it.each<[string, (reply: Reply) => unknown, unknown, string]>([
    ['a text', readHistorical, 'all is well', 'the answer'],
    ['a list', readHistorical, [], 'the answer'],
    ['no data', readHistorical, {}, 'data'],
    ['data that is no list', readHistorical, { data: {} }, 'data'],
    ['a row that is no object', readHistorical, { data: [5] }, 'data[0]'],
    ['a row that is null', readForecast, { data: [null], meta: { generated_at: noon } }, 'data[0]'],
    [
      'a forecast that does not say when it was made',
      readForecast,
      { data: [{ point_time: noon }], meta: {} },
      'meta.generated_at',
    ],
    ['a run without forecasts', readHistoricalForecast, { data: [{ generated_at: noon }] }, 'data[0].forecast'],
    [
      'a run that does not say when it was made',
      readHistoricalForecast,
      { data: [{ forecast: [] }] },
      'data[0].generated_at',
    ],
    ['fuels that are no list', readFuelMix, { data: [{ point_time: noon, values: null }] }, 'data[0].values'],
    ['a fuel that is no object', readFuelMix, { data: [{ point_time: noon, values: ['gas'] }] }, 'data[0].values[0]'],
    [
      'a period that is no number',
      readHistorical,
      { data: [], meta: { data_point_period_seconds: '300' } },
      'meta.data_point_period_seconds',
    ],
  ])('%s', (_what, read, body, where) => {
    expect(() => read(replyWith(JSON.stringify(body)))).toThrow(`not as promised: ${where}`)
  })

  it('the run that another project damaged: blanks inside its generated_at', () => {
    const damaged = replyWith(emissionsBody('forecast-historical.malformed.json'))
    expect(() => readHistoricalForecast(damaged)).toThrow(/data\[0\]\.generated_at: is not an instant with a zone/)
  })
})
