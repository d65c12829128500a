import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSimulator, type ContentAction, type Simulator } from '../../src/simulator/index.ts'
import { ask, bodyOf, historicalPath, logIn, truthOf, type Reply, type WireBody, type WireRow } from './ask.ts'

const PATH = historicalPath('2024-03-01T00:00Z', '2024-03-01T01:00Z')
let simulator: Simulator
let token: string
let good: WireBody

beforeEach(async () => {
  simulator = await startSimulator()
  token = await logIn(simulator)
  good = bodyOf(await get())
})
afterEach(() => simulator.close())

const get = (path = PATH): Promise<Reply> => ask(simulator.url + path, { token })
const withChange = async (...actions: ContentAction[]): Promise<WireBody> => {
  simulator.setFaults(actions.map(action => ({ do: action })))
  return bodyOf(await get())
}
const times = (rows: readonly WireRow[]): string[] => rows.map(row => row.point_time.slice(11, 16))

describe('rows', () => {
  it('come newest first', async () => {
    expect((await withChange({ type: 'rows', order: 'reversed' })).data).toEqual(good.data.toReversed())
  })

  it('come twice', async () => {
    const { data } = await withChange({ type: 'rows', duplicate: 3 })
    expect(data).toHaveLength(16)
    expect(new Set(times(data))).toEqual(new Set(times(good.data)))
  })

  it('come from beyond the span', async () => {
    const { data } = await withChange({ type: 'rows', beyond: 2 })
    expect(data.slice(2, -2)).toEqual(good.data)
    expect(data.map(row => row.point_time.slice(0, 16))).toEqual(
      expect.arrayContaining(['2024-02-29T23:50', '2024-02-29T23:55', '2024-03-01T01:05', '2024-03-01T01:10']),
    )
    expect(truthOf(data)).toEqual(
      simulator.truth.historical({ region: 'CAISO_NORTH', start: '2024-02-29T23:50', end: '2024-03-01T01:10' }),
    )
  })

  it.each<[string, (number | { from: string; to: string })[], string[]]>([
    ['by place', [0, 2, -1], ['00:00', '00:10', '01:00']],
    ['by span', [{ from: '2024-03-01T00:20', to: '2024-03-01T00:30Z' }], ['00:20', '00:25', '00:30']],
  ])('are missing without a word: %s', async (_, drop, gone) => {
    const { data, meta } = await withChange({ type: 'rows', drop })
    expect(times(data)).toEqual(times(good.data).filter(time => !gone.includes(time)))
    expect(meta.warnings).toEqual([])
  })

  it('are missing with a warning', async () => {
    const { meta } = await withChange({ type: 'rows', drop: [3], warn: true })
    expect(meta.warnings).toEqual([
      { type: 'MISSING_DATA', message: expect.stringContaining('some datapoints missing') as string },
    ])
  })

  it('hold a bare NaN', async () => {
    simulator.setFaults([{ do: { type: 'rows', nan: true } }])
    const reply = await get()
    expect(reply.text.match(/"value":NaN/g)).toHaveLength(1)
    expect(() => JSON.parse(reply.text) as unknown).toThrow(SyntaxError)
  })

  it.each([
    ['/v3/forecast', 288],
    ['/v3/fuel-mix', 13],
  ])('are missing elsewhere, too: %s', async (path, rows) => {
    simulator.setFaults([{ do: { type: 'rows', drop: [0, -1], warn: true } }])
    const query = PATH.replace('/v3/historical', path)
    const { data, meta } = bodyOf(
      await get(path === '/v3/fuel-mix' ? query.replace('co2_moer', 'marginal_fuel_mix') : query),
    )
    expect([data.length, meta.warnings]).toMatchObject([rows - 2, [{ type: 'MISSING_DATA' }]])
  })

  it('are runs, where forecasts are asked for by the time they were made', async () => {
    simulator.setFaults([{ do: { type: 'rows', order: 'reversed', drop: [0] } }])
    const reply = await get(PATH.replace('/v3/historical', '/v3/forecast/historical'))
    const runs = bodyOf<{ generated_at: string }>(reply).data.map(run => run.generated_at.slice(11, 16))
    expect(runs).toEqual(times(good.data).slice(1).toReversed())
  })
})

describe('model', () => {
  it('brings the rows of the other model', async () => {
    const changed = await withChange({ type: 'model', date: '2023-03-01' })
    expect(changed.meta.model?.date).toBe('2023-03-01')
    expect(truthOf(changed.data)).toEqual(
      simulator.truth.historical({
        region: 'CAISO_NORTH',
        start: '2024-03-01',
        end: '2024-03-01T01:00',
        model: '2023-03-01',
      }),
    )
    expect(changed.data).not.toEqual(good.data)
  })

  it.each([null, '2031-01-01'])('can be stated as %j over the same rows', async date => {
    const changed = await withChange({ type: 'model', date })
    expect(changed.meta.model?.date ?? null).toBe(date)
    expect(changed.data).toEqual(good.data)
  })

  it.each([
    [false, '2026-03-01'],
    [true, '2023-03-01'],
  ])('gives way to a request that names its own, unless told otherwise (%s)', async (evenWhenAsked, date) => {
    simulator.setFaults([{ do: { type: 'model', date: '2023-03-01', evenWhenAsked } }])
    expect(bodyOf(await get(`${PATH}&model=2026-03-01`)).meta.model?.date).toBe(date)
  })
})

describe('meta', () => {
  it.each<[string, ContentAction, unknown]>([
    ['warnings as texts', { type: 'meta', patch: { warnings: ['late'] } }, ['late']],
    ['no warnings: null', { type: 'meta', patch: { warnings: null } }, null],
    ['no warnings: absent', { type: 'meta', without: ['warnings'] }, undefined],
  ])('says %s', async (_, action, warnings) => {
    const { meta, data } = await withChange(action)
    expect(meta.warnings).toEqual(warnings)
    expect('warnings' in meta).toBe(warnings !== undefined)
    expect(data).toEqual(good.data)
  })
})

describe('revise', () => {
  const revision = {
    type: 'revise',
    from: '2024-03-01T00:10',
    to: '2024-03-01T00:15',
    at: '2025-01-01T00:00Z',
    add: 12.5,
  } as const

  it('changes values, in the answer and in the truth', async () => {
    const { data } = await withChange(revision)
    const changed = data.filter((row, place) => row.value !== good.data[place]?.value)
    expect(times(changed)).toEqual(['00:10', '00:15'])
    expect(truthOf(data)).toEqual(
      simulator.truth.historical({ region: 'CAISO_NORTH', start: '2024-03-01', end: '2024-03-01T01:00' }),
    )
  })

  it('is what `updated_since` finds', async () => {
    simulator.setFaults([{ do: revision }])
    const { data } = bodyOf(await get(`${PATH}&updated_since=2024-12-31T00:00Z`))
    expect(data.map(row => row.last_updated)).toEqual(['2025-01-01T00:00:00+00:00', '2025-01-01T00:00:00+00:00'])
    const truth = { region: 'CAISO_NORTH', start: '2024-03-01', end: '2024-03-01T01:00', updatedSince: '2024-12-31' }
    expect(truthOf(data)).toEqual(simulator.truth.historical(truth))
  })
})

describe('withdraw', () => {
  it('takes values away, from the answer and from the truth', async () => {
    const { data } = await withChange({ type: 'withdraw', from: '2024-03-01T00:10', to: '2024-03-01T00:15' })
    expect(times(good.data).filter(time => !times(data).includes(time))).toEqual(['00:10', '00:15'])
    expect(truthOf(data)).toEqual(
      simulator.truth.historical({ region: 'CAISO_NORTH', start: '2024-03-01', end: '2024-03-01T01:00' }),
    )
  })
})
