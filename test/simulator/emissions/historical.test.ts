import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, bodyOf, historicalPath, logIn, truthOf, type Reply } from '../ask.ts'
import { createHandClock } from '../hand-clock.ts'

const NOW = '2026-06-01T12:02:30Z'
let simulator: Simulator
let token: string

beforeAll(async () => {
  simulator = await startSimulator({ clock: createHandClock(NOW) })
  token = await logIn(simulator)
})
afterAll(() => simulator.close())

const get = (start: string, end: string, more: Record<string, string> = {}): Promise<Reply> =>
  ask(simulator.url + historicalPath(start, end, more), { token })

describe('GET /v3/historical', () => {
  it('gives both ends, in the form the service uses', async () => {
    const reply = await get('2024-03-01T00:00Z', '2024-03-01T00:10Z')
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json')
    const { data, meta } = bodyOf(reply)
    expect(data.map(row => row.point_time)).toEqual([
      '2024-03-01T00:00:00+00:00',
      '2024-03-01T00:05:00+00:00',
      '2024-03-01T00:10:00+00:00',
    ])
    expect(Object.keys(data[0] ?? {})).toEqual(['point_time', 'value'])
    expect(meta).toEqual({
      data_point_period_seconds: 300,
      region: 'CAISO_NORTH',
      warnings: [],
      signal_type: 'co2_moer',
      model: { type: 'binned_regression', date: '2026-03-01' },
      units: 'lbs_co2_per_mwh',
    })
  })

  it.each([
    ['start and end off the grid', '2024-03-01T00:03:00Z', '2024-03-01T00:12:59Z', 2],
    ['one instant on the grid', '2024-03-01T00:05Z', '2024-03-01T00:05Z', 1],
    ['one instant off the grid', '2024-03-01T00:06Z', '2024-03-01T00:06Z', 0],
    ['32 days to the minute', '2024-03-01T00:00Z', '2024-04-02T00:00Z', 9217],
    ['an end in the future', '2026-06-01T12:00Z', '2026-06-02T00:00Z', 1],
    ['the future only', '2026-06-02T00:00Z', '2026-06-03T00:00Z', 0],
    ['a span across the turn of a day', '2024-03-01T23:50Z', '2024-03-02T00:10Z', 5],
    ['blanks and offsets', '2024-03-01 00:00:00+00:00', '2024-03-01T01:10:00+01:00', 3],
  ])('filters by time and does not round: %s', async (_, start, end, rows) => {
    const reply = await get(start, end)
    expect(reply.status).toBe(200)
    expect(bodyOf(reply).data).toHaveLength(rows)
  })

  it('says nothing of rows that the model does not have', async () => {
    const reply = await get('2015-12-31T00:00Z', '2016-01-01T00:10Z')
    const { data, meta } = bodyOf(reply)
    expect(data[0]?.point_time).toBe('2016-01-01T00:00:00+00:00')
    expect(data).toHaveLength(3)
    expect(meta.warnings).toEqual([])
  })

  it('reaches further back with an older model, whose values are others', async () => {
    const span = ['2015-12-31T00:00Z', '2016-01-01T00:10Z'] as const
    const old = bodyOf(await get(...span, { model: '2023-03-01' }))
    expect(old.data).toHaveLength(291)
    expect(old.meta.model?.date).toBe('2023-03-01')
    expect(truthOf(old.data).slice(-3)).not.toEqual(truthOf(bodyOf(await get(...span)).data))
  })

  it('is hourly for the average rate', async () => {
    const reply = await get('2024-03-01T00:05Z', '2024-03-01T03:00Z', { region: 'CAISO', signal_type: 'co2_aoer' })
    const { data, meta } = bodyOf(reply)
    expect(data.map(row => row.point_time.slice(11, 16))).toEqual(['01:00', '02:00', '03:00'])
    expect(meta).toMatchObject({ data_point_period_seconds: 3600, model: { type: 'average' } })
  })

  it('agrees with the truth, however the span is cut', async () => {
    const whole = bodyOf(await get('2024-02-20T00:00Z', '2024-03-20T00:00Z')).data
    const first = bodyOf(await get('2024-02-20T00:00Z', '2024-03-03T07:35Z')).data
    const second = bodyOf(await get('2024-03-03T07:40Z', '2024-03-20T00:00Z')).data
    expect([...first, ...second]).toEqual(whole)
    const truth = simulator.truth.historical({ region: 'CAISO_NORTH', start: '2024-02-20', end: '2024-03-20' })
    expect(truthOf(whole)).toEqual(truth)
  })

  it('gives the same rows with marks as without', async () => {
    const marked = bodyOf(await get('2024-03-01T00:00Z', '2024-03-02T00:00Z', { include_imputed_marker: 'true' })).data
    const plain = bodyOf(await get('2024-03-01T00:00Z', '2024-03-02T00:00Z')).data
    expect(truthOf(marked)).toEqual(truthOf(plain))
    expect(new Set(marked.map(row => row.imputed_data_used))).toEqual(new Set([true, false]))
  })

  it('gives only what changed since, when asked, and says when', async () => {
    const since = { updated_since: '2024-03-01T00:05:00Z' }
    const { data } = bodyOf(await get('2024-03-01T00:00Z', '2024-03-01T00:10Z', since))
    expect(data.map(row => row.last_updated)).toEqual(['2024-03-01T00:05:00+00:00', '2024-03-01T00:10:00+00:00'])
    const none = await get('2024-03-01T00:00Z', '2024-03-01T00:10Z', { updated_since: '2025-01-01T00:00Z' })
    expect([none.status, bodyOf(none).data]).toEqual([200, []])
  })

  it.each([
    ['start without a zone', '2024-03-01T00:00:00', '2024-03-02T00:00Z', {}, 'start'],
    ['end without a zone', '2024-03-01T00:00Z', '2024-03-02', {}, 'end'],
    ['start after end', '2024-03-02T00:00Z', '2024-03-01T00:00Z', {}, 'start must not be after end'],
    ['more than 32 days', '2024-03-01T00:00Z', '2024-04-02T00:00:01Z', {}, '32 days'],
    ['a model nobody knows', '2024-03-01T00:00Z', '2024-03-02T00:00Z', { model: '1999-01-01' }, '1999-01-01'],
    ['a signal nobody knows', '2024-03-01T00:00Z', '2024-03-02T00:00Z', { signal_type: 'noise' }, 'noise'],
    ['no region', '2024-03-01T00:00Z', '2024-03-02T00:00Z', { region: '' }, 'region is required'],
    [
      'updated_since without a zone',
      '2024-03-01T00:00Z',
      '2024-03-02T00:00Z',
      { updated_since: '2024-03-01' },
      'updated_since',
    ],
  ])('refuses %s with 400', async (_, start, end, more, message) => {
    const reply = await get(start, end, more)
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.text)).toEqual({
      error: 'INVALID_QUERY_PARAMS',
      msg: expect.stringContaining(message) as string,
      docs: 'https://docs.watttime.org/',
    })
  })

  it.each(['', 'Bearer sim-token-never-issued', 'Basic ZGVtbzpkZW1v'])(
    "answers %j with the gateway's 401 in HTML",
    async authorization => {
      const reply = await ask(simulator.url + historicalPath('2024-03-01T00:00Z', '2024-03-02T00:00Z'), {
        headers: authorization === '' ? {} : { authorization },
      })
      expect([reply.status, reply.headers['content-type']]).toEqual([401, 'text/html'])
      expect(reply.text).toContain('<title>401 Authorization Required</title>')
    },
  )

  it.each([
    ['another region', 'free:free-pass-1!', { region: 'PSCO' }, 403],
    ['another signal', 'free:free-pass-1!', { region: 'CAISO', signal_type: 'co2_aoer' }, 403],
    ['its own region', 'free:free-pass-1!', {}, 200],
    ['health damage of its own region', 'free:free-pass-1!', { signal_type: 'health_damage' }, 200],
    ['another region, paid for', 'demo:demo-pass-1!', { region: 'PSCO' }, 200],
    ['a region that does not exist', 'demo:demo-pass-1!', { region: 'ATLANTIS' }, 403],
    [
      'health damage outside the United States',
      'demo:demo-pass-1!',
      { region: 'FR', signal_type: 'health_damage' },
      403,
    ],
  ])('keeps to the plan: %s for %s', async (_, account, more, status) => {
    const reply = await ask(simulator.url + historicalPath('2024-03-01T00:00Z', '2024-03-01T01:00Z', more), {
      token: await logIn(simulator, account),
    })
    expect(reply.status).toBe(status)
    if (status === 403)
      expect(JSON.parse(reply.text)).toMatchObject({
        message: expect.stringMatching(/^Invalid scope.*CAISO_NORTH\.$/) as string,
      })
  })
})
