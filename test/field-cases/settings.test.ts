import { describe, expect, it } from 'vitest'
import { createEmissions, type EmissionsOptions } from '../../src/adapters/emissions/index.ts'
import { ConfigurationError, type CallOptions } from '../../src/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { clientFor, dataRequests, errorOf, hung, PATIENT, REGION, simulateCase } from '../support/field-case.ts'
import { createPaged } from '../support/page-adapter.ts'
import { startScripted } from '../support/scripted-server.ts'

const ONE_DAY = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-01T23:55Z' } as const
const ADDRESS = 'http://127.0.0.1:1'

/** Numeric settings: what holds when nothing is said, what 0 and 2.5 mean. `refused` where they make no sense. */
const SETTINGS: [name: keyof EmissionsOptions, unset: string, zero: string, fraction: string][] = [
  ['retries', '3', '0', 'refused'],
  ['retryAfterCapMs', '60000', '0', '2.5'],
  ['stallMs', '60000', '0', '2.5'],
  ['connectTimeoutMs', '10000', 'refused', '2.5'],
  ['readTimeoutMs', '60000', 'refused', '2.5'],
  ['concurrency', '8', 'refused', 'refused'],
  ['rate', '[{"requests":10,"perMs":1000}]', 'refused', '[{"requests":2,"perMs":1000}]'],
  ['maxSplitDepth', '2', '0', 'refused'],
  ['chunk', 'none', 'refused', '2.5'],
  ['quotaReserve', '0', '0', 'refused'],
  ['maxPages', '10000', 'refused', 'refused'],
  ['maxBytes', '1073741824', 'refused', 'refused'],
]

/** What becomes of every spelling of a setting. */
function outcomes(zero: string, fraction: string, unset: string): Record<string, string> {
  return {
    '': unset,
    '  ': unset,
    abc: 'refused',
    '4x': 'refused',
    '-1': 'refused',
    NaN: 'refused',
    Infinity: 'refused',
    '1e3': 'refused',
    '0x10': 'refused',
    '0': zero,
    '2.5': fraction,
  }
}

/** The value that a client made like this works with, or that it is refused, with the setting and its source named. */
function outcome(name: string, source: string, make: () => ReturnType<typeof createEmissions>): string {
  try {
    return (
      make()
        .describeSettings()
        .find(({ setting }) => setting === name)?.value ?? 'absent'
    )
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ConfigurationError)
    expect(thrown).toMatchObject({ setting: name, source, code: 'HEADRACE_CONFIGURATION' })
    expect((thrown as Error).message).toContain(`${name} (${source})`)
    return 'refused'
  }
}

describe('F55: numbers that are none', () => {
  it.each(SETTINGS)('F55: %s from the environment', (name, unset, zero, fraction) => {
    const variable = `HEADRACE_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
    const expected = outcomes(zero, fraction, unset)
    const found = Object.keys(expected).map(text => [
      text,
      outcome(name, variable, () => createEmissions({ baseUrl: ADDRESS, env: { [variable]: text } })),
    ])
    expect(Object.fromEntries(found)).toEqual(expected)
  })

  it.each(SETTINGS)('F55: %s as an option, written as text', (name, unset, zero, fraction) => {
    const expected = outcomes(zero, fraction, unset)
    const found = Object.keys(expected).map(text => [
      text,
      outcome(name, 'client option', () => createEmissions({ baseUrl: ADDRESS, env: {}, [name]: text })),
    ])
    expect(Object.fromEntries(found)).toEqual(expected)
  })

  it.each(SETTINGS)('F55: %s as an option, as a number', (name, unset, zero, fraction) => {
    const given = [
      [undefined, unset],
      [-1, 'refused'],
      [Number.NaN, 'refused'],
      [Number.POSITIVE_INFINITY, 'refused'],
      [0, zero],
      [2.5, fraction],
    ] as const
    const found = given.map(([value]) => [
      value,
      outcome(name, 'client option', () => createEmissions({ baseUrl: ADDRESS, env: {}, [name]: value })),
    ])
    expect(found).toEqual(given)
  })

  it('F55: an option of one call is refused before any request, and names the call', async () => {
    const simulator = await simulateCase()
    const client = clientFor(simulator, PATIENT)
    for (const [name, , zero] of SETTINGS) {
      for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY, '4x', 'abc', ...(zero === 'refused' ? [0] : [])]) {
        const options = { [name]: value } as CallOptions
        for (const call of [client.getHistorical(ONE_DAY, options), client.getAccess({}, options)]) {
          expect(await errorOf(call)).toMatchObject({
            name: 'ConfigurationError',
            setting: name,
            source: 'call option',
          })
        }
      }
    }
    expect(simulator.requests).toEqual([])
  })

  it.each([-1, Number.NaN, '4x', 'abc'])(
    'F55: bounds of one call that make no sense are refused before any request: %s',
    async value => {
      const simulator = await simulateCase()
      const client = clientFor(simulator, PATIENT)
      for (const argument of ['deadlineMs', 'maxRequests', 'maxRows']) {
        const error = await errorOf(client.getHistorical(ONE_DAY, { [argument]: value } as CallOptions))
        expect(error).toMatchObject({ name: 'QueryError', argument })
      }
      expect(simulator.requests).toEqual([])
    },
  )

  it('F55: half a request is none', async () => {
    const simulator = await simulateCase()
    const error = await errorOf(clientFor(simulator, PATIENT).getHistorical(ONE_DAY, { maxRequests: 2.5 }))
    expect(error).toMatchObject({ name: 'QueryError', argument: 'maxRequests', value: '2.5' })
    expect(simulator.requests).toEqual([])
  })

  it.each([
    { baseDelayMs: 0 },
    { baseDelayMs: Number.NaN },
    { baseDelayMs: -1 },
    { baseDelayMs: '10' },
    { maxDelayMs: Number.POSITIVE_INFINITY },
    { baseDelayMs: 10, maxDelayMs: 5 },
  ])('F55: a back-off of %j is refused', backoff => {
    expect(() => createEmissions({ env: {}, backoff: backoff as EmissionsOptions['backoff'] & object })).toThrow(
      /backoff \(client option\)/,
    )
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 'abc'])(
    'F55: a life of region look-ups of %s is refused',
    value => {
      expect(() => createEmissions({ env: {}, regionCacheMs: value as number })).toThrow(
        expect.objectContaining({ setting: 'regionCacheMs' }),
      )
    },
  )

  it('F55: a chunk from the environment may be a length of time or milliseconds', () => {
    const chunkOf = (text: string): string =>
      outcome('chunk', 'HEADRACE_CHUNK', () => createEmissions({ env: { HEADRACE_CHUNK: text } }))
    expect(['P30D', ' PT12H ', '86400000', 'P1X', '30 days'].map(chunkOf)).toEqual([
      '2592000000',
      '43200000',
      '86400000',
      'refused',
      'refused',
    ])
  })
})

describe('F55: 0 means what the documentation says', () => {
  it('F55: 0 retries repeats nothing', async () => {
    const simulator = await simulateCase({ faults: [{ do: { type: 'status', status: 503 } }] })
    expect(await errorOf(clientFor(simulator, { ...PATIENT, retries: 0 }).getHistorical(ONE_DAY))).toMatchObject({
      kind: 'http_5xx',
    })
    expect(dataRequests(simulator)).toHaveLength(1)
  })

  it('F55: a split depth of 0 never splits', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults: [{ do: { type: 'hang' } }] })
    const client = clientFor(simulator, { clock, maxSplitDepth: 0 })
    expect(
      await drive(clock, () => errorOf(client.getHistorical(ONE_DAY)), { held: () => hung(simulator) }),
    ).toMatchObject({ kind: 'timeout' })
    expect(dataRequests(simulator)).toHaveLength(1)
  })

  it('F55: a stall budget of 0 never gives up for silence: every repeat is made', async () => {
    const clock = createManualClock()
    const server = await startScripted(() => {}, clock)
    const client = createPaged(server, { clock, stallMs: 0, retries: 4 })
    expect(await drive(clock, () => errorOf(client.getItems()), { held: () => server.open })).toMatchObject({
      kind: 'timeout',
      attempts: 5,
    })
    expect(server.arrivals).toHaveLength(5)
  })

  it('F55: a longest server wait of 0 accepts none', async () => {
    const simulator = await simulateCase({
      faults: [{ do: { type: 'status', status: 429, headers: { 'retry-after': '1' } } }],
    })
    const error = await errorOf(clientFor(simulator, { ...PATIENT, retryAfterCapMs: 0 }).getHistorical(ONE_DAY))
    expect(error).toMatchObject({ kind: 'rate_limited', retryAfterMs: 1000 })
    expect(dataRequests(simulator)).toHaveLength(1)
  })

  it.each([
    ['deadlineMs', 'deadline'],
    ['maxRequests', 'other'],
  ])('F55: %s of 0 sends nothing', async (name, kind) => {
    const simulator = await simulateCase()
    const error = await errorOf(clientFor(simulator, PATIENT).getHistorical(ONE_DAY, { [name]: 0 } as CallOptions))
    expect(error).toMatchObject({ kind })
    expect(simulator.requests).toEqual([])
  })

  it('F55: a life of region look-ups of 0 keeps none', async () => {
    const simulator = await simulateCase()
    const client = clientFor(simulator, { ...PATIENT, regionCacheMs: 0 })
    for (let call = 0; call < 2; call++) await client.getRegion({ latitude: 37, longitude: -120 })
    expect(dataRequests(simulator)).toHaveLength(2)
  })
})
