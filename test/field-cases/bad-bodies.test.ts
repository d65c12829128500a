import { describe, expect, it } from 'vitest'
import type { EmissionsClient } from '../../src/adapters/emissions/index.ts'
import { RequestError, RetrievalInterrupted } from '../../src/index.ts'
import { clientFor, dataRequests, errorOf, PATIENT, REGION, simulateCase } from '../support/field-case.ts'
import { createPaged } from '../support/page-adapter.ts'
import { answer, startScripted } from '../support/scripted-server.ts'

const ONE_DAY = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-01T23:55Z' } as const
const GETTERS: [keyof EmissionsClient, (client: EmissionsClient) => Promise<unknown>][] = [
  ['getHistorical', client => client.getHistorical(ONE_DAY)],
  ['getFuelMix', client => client.getFuelMix(ONE_DAY)],
  ['getHistoricalForecast', client => client.getHistoricalForecast(ONE_DAY)],
  ['getForecast', client => client.getForecast({ region: REGION })],
  ['getSignalIndex', client => client.getSignalIndex({ region: REGION })],
  ['getAccess', client => client.getAccess()],
  ['getMaps', client => client.getMaps()],
  ['getRegion', client => client.getRegion({ latitude: 37, longitude: -120 })],
]

/** The request's own failure, whichever error it came in. */
function failureOf(error: unknown): RequestError {
  const failure = error instanceof RetrievalInterrupted ? error.failure : error
  expect(failure).toBeInstanceOf(RequestError)
  return failure as RequestError
}

/** What a getter ends in when the service answers every data request with this text. */
async function failWith(
  get: (client: EmissionsClient) => Promise<unknown>,
  text: string,
  contentType = 'application/json',
) {
  const simulator = await simulateCase({ faults: [{ do: { type: 'body', text, contentType } }] })
  const failure = failureOf(await errorOf(get(clientFor(simulator, { ...PATIENT, retries: 1 }))))
  return { failure, hits: dataRequests(simulator).length }
}

describe('F44: a maintenance page with a status of success', () => {
  const filler = '<p>We are sorry. </p>'.repeat(100)
  const markup = `<!DOCTYPE html>\n<html>\n<head><title>Maintenance</title></head>\n<body>${filler}</body></html>`

  describe.each(['text/html', 'application/json', 'text/csv'])('labelled %s', label => {
    it.each(GETTERS)('F44: %s names the content and shows its beginning, no more', async (_, get) => {
      const { failure, hits } = await failWith(get, markup, label)
      expect(failure).toMatchObject({ kind: 'bad_response', status: 200, attempts: 1 })
      expect(failure.message).toContain(
        'a web page came where JSON was due: <!DOCTYPE html> <html> <head><title>Maintenance</title>',
      )
      // The page is 2,000 characters long; 200 of them are shown.
      expect(failure.message.split('We are sorry').length).toBeLessThan(9)
      expect(hits).toBe(1)
    })

    it('F44: so does a walk along pages', async () => {
      const server = await startScripted(visit => answer(visit, { headers: { 'content-type': label }, body: markup }))
      const failure = failureOf(await errorOf(createPaged(server, PATIENT).getItems()))
      expect(failure).toMatchObject({ kind: 'bad_response', status: 200 })
      expect(failure.message).toContain('a web page came where JSON was due')
      expect(server.arrivals).toHaveLength(1)
    })
  })

  it.each([
    'We are down for maintenance',
    '"We are down for maintenance"',
    '[]',
    'null',
    '42',
    '{}',
    '{"data": "none"}',
    'a,b\n1,2\n',
  ])('F44: %j where an object was due is an error too, never rows', async text => {
    for (const [, get] of GETTERS) {
      const { failure } = await failWith(get, text)
      expect(failure.kind).toBe('bad_response')
    }
  })
})

describe('F45: an error object with a status of success', () => {
  it.each(GETTERS)("F45: %s fails with the service's words, not with zero rows", async (_, get) => {
    const { failure, hits } = await failWith(get, JSON.stringify({ error: 'the database is resting' }))
    expect(failure).toMatchObject({ kind: 'bad_response', status: 200, serverMessage: 'the database is resting' })
    expect(failure.message).toContain('the database is resting')
    expect(hits).toBe(1)
  })

  it.each([
    [{ code: 'OVER_RATE_LIMIT', message: 'You have exceeded your rate limit' }, 'You have exceeded your rate limit'],
    [
      { error: { code: 'OVER_RATE_LIMIT', message: 'You have exceeded your rate limit' } },
      'You have exceeded your rate limit',
    ],
    [{ error: 'Too many requests' }, 'Too many requests'],
  ])('F45: one that says "too many" is repeated, and fails as rate-limited: %j', async (body, words) => {
    for (const [, get] of GETTERS) {
      const { failure, hits } = await failWith(get, JSON.stringify(body))
      expect(failure).toMatchObject({ kind: 'rate_limited', serverMessage: words, attempts: 2 })
      expect(hits).toBe(2)
    }
  })

  it.each([
    [{ error: 'no such collection' }, 'bad_response'],
    [{ code: 'OVER_RATE_LIMIT', description: 'no more today' }, 'rate_limited'],
  ])("F45: an adapter's own look at a success is heeded along pages: %j", async (body, kind) => {
    const server = await startScripted(visit => answer(visit, { body }))
    const failure = failureOf(await errorOf(createPaged(server, { ...PATIENT, retries: 1 }).getItems()))
    expect(failure).toMatchObject({ kind, serverMessage: Object.values(body).at(-1) })
    expect(server.arrivals).toHaveLength(kind === 'rate_limited' ? 2 : 1)
  })
})

describe('F46: a bare NaN', () => {
  it('F46: is null, with a warning, and changes no other row', async () => {
    const simulator = await simulateCase({ faults: [{ do: { type: 'rows', nan: true } }] })
    const { rows, warnings, meta, completeness } = await clientFor(simulator, PATIENT).getHistorical(ONE_DAY)
    const truth = simulator.truth.historical(ONE_DAY)
    expect(rows).toHaveLength(288)
    expect(rows.filter(({ value }) => value === null)).toHaveLength(1)
    expect(rows.filter(({ value }, at) => value === truth[at]?.value)).toHaveLength(287)
    expect(warnings).toEqual([expect.stringContaining('1 value NaN or Infinity')])
    expect(meta[0]?.source['warnings']).toEqual(warnings)
    expect(completeness?.missing).toEqual([])
  })

  it('F46: a text that says NaN is left alone', async () => {
    const data = [
      { point_time: '2024-01-01T00:00:00Z', value: Number.NaN, note: 'NaN, -Infinity' },
      { point_time: '2024-01-01T00:05:00Z', value: 2, note: '' },
    ]
    const text = JSON.stringify({ data, meta: {} }).replace('"value":null', '"value":-Infinity')
    const simulator = await simulateCase({ faults: [{ do: { type: 'body', text } }] })
    const { rows } = await clientFor(simulator, PATIENT).getHistorical(ONE_DAY)
    expect(rows).toMatchObject([
      { value: null, note: 'NaN, -Infinity' },
      { value: 2, note: '' },
    ])
  })

  it('F46: the same along pages', async () => {
    const server = await startScripted(visit =>
      answer(visit, {
        headers: { 'content-type': 'application/json' },
        body: '{"features":[{"id":"a","properties":{"value":NaN}}]}',
      }),
    )
    const { rows, warnings } = await createPaged(server, PATIENT).getItems()
    expect(rows).toEqual([{ id: 'a', value: null }])
    expect(warnings).toHaveLength(1)
  })

  it('F46: other things that are no JSON are an error that shows where', async () => {
    const { failure } = await failWith(client => client.getHistorical(ONE_DAY), '{"data": [undefined], "meta": {}}')
    expect(failure.kind).toBe('bad_response')
    expect(failure.message).toMatch(/not JSON \(.*\): \{"data": \[undefined\]/)
  })

  it.each([
    ['a row that is no object', { data: [1] }, 'data[0]'],
    ['an instant without a zone', { data: [{ point_time: '2024-01-01T00:00:00', value: 1 }] }, 'data[0].point_time'],
    ['no instant', { data: [{ point_time: '2024-01-01T00:00:00Z', value: 1 }, { value: 1 }] }, 'data[1].point_time'],
  ])('F46: %s is an error that says where', async (_, body, where) => {
    const { failure } = await failWith(client => client.getHistorical(ONE_DAY), JSON.stringify(body))
    expect(failure.kind).toBe('bad_response')
    expect(failure.message).toContain(where)
  })
})
