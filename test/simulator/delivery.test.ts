import { Agent } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSimulator, type CutLie, type DeliveryAction, type Simulator } from '../../src/simulator/index.ts'
import { ask, bodyOf, historicalPath, logIn, type AskOptions, type Reply } from './ask.ts'

const PATH = historicalPath('2024-03-01T00:00Z', '2024-03-05T00:00Z')
let simulator: Simulator
let token: string
let whole: Reply

beforeEach(async () => {
  simulator = await startSimulator()
  token = await logIn(simulator)
  whole = await get()
  simulator.reset()
})
afterEach(() => simulator.close())

const get = (options: AskOptions = {}): Promise<Reply> =>
  ask(simulator.url + PATH, { token, patienceMs: 2000, ...options })
const withFault = (action: DeliveryAction, options: AskOptions = {}): Promise<Reply> => {
  simulator.setFaults([{ do: action }])
  return get(options)
}
/** The record is closed when our side has noticed that the client is gone, which is a moment later. */
const settled = async (): Promise<Simulator['requests']> => {
  while (simulator.requests.some(request => request.endedAt === undefined)) await sleep(1)
  return simulator.requests
}

describe('hang', () => {
  it('takes the request and never answers', async () => {
    const reply = await withFault({ type: 'hang' }, { patienceMs: 150 })
    expect(reply).toMatchObject({ status: undefined, failure: 'silence' })
    expect(await settled()).toMatchObject([{ status: 'hung', abortedByClient: true }])
    expect(simulator.stats).toMatchObject({ timesHung: 1, statuses: { hung: 1 } })
  })

  it('is in the record while it lasts', async () => {
    const reply = withFault({ type: 'hang' }, { patienceMs: 150 })
    await sleep(50)
    expect(simulator.requests).toMatchObject([{ status: 'hung' }])
    expect(simulator.requests[0]).not.toHaveProperty('endedAt')
    await reply
  })
})

describe('silent', () => {
  it('sends headers and no byte of the body', async () => {
    const reply = await withFault({ type: 'silent' }, { patienceMs: 150 })
    expect(reply).toMatchObject({ status: 200, text: '', failure: 'silence' })
    expect(Number(reply.headers['content-length'])).toBe(whole.bytes.length)
    expect(await settled()).toMatchObject([{ status: 'aborted', abortedByClient: true }])
  })

  it.each([
    ['bytes', { afterBytes: 100 }, 100],
    ['a share', { at: 0.5 }, 0.5],
  ])('falls silent after %s', async (_, where, sent) => {
    const reply = await withFault({ type: 'silent', ...where }, { patienceMs: 150 })
    expect(reply.failure).toBe('silence')
    expect(reply.bytes).toHaveLength(sent < 1 ? Math.floor(whole.bytes.length * sent) : sent)
  })

  it('goes on after a while, when told so', async () => {
    const reply = await withFault({ type: 'silent', at: 0.5, forMs: 100 })
    expect(reply).toMatchObject({ failure: undefined, text: whole.text })
    expect((reply.pieces.at(-1) ?? 0) - (reply.pieces[0] ?? 0)).toBeGreaterThan(80)
  })
})

describe('drip', () => {
  it('sends the whole body in pieces, none of them late', async () => {
    const reply = await withFault({ type: 'drip', pieces: 8, everyMs: 50 })
    expect(reply).toMatchObject({ status: 200, failure: undefined, text: whole.text })
    expect(reply.pieces.length).toBeGreaterThanOrEqual(8)
    expect((reply.pieces.at(-1) ?? 0) - (reply.pieces[0] ?? 0)).toBeGreaterThan(300)
  })

  it('stops when the client leaves', async () => {
    const reply = withFault({ type: 'drip', pieces: 100, everyMs: 5000 }, { patienceMs: 150 })
    expect((await reply).failure).toBe('silence')
    expect(await settled()).toMatchObject([{ status: 'aborted' }])
  })
})

describe('reset', () => {
  it('breaks the connection before the headers', async () => {
    const reply = await withFault({ type: 'reset', at: 'before-headers' })
    expect(reply).toMatchObject({ status: undefined, failure: 'ECONNRESET' })
    expect(await settled()).toMatchObject([{ status: 'reset' }])
  })

  it.each([0, 0.5, 0.99])('breaks the connection after %d of the body', async at => {
    const reply = await withFault({ type: 'reset', at })
    expect(reply).toMatchObject({ status: 200, failure: 'ECONNRESET' })
    expect(reply.bytes).toHaveLength(Math.floor(whole.bytes.length * at))
    expect(await settled()).toMatchObject([{ status: 'reset' }])
    expect(simulator.requests[0]).not.toHaveProperty('abortedByClient')
  })

  it('hits the second request on a connection that was kept', async () => {
    simulator.setFaults([{ when: { nth: 2 }, do: { type: 'reset', at: 'before-headers' } }])
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const replies = [await get({ agent }), await get({ agent }), await get({ agent })]
    expect(replies.map(reply => reply.status)).toEqual([200, undefined, 200])
    const connections = simulator.requests.map(request => request.connection)
    expect(connections[0]).toBe(connections[1])
    expect(connections[2]).not.toBe(connections[1])
    agent.destroy()
  })
})

describe('cut', () => {
  it.each<[CutLie, string | undefined, (headers: Reply['headers']) => unknown]>([
    ['length', 'ECONNRESET', headers => Number(headers['content-length']) === whole.bytes.length],
    ['chunked', 'ECONNRESET', headers => headers['transfer-encoding'] === 'chunked'],
    ['clean', undefined, headers => Number(headers['content-length']) === whole.bytes.length / 2],
    ['close', undefined, headers => headers['content-length'] === undefined && headers['connection'] === 'close'],
  ])('ends half-way, and lies about it: %s', async (lie, failure, isSo) => {
    const even = whole.bytes.length % 2 === 0 ? 0.5 : Math.floor(whole.bytes.length / 2) / whole.bytes.length
    const reply = await withFault({ type: 'cut', at: 0.5, lie })
    expect(reply).toMatchObject({ status: 200, failure })
    expect(reply.text).toBe(whole.text.slice(0, Math.floor(whole.bytes.length / 2)))
    if (even === 0.5 || lie !== 'clean') expect(isSo(reply.headers)).toBe(true)
    expect(await settled()).toMatchObject([{ status: 'cut' }])
  })

  it('ends half-way through a compressed body, whose length header is right', async () => {
    const reply = await withFault({ type: 'cut', at: 0.5, lie: 'gzip' })
    expect(reply).toMatchObject({ status: 200, failure: undefined })
    expect(reply.headers['content-encoding']).toBe('gzip')
    expect(Number(reply.headers['content-length'])).toBe(reply.bytes.length)
    expect(() => gunzipSync(reply.bytes)).toThrow('unexpected end of file')
  })

  it('promises the whole unless told otherwise', async () => {
    expect((await withFault({ type: 'cut', at: 0.1 })).failure).toBe('ECONNRESET')
  })
})

describe('without faults', () => {
  it('compresses for clients that accept it, when asked to', async () => {
    const packing = await startSimulator({ gzip: true })
    const headers = { authorization: `Bearer ${await logIn(packing)}`, 'accept-encoding': 'gzip, deflate' }
    const packed = await ask(packing.url + PATH, { headers })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.bytes).toString()).toBe(whole.text)
    const plain = await ask(packing.url + PATH, { headers: { authorization: headers.authorization } })
    expect(plain.headers['content-encoding']).toBeUndefined()
    await packing.close()
  })

  it('notes that a client left early', async () => {
    simulator.setFaults([{ do: { type: 'latency', ms: 5000 } }])
    expect((await get({ patienceMs: 50 })).failure).toBe('silence')
    expect(await settled()).toMatchObject([{ status: 'aborted', abortedByClient: true }])
  })

  it('tells connections apart', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await get({ agent })
    await get({ agent })
    await get()
    const [first, second, third] = simulator.requests.map(request => request.connection)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    agent.destroy()
  })

  it('sends a large answer whole: 24 hours of runs, 72 hours ahead', async () => {
    const query = new URLSearchParams({
      region: 'PSCO',
      signal_type: 'co2_moer',
      horizon_hours: '72',
      start: '2024-03-01T00:00Z',
      end: '2024-03-01T23:55Z',
    })
    const reply = await ask(`${simulator.url}/v3/forecast/historical?${query}`, { token, patienceMs: 5000 })
    expect(reply.bytes.length).toBeGreaterThan(14_000_000)
    expect(bodyOf<{ forecast: unknown[] }>(reply).data.reduce((sum, run) => sum + run.forecast.length, 0)).toBe(248_832)
  })
})

describe('close', () => {
  it('breaks what is open, frees the port, and leaves nothing that keeps a process alive', async () => {
    simulator.setFaults([{ do: { type: 'hang' } }])
    const idle = new Agent({ keepAlive: true })
    await ask(`${simulator.url}/password`, { agent: idle })
    const hanging = get({ patienceMs: 5000 })
    await sleep(30)
    await simulator.close()
    expect((await hanging).failure).toBe('ECONNRESET')
    expect((await ask(simulator.url)).failure).toBe('ECONNREFUSED')
    idle.destroy()
    const again = await startSimulator({ port: Number(new URL(simulator.url).port) })
    expect(again.url).toBe(simulator.url)
    await again.close()
  })

  it('refuses a port that is taken', async () => {
    await expect(startSimulator({ port: Number(new URL(simulator.url).port) })).rejects.toThrow('EADDRINUSE')
  })

  it('answers a client that takes it for a proxy', async () => {
    const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1')
    socket.end(`GET http://elsewhere.test${PATH} HTTP/1.1\r\nHost: elsewhere.test\r\nConnection: close\r\n\r\n`)
    let said = ''
    for await (const part of socket) said += String(part)
    expect(said).toMatch(/^HTTP\/1\.1 401 /)
    expect(simulator.requests.at(-1)).toMatchObject({ path: '/v3/historical', status: 401 })
  })

  it('survives a client that speaks no HTTP', async () => {
    const socket = connect(Number(new URL(simulator.url).port), '127.0.0.1')
    socket.end('what is this\r\n\r\n')
    await new Promise(resolve => socket.on('close', resolve).resume())
    expect((await get()).status).toBe(200)
  })
})
