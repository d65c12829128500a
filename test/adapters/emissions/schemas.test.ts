import { describe, expect, it } from 'vitest'
import type { EmissionsClient } from '../../../src/adapters/emissions/index.ts'
import { QueryError } from '../../../src/errors.ts'
import { simulate } from '../../support/emissions.ts'
import { patientClient } from '../../support/patient-client.ts'

const region = 'CAISO_NORTH'
const hour = { start: '2024-03-01', end: '2024-03-01T01:00Z' }

type Call = (client: EmissionsClient, query: never) => unknown

/** Whatever a call throws, at once, by its promise, or at the first step of its stream. */
async function refusal(call: Call, query: unknown): Promise<{ error: unknown; requests: number }> {
  const simulator = await simulate()
  const error: unknown = await run(() => call(patientClient(simulator), query as never)).catch(
    (thrown: unknown) => thrown,
  )
  return { error, requests: simulator.stats.requests }
}

async function run(call: () => unknown): Promise<void> {
  const answer = call()
  if (Symbol.asyncIterator in Object(answer)) await (answer as AsyncGenerator).next()
  else await answer
}

const getters: Readonly<Record<string, readonly [call: Call, query: object]>> = {
  getAccess: [(client, query) => client.getAccess(query), {}],
  getRegion: [(client, query) => client.getRegion(query), { latitude: 1, longitude: 2 }],
  getHistorical: [(client, query) => client.getHistorical(query), { region, ...hour }],
  streamHistorical: [(client, query) => client.streamHistorical(query), { region, ...hour }],
  planHistorical: [(client, query) => client.planHistorical(query), { region, ...hour }],
  getForecast: [(client, query) => client.getForecast(query), { region }],
  getHistoricalForecast: [(client, query) => client.getHistoricalForecast(query), { region, ...hour }],
  streamHistoricalForecast: [(client, query) => client.streamHistoricalForecast(query), { region, ...hour }],
  planHistoricalForecast: [(client, query) => client.planHistoricalForecast(query), { region, ...hour }],
  getSignalIndex: [(client, query) => client.getSignalIndex(query), { region }],
  getFuelMix: [(client, query) => client.getFuelMix(query), { region, ...hour }],
  streamFuelMix: [(client, query) => client.streamFuelMix(query), { region, ...hour }],
  planFuelMix: [(client, query) => client.planFuelMix(query), { region, ...hour }],
  getMaps: [(client, query) => client.getMaps(query), {}],
  register: [(client, query) => client.register(query), { username: 'a', password: 'b', email: 'c@d' }],
  requestPasswordReset: [(client, query) => client.requestPasswordReset(query), {}],
}

describe('a query key that nobody knows is refused before any request', () => {
  it.each(Object.entries(getters))('by %s', async (_name, [call, query]) => {
    const { error, requests } = await refusal(call, { ...query, colour: 'green' })
    expect(error).toBeInstanceOf(QueryError)
    expect(error).toMatchObject({ argument: 'colour', message: expect.stringContaining("'colour'") as string })
    expect(requests).toBe(0)
  })

  it.each([
    ['getHistorical', 'signaltype', 'signalType'],
    ['getHistorical', 'signal_type', 'signalType'],
    ['getHistorical', 'includeImputed', 'includeImputedMarker'],
    ['getHistorical', 'updated_since', 'updatedSince'],
    ['getHistorical', 'from', undefined],
    ['getForecast', 'horizon', 'horizonHours'],
    ['getHistoricalForecast', 'date', 'dates'],
    ['getRegion', 'lattitude', 'latitude'],
    ['register', 'pasword', 'password'],
  ])('by %s, which takes %s for %s', async (name, written, meant) => {
    const [call, query] = getters[name] as (typeof getters)[string]
    const { error, requests } = await refusal(call, { ...query, [written]: 'x' })
    const message = meant === undefined ? `'${written}' is not known here` : `did you mean '${meant}'?`
    expect(error).toMatchObject({
      code: 'HEADRACE_QUERY',
      argument: written,
      message: expect.stringContaining(message) as string,
    })
    expect(requests).toBe(0)
  })

  it('names the misspelt key, not the one that is missing for it', async () => {
    const { error } = await refusal((client, query) => client.getHistorical(query), { reigon: region, ...hour })
    expect(error).toMatchObject({ argument: 'reigon', message: expect.stringContaining("'region'") as string })
  })
})

describe('F04, R26: a query that cannot work is refused before any request, with the argument and its value', () => {
  it.each<[string, keyof typeof getters, object, string, string]>([
    ['an end before the start', 'getHistorical', { start: '2024-02-01', end: '2024-01-01' }, 'end', '2024-01-01'],
    ['a day that does not exist', 'getHistorical', { start: '2024-02-30' }, 'start', '2024-02-30'],
    ['a text that is no instant', 'getHistorical', { start: 'yesterday' }, 'start', 'yesterday'],
    ['a date that holds none', 'getHistorical', { start: new Date(Number.NaN) }, 'start', 'Invalid Date'],
    ['a number that is none', 'getHistorical', { start: Number.NaN }, 'start', 'NaN'],
    ['an object', 'getHistorical', { start: { year: 2024 } }, 'start', '{"year":2024}'],
    ['no start', 'getHistorical', { start: undefined }, 'start', 'undefined'],
    ['both a start and a last', 'getHistorical', { last: 'P1D' }, 'last', 'P1D'],
    ['a last that is no length', 'getHistorical', { start: undefined, last: 'week' }, 'last', 'week'],
    ['a zone that nobody knows', 'getHistorical', { zone: 'Mars/Olympus' }, 'zone', 'Mars/Olympus'],
    ['an unreadable updatedSince', 'getHistorical', { updatedSince: 'soon' }, 'updatedSince', 'soon'],
    ['a marker that is no boolean', 'getHistorical', { includeImputedMarker: 'yes' }, 'includeImputedMarker', 'yes'],
    ['a model that is no date', 'getHistorical', { model: 'newest' }, 'model', 'newest'],
    ['no region', 'getHistorical', { region: undefined }, 'region', 'undefined'],
    ['an empty region', 'getHistorical', { region: ' ' }, 'region', ' '],
    ['a horizon above 72', 'getForecast', { horizonHours: 73 }, 'horizonHours', '73'],
    ['a horizon below 0', 'getHistoricalForecast', { horizonHours: -1 }, 'horizonHours', '-1'],
    ['a horizon that is not whole', 'getForecast', { horizonHours: 1.5 }, 'horizonHours', '1.5'],
    ['no dates in the list', 'getHistoricalForecast', { start: undefined, end: undefined, dates: [] }, 'dates', '[]'],
    [
      'a date that does not exist',
      'getHistoricalForecast',
      { start: undefined, end: undefined, dates: ['2024-02-30'] },
      'dates',
      '2024-02-30',
    ],
    ['dates beside a start', 'getHistoricalForecast', { dates: ['2024-02-01'] }, 'dates', '["2024-02-01"]'],
    ['a latitude beyond the pole', 'getRegion', { latitude: 90.5 }, 'latitude', '90.5'],
    ['a longitude that is text', 'getRegion', { longitude: '2' }, 'longitude', '2'],
    ['an account without e-mail', 'register', { email: undefined }, 'email', 'undefined'],
  ])('%s', async (_what, name, part, argument, value) => {
    const [call, query] = getters[name] as (typeof getters)[string]
    const { error, requests } = await refusal(call, { ...query, ...part })
    expect(error).toBeInstanceOf(QueryError)
    expect(error).toMatchObject({ argument, value, message: expect.stringContaining(argument) as string })
    expect(requests).toBe(0)
  })

  it.each([['a text'], [5], [['region']]])('a query that is no object: %j', async query => {
    const { error, requests } = await refusal((client, given) => client.getHistorical(given), query)
    expect(error).toMatchObject({ code: 'HEADRACE_QUERY', argument: 'query' })
    expect(requests).toBe(0)
  })

  it('R44: a refused registration repeats neither password nor user name', async () => {
    const given = { username: 7, password: 12_345_678, email: 'c@d' }
    const { error } = await refusal((client, query) => client.register(query), given)
    expect(error).toMatchObject({ code: 'HEADRACE_QUERY', argument: 'username' })
    const { error: noObject } = await refusal((client, query) => client.register(query), ['frog', 'Fr0g!frog'])
    expect(noObject).toMatchObject({ code: 'HEADRACE_QUERY', argument: 'query' })
    expect(JSON.stringify([error, noObject])).not.toMatch(/frog|12345678/)
  })
})
