import { createServer, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Failure } from '../../src/transport/failure.ts'
import { asAxiosError, failureIn, isLoopback, type HttpConfig } from '../../src/transport/http.ts'
import { ask, failureOf } from '../support/wire-exchange.ts'
import { answer, drop, startScripted, type Script } from '../support/scripted-server.ts'
import { listenersOn } from '../support/transport.ts'

describe('an answer', () => {
  it('has its status, its headers in lower case, its body unpacked and its length on the wire', async () => {
    const body = gzipSync('hello')
    const server = await startScripted(visit => {
      answer(visit, {
        status: 418,
        body,
        headers: { 'Content-Encoding': 'gzip', 'X-Request-Id': 'r-1', 'set-cookie': 'a' },
      })
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

describe('connections', () => {
  it('R1: refused is not connected', async () => {
    const closed = createServer()
    await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise(resolve => closed.close(resolve))
    const failure = await failureOf(ask(`http://127.0.0.1:${port}/`))
    expect(failure).toMatchObject({
      class: 'not_connected',
      systemCode: 'ECONNREFUSED',
      message: expect.stringMatching(/^not connected: /) as string,
    })
  })

  it.each([
    ['R1', 'EAI_AGAIN', 'not_connected', /^not connected: /],
    ['R2', 'ENOTFOUND', 'unreachable', /^cannot be reached: /],
  ] as const)('F13 %s: a resolver that says %s is %s', async (_rule, code, failureClass, message) => {
    const error = Object.assign(new Error(`getaddrinfo ${code}`), { code })
    const lookup = (_host: string, _options: object, done: (thrown: Error) => void): void =>
      void setImmediate(done, error)
    const failure = await failureOf(ask('http://toy.test/', {}, { lookup }))
    expect(failure).toMatchObject({
      class: failureClass,
      systemCode: code,
      message: expect.stringMatching(message) as string,
    })
  })

  it('R1: an error without words is told by its code', async () => {
    const error = Object.assign(new Error(''), { code: 'EAI_AGAIN' })
    const lookup = (_host: string, _options: object, done: (thrown: Error) => void): void =>
      void setImmediate(done, error)
    const { message } = await failureOf(ask('http://toy.test/', {}, { lookup }))
    expect(message).toMatch(/^not connected: .+/)
  })

  it('R1: a connection that is reset before the request was written whole counts as not connected', async () => {
    const server = createServer(socket => {
      socket.once('readable', () => socket.resetAndDestroy())
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const asking = ask(`http://127.0.0.1:${port}/`, { method: 'POST' }, { data: 'x'.repeat(50_000_000) })
    expect(await failureOf(asking)).toMatchObject({
      class: 'not_connected',
      systemCode: expect.stringMatching(/^(?:ECONNRESET|EPIPE)$/) as string,
      message: expect.stringMatching(/^the connection was reset before the request was written: /) as string,
    })
    expect(asking.heard).toEqual([])
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
    expect(await failureOf(ask(server.url))).toMatchObject({
      class: 'lost',
      message: 'incomplete answer: the connection ended after 5 bytes of the body',
    })
  })

  it('R50 F35: a packed body without its end is lost, also when the length agrees', async () => {
    const packed = gzipSync('x'.repeat(1000))
    const server = await startScripted(visit =>
      answer(visit, { body: packed.subarray(0, -5), headers: { 'content-encoding': 'gzip' } }),
    )
    expect(await failureOf(ask(server.url))).toMatchObject({
      class: 'lost',
      message: expect.stringContaining('incomplete answer') as string,
    })
  })

  it('keeps a connection alive for the next request', async () => {
    const server = await startScripted(visit => answer(visit))
    await ask(server.url).end
    await ask(server.url).end
    expect([server.arrivals.length, server.connections]).toEqual([2, 1])
  })
})

describe('failures inside errors of the library', () => {
  it('R44: a failure goes in and comes out the same', () => {
    const failure = new Failure('gone', { class: 'lost' })
    expect(failureIn(asAxiosError(failure, {} as HttpConfig))).toBe(failure)
    for (const other of [undefined, null, 'text', new Error('x'), { failure: 'x' }])
      expect(failureIn(other)).toBeUndefined()
  })
})

describe('isLoopback', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '127.255.10.254', '[::1]'])(
    'F56: %s is this machine',
    host => {
      expect(isLoopback(host)).toBe(true)
    },
  )

  it.each([
    'localhost.evil.test',
    'xlocalhost',
    '127.0.0.1.evil.test',
    '128.0.0.1',
    '127.0.0',
    '1270.0.0.1',
    '::1',
    '[::2]',
    '',
  ])('F56: %s is not', host => {
    expect(isLoopback(host)).toBe(false)
  })
})
