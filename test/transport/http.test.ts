import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Failure } from '../../src/transport/failure.ts'
import {
  asAxiosError,
  createAxios,
  exchange,
  failureIn,
  isLoopback,
  type Exchange,
  type HttpConfig,
  type RawAnswer,
} from '../../src/transport/http.ts'
import { createManualClock, type ManualClock } from '../support/clocks.ts'
import { answer, drop, startScripted, type Script } from '../support/scripted-server.ts'
import { listenersOn } from '../support/transport.ts'

/** One exchange on a clock of its own, with what it said on its way. */
interface Asking {
  readonly clock: ManualClock
  readonly heard: string[]
  readonly controller: AbortController
  readonly end: Promise<RawAnswer>
  readonly settled: () => boolean
}

function ask(url: string, more: Partial<Exchange> = {}, config: object = {}): Asking {
  const clock = createManualClock()
  const controller = new AbortController()
  const heard: string[] = []
  const request: Exchange = {
    method: 'GET',
    url,
    headers: {},
    connectTimeoutMs: 100,
    readTimeoutMs: 300,
    maxBytes: 1_000_000,
    proxy: 'none',
    signal: controller.signal,
    clock,
    onSent: () => heard.push('sent'),
    onHeard: () => heard.push('heard'),
    ...more,
  }
  let over = false
  const adapter = async (given: HttpConfig): Promise<unknown> => ({
    data: await exchange(given, request), status: 200, statusText: '', headers: {}, config: given,
  })
  const end = createAxios()
    .request({ method: request.method, url, adapter: adapter as never, ...config })
    .then(({ data }) => data as RawAnswer)
    .finally(() => (over = true))
  end.catch(() => {})
  return { clock, heard, controller, end, settled: () => over }
}

/** The failure of an exchange, with the clock moved on until it comes. */
async function failureOf({ clock, end, settled }: Asking): Promise<Failure> {
  await clock.runUntil(settled)
  return end.then(
    () => Promise.reject(new Error('it was expected to fail')),
    (thrown: unknown) => thrown as Failure,
  )
}

const never: Script = () => {}

describe('an answer', () => {
  it('has its status, its headers in lower case, its body unpacked and its length on the wire', async () => {
    const body = gzipSync('hello')
    const server = await startScripted(visit => {
      answer(visit, { status: 418, body, headers: { 'Content-Encoding': 'gzip', 'X-Request-Id': 'r-1', 'set-cookie': 'a' } })
    })
    const { end, clock, controller, heard } = ask(`${server.url}/a?b=c%2Fd`)
    const { status, headers, body: unpacked, bytes } = await end
    expect([status, unpacked.toString(), bytes, headers['x-request-id']]).toEqual([418, 'hello', body.length, 'r-1'])
    expect(server.arrivals[0]?.target).toBe('/a?b=c%2Fd')
    expect([clock.timers, listenersOn(controller.signal)]).toEqual([0, 0])
    expect(heard[0]).toBe('sent')
    expect(heard.slice(1).length).toBeGreaterThanOrEqual(2)
    expect(new Set(heard.slice(1))).toEqual(new Set(['heard']))
  })

  it('joins headers that are repeated', async () => {
    const server = await startScripted(({ response }) => {
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      response.setHeader('x-many', ['1', '2'])
      response.end()
    })
    const { headers } = await ask(server.url).end
    expect([headers['set-cookie'], headers['x-many']]).toEqual(['a=1, b=2', '1, 2'])
  })

  it.each([200, 301, 404, 500])('of status %d is an answer: what it means is decided elsewhere', async status => {
    const server = await startScripted(visit => answer(visit, { status, headers: { location: '/elsewhere' } }))
    expect((await ask(server.url).end).status).toBe(status)
    expect(server.arrivals).toHaveLength(1)
  })

  it('R53: of more than maxBytes is refused, packed or unpacked', async () => {
    const server = await startScripted(visit => answer(visit, { body: 'x'.repeat(100) }))
    expect(await failureOf(ask(server.url, { maxBytes: 99 }))).toMatchObject({ class: 'too_large' })
    const packed = await startScripted(visit =>
      answer(visit, { body: gzipSync('x'.repeat(10_000)), headers: { 'content-encoding': 'gzip' } }),
    )
    expect(await failureOf(ask(packed.url, { maxBytes: 9999 }))).toMatchObject({ class: 'too_large' })
  })

  it('sends a body as it is given', async () => {
    let received = ''
    const server = await startScripted(visit => {
      // The server reads bodies away; the length is enough.
      received = visit.arrival.headers['content-length'] ?? ''
      answer(visit)
    })
    await ask(server.url, { method: 'POST' }, { data: '{"a": 1}', headers: { 'content-type': 'application/json' } }).end
    expect([received, server.arrivals[0]?.method]).toEqual(['8', 'POST'])
  })
})

describe('silence', () => {
  it('R4 R15 F30: no answer is a read time-out, from the instant the request was written', async () => {
    const server = await startScripted(never)
    const asking = ask(server.url)
    await server.arrived(1)
    const failure = await failureOf(asking)
    expect(failure).toMatchObject({ name: 'Failure', class: 'read_timeout', begun: false, message: 'no byte for 300 ms' })
    expect(asking.clock.monotonic()).toBe(300)
    expect([asking.clock.timers, listenersOn(asking.controller.signal)]).toEqual([0, 0])
    await expect.poll(() => server.arrivals[0]?.broken).toBe(true)
  })

  it('R4 R15: headers and nothing after them is a read time-out, too', async () => {
    const server = await startScripted(({ response }) => {
      response.writeHead(200, { 'content-length': 10 })
      response.flushHeaders()
    })
    const asking = ask(server.url)
    await expect.poll(() => asking.heard.includes('heard')).toBe(true)
    expect(await failureOf(asking)).toMatchObject({ class: 'read_timeout', begun: false, message: 'no byte for 300 ms' })
  })

  it('R4 R15: a body that stalls is a read time-out, not a lost connection', async () => {
    const server = await startScripted(({ response }) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('12345')
    })
    const asking = ask(server.url)
    await expect.poll(() => asking.heard.filter(what => what === 'heard').length).toBeGreaterThan(1)
    expect(await failureOf(asking)).toMatchObject({ class: 'read_timeout', begun: true, message: 'no byte for 300 ms inside the body' })
  })

  it('R21 F31: a body that drips is never cut, however long it takes', async () => {
    let step: (drip: () => void) => void = () => {}
    const stepped = new Promise<() => void>(resolve => (step = resolve))
    const server = await startScripted(({ response }) => {
      response.writeHead(200, { 'content-length': 20 })
      response.write('x')
      step(() => void response.write('x'))
    })
    const asking = ask(server.url)
    const drip = await stepped
    for (let drop = 2; drop <= 20; drop++) {
      const before = asking.heard.length
      await asking.clock.advance(299)
      drip()
      await expect.poll(() => asking.heard.length).toBeGreaterThan(before)
    }
    expect((await asking.end).body).toHaveLength(20)
    expect(asking.clock.monotonic()).toBeGreaterThan(5000)
  })

  it('R1 R21: a connection that does not come in time counts as not connected', async () => {
    // Accepts connections and never answers a handshake.
    const mute = createServer(socket => void socket.on('error', () => {}))
    await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void mute.close())
    const asking = ask(`https://127.0.0.1:${(mute.address() as AddressInfo).port}/`)
    expect(await failureOf(asking)).toMatchObject({ class: 'not_connected', systemCode: 'ETIMEDOUT', message: 'no connection within 100 ms' })
    expect([asking.clock.monotonic(), asking.clock.timers]).toEqual([100, 0])
  })
})

describe('connections', () => {
  it('R1: refused is not connected', async () => {
    const closed = createServer()
    await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise(resolve => closed.close(resolve))
    const failure = await failureOf(ask(`http://127.0.0.1:${port}/`))
    expect(failure).toMatchObject({ class: 'not_connected', systemCode: 'ECONNREFUSED', message: expect.stringMatching(/^not connected: /) as string })
  })

  it.each([
    ['R1', 'EAI_AGAIN', 'not_connected', /^not connected: /],
    ['R2', 'ENOTFOUND', 'unreachable', /^cannot be reached: /],
  ] as const)('F13 %s: a resolver that says %s is %s', async (_rule, code, failureClass, message) => {
    const error = Object.assign(new Error(`getaddrinfo ${code}`), { code })
    const lookup = (_host: string, _options: object, done: (thrown: Error) => void): void => void setImmediate(done, error)
    const failure = await failureOf(ask('http://toy.test/', {}, { lookup }))
    expect(failure).toMatchObject({ class: failureClass, systemCode: code, message: expect.stringMatching(message) as string })
  })

  it('R2: a certificate that is refused is settled, not tried again', async () => {
    // What answers here speaks no TLS at all.
    const server = await startScripted(visit => answer(visit))
    expect(await failureOf(ask(server.url.replace('http:', 'https:')))).toMatchObject({ class: 'unreachable' })
  })

  it('R3: a connection that breaks before the answer is lost', async () => {
    const server = await startScripted(drop)
    const failure = await failureOf(ask(server.url))
    expect(failure).toMatchObject({
      class: 'lost',
      systemCode: 'ECONNRESET',
      message: expect.stringMatching(/^the connection was lost before the answer was whole: /) as string,
    })
  })

  it.each<[string, Script]>([
    [
      'with a length that is not reached',
      ({ response, socket }) => {
        response.writeHead(200, { 'content-length': 100 })
        response.write('short', () => socket.destroySoon())
      },
    ],
    [
      'in chunks without an end mark',
      ({ response, socket }) => {
        response.writeHead(200, { 'transfer-encoding': 'chunked' })
        response.write('short', () => socket.destroySoon())
      },
    ],
  ])('R51 F34: a body %s is lost', async (_name, script) => {
    const server = await startScripted(script)
    expect(await failureOf(ask(server.url))).toMatchObject({ class: 'lost', message: 'incomplete answer: the connection ended after 5 bytes of the body' })
  })

  it('R50 F35: a packed body without its end is lost, also when the length agrees', async () => {
    const packed = gzipSync('x'.repeat(1000))
    const server = await startScripted(visit => answer(visit, { body: packed.subarray(0, -5), headers: { 'content-encoding': 'gzip' } }))
    expect(await failureOf(ask(server.url))).toMatchObject({ class: 'lost', message: expect.stringContaining('incomplete answer') as string })
  })

  it('keeps a connection alive for the next request', async () => {
    const server = await startScripted(visit => answer(visit))
    await ask(server.url).end
    await ask(server.url).end
    expect([server.arrivals.length, server.connections]).toEqual([2, 1])
  })
})

describe('an abort', () => {
  it('R62 F51: before it begins, sends nothing', async () => {
    const server = await startScripted(visit => answer(visit))
    const { end } = ask(server.url, { signal: AbortSignal.abort('over') })
    await expect(end).rejects.toBe('over')
    expect(server.connections).toBe(0)
  })

  it('R12 R62 F51: while it is open, rejects with the reason itself, and the server sees the connection close', async () => {
    const server = await startScripted(never)
    const asking = ask(server.url)
    await server.arrived(1)
    const reason = new Error('my own')
    asking.controller.abort(reason)
    await expect(asking.end).rejects.toBe(reason)
    expect([asking.clock.timers, listenersOn(asking.controller.signal)]).toEqual([0, 0])
    await expect.poll(() => server.arrivals[0]?.broken).toBe(true)
  })

  it('R12 R62: inside the body, too', async () => {
    const server = await startScripted(({ response }) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('12345')
    })
    const asking = ask(server.url)
    await expect.poll(() => asking.heard.filter(what => what === 'heard').length).toBeGreaterThan(1)
    asking.controller.abort('enough')
    await expect(asking.end).rejects.toBe('enough')
  })
})

describe('failures inside errors of the library', () => {
  it('R44: a failure goes in and comes out the same', () => {
    const failure = new Failure('gone', { class: 'lost' })
    expect(failureIn(asAxiosError(failure, {} as HttpConfig))).toBe(failure)
    for (const other of [undefined, null, 'text', new Error('x'), { failure: 'x' }]) expect(failureIn(other)).toBeUndefined()
  })
})

describe('isLoopback', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '[::1]'])('F56: %s is this machine', host => {
    expect(isLoopback(host)).toBe(true)
  })

  it.each(['localhost.evil.test', 'xlocalhost', '127.0.0.1.evil.test', '128.0.0.1', '127.0.0', '1270.0.0.1', '::1', '[::2]', ''])(
    'F56: %s is not',
    host => {
      expect(isLoopback(host)).toBe(false)
    },
  )
})
