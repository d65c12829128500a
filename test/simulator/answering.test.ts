import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSimulator, type Fault, type FaultAction, type Simulator } from '../../src/simulator/index.ts'
import { ask, historicalPath, logIn, type Reply } from './ask.ts'

const PATH = historicalPath('2024-03-01T00:00Z', '2024-03-03T00:00Z')
let simulator: Simulator
let token: string

beforeEach(async () => {
  simulator = await startSimulator()
  token = await logIn(simulator)
})
afterEach(() => simulator.close())

const get = (): Promise<Reply> => ask(simulator.url + PATH, { token })
const withFaults = (...faults: Fault[]): Promise<Reply> => {
  simulator.setFaults(faults)
  return get()
}

describe('status', () => {
  it.each([
    [400, 'application/json', '"error":"Bad Request"'],
    [401, 'text/html', '<title>401 Authorization Required</title>'],
    [403, 'application/json', '"error":"Forbidden"'],
    [429, 'application/json', '"error":"Too Many Requests"'],
    [500, 'application/json', '"error":"Internal Server Error"'],
    [502, 'text/html', '<title>502 Bad Gateway</title>'],
    [503, 'text/html', '503 Service'],
    [504, 'text/html', '504 Gateway'],
  ])('%d comes as %s', async (status, type, text) => {
    const reply = await withFaults({ do: { type: 'status', status } })
    expect([reply.status, reply.headers['content-type']]).toEqual([status, type])
    expect(reply.text).toContain(text)
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
    expect(reply.headers).not.toHaveProperty('retry-after')
  })

  it.each([
    ['an object', { code: 'OVER_RATE_LIMIT' }, undefined, 'application/json', '{"code":"OVER_RATE_LIMIT"}'],
    ['a text', 'boom\n', undefined, 'text/plain', 'boom\n'],
    ['a text with a label', '<p>no</p>', 'text/html', 'text/html', '<p>no</p>'],
    ['nothing', '', undefined, 'text/plain', ''],
  ])('can say %s', async (_, body, contentType, type, text) => {
    const reply = await withFaults({
      do: { type: 'status', status: 500, body, ...(contentType === undefined ? {} : { contentType }) },
    })
    expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([500, type, text])
  })

  it('carries any header', async () => {
    const headers = { 'Retry-After': '0', 'X-RateLimit-Remaining': '7' }
    const reply = await withFaults({ do: { type: 'status', status: 429, headers } })
    expect(reply.headers).toMatchObject({ 'retry-after': '0', 'x-ratelimit-remaining': '7' })
  })

  it('can be a 204 without a body', async () => {
    const reply = await withFaults({ do: { type: 'status', status: 204, body: '' } })
    expect([reply.status, reply.text, reply.failure]).toEqual([204, '', undefined])
  })
})

describe('bad bodies under a 200', () => {
  it.each<[string, FaultAction, string, string]>([
    ['a maintenance page', { type: 'html' }, 'text/html', '<!doctype html>'],
    [
      'a maintenance page labelled as JSON',
      { type: 'html', label: 'application/json' },
      'application/json',
      '<!doctype html>',
    ],
    ['an empty object', { type: 'body', text: '{}' }, 'application/json', '{}'],
    ['a text', { type: 'body', text: 'ok', contentType: 'text/plain' }, 'text/plain', 'ok'],
  ])('%s', async (_, action, type, text) => {
    const reply = await withFaults({ do: action })
    expect([reply.status, reply.headers['content-type']]).toEqual([200, type])
    expect(reply.text.startsWith(text)).toBe(true)
  })

  it('no byte at all', async () => {
    const reply = await withFaults({ do: { type: 'body', text: '' } })
    expect([reply.status, reply.headers['content-length'], reply.text]).toEqual([200, '0', ''])
  })

  it('a login without a token', async () => {
    simulator.setFaults([{ path: '/login', do: { type: 'body', text: '{}' } }])
    expect((await ask(`${simulator.url}/login`)).text).toBe('{}')
    expect((await get()).status).toBe(200)
  })
})

describe('expireToken', () => {
  it('refuses the token from then on, and no other', async () => {
    const other = await logIn(simulator)
    const replies = [await withFaults({ when: { nth: 1 }, do: { type: 'expireToken' } }), await get()]
    expect(replies.map(reply => reply.status)).toEqual([401, 401])
    expect((await ask(simulator.url + PATH, { token: other })).status).toBe(200)
  })
})

describe('redirect', () => {
  it('sends the client elsewhere', async () => {
    const location = 'http://localhost:9/v3/historical'
    const reply = await withFaults({ do: { type: 'redirect', location } })
    expect([reply.status, reply.headers.location, reply.text]).toEqual([302, location, ''])
    expect((await withFaults({ do: { type: 'redirect', location: '/login', status: 307 } })).status).toBe(307)
  })
})

describe('latency', () => {
  const msFor = async (...faults: Fault[]): Promise<number> => {
    const started = performance.now()
    const reply = await withFaults(...faults)
    expect(reply.failure).toBeUndefined()
    return performance.now() - started
  }

  it.each<[string, FaultAction[], number, number]>([
    ['a fixed time', [{ type: 'latency', ms: 100 }], 95, 1000],
    ['a time per day of the span', [{ type: 'latency', perDayMs: 60 }], 115, 1000],
    [
      'both, from two faults',
      [
        { type: 'latency', ms: 50 },
        { type: 'latency', ms: 50, perDayMs: 10 },
      ],
      115,
      1000,
    ],
  ])('waits %s', async (_, actions, least, most) => {
    await get()
    const ms = await msFor(...actions.map(action => ({ do: action })))
    expect(ms).toBeGreaterThan(least)
    expect(ms).toBeLessThan(most)
  })

  it('combines with an answer', async () => {
    const started = performance.now()
    const reply = await withFaults({ do: { type: 'latency', ms: 100 } }, { do: { type: 'status', status: 503 } })
    expect(reply.status).toBe(503)
    expect(performance.now() - started).toBeGreaterThan(95)
  })
})

describe('several faults at once', () => {
  it('gives the first of several answers, and does not count the others as used', async () => {
    const faults: Fault[] = [
      { when: { nth: 1 }, do: { type: 'status', status: 500 } },
      { when: { upTo: 1 }, do: { type: 'status', status: 502 } },
    ]
    const replies = [await withFaults(...faults), await get(), await get()]
    expect(replies.map(reply => reply.status)).toEqual([500, 502, 200])
  })

  it('delivers an error badly', async () => {
    const reply = await withFaults({ do: { type: 'status', status: 500 } }, { do: { type: 'cut', at: 0.5 } })
    expect([reply.status, reply.failure]).toEqual([500, 'ECONNRESET'])
  })
})
