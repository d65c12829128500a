import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { ask, failureOf } from '../support/wire-exchange.ts'
import { answer, startScripted, type Script } from '../support/scripted-server.ts'
import { listenersOn } from '../support/transport.ts'

const never: Script = () => {}

describe('silence', () => {
  it('R4 R15 F30: no answer is a read time-out, from the instant the request was written', async () => {
    const server = await startScripted(never)
    const asking = ask(server.url)
    await server.arrived(1)
    const failure = await failureOf(asking)
    expect(failure).toMatchObject({
      name: 'Failure',
      class: 'read_timeout',
      begun: false,
      message: 'no byte for 300 ms',
    })
    expect(asking.clock.monotonic()).toBe(300)
    expect([asking.clock.timers, listenersOn(asking.controller.signal)]).toEqual([0, 0])
    await eventually(() => server.arrivals[0]?.broken).toBe(true)
  })

  it('R4 R15: headers and nothing after them is a read time-out, too', async () => {
    const server = await startScripted(({ response }) => {
      response.writeHead(200, { 'content-length': 10 })
      response.flushHeaders()
    })
    const asking = ask(server.url)
    await eventually(() => asking.heard.includes('heard')).toBe(true)
    expect(await failureOf(asking)).toMatchObject({
      class: 'read_timeout',
      begun: false,
      message: 'no byte for 300 ms',
    })
  })

  it('R4 R15: a body that stalls is a read time-out, not a lost connection', async () => {
    const server = await startScripted(({ response }) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('12345')
    })
    const asking = ask(server.url)
    await eventually(() => asking.heard.filter(what => what === 'heard').length).toBeGreaterThan(1)
    expect(await failureOf(asking)).toMatchObject({
      class: 'read_timeout',
      begun: true,
      message: 'no byte for 300 ms inside the body',
    })
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
    for (let byte = 2; byte <= 20; byte++) {
      const before = asking.heard.length
      await asking.clock.advance(299)
      drip()
      await eventually(() => asking.heard.length).toBeGreaterThan(before)
    }
    expect((await asking.end).body).toHaveLength(20)
    expect(asking.clock.monotonic()).toBeGreaterThan(5000)
  })

  it.each([
    [
      'headers that drip',
      ['HTTP/1.1 200 OK\r\n', 'X-One: 1\r\n', 'X-T', 'wo: 2\r\n', 'Content-Length: 2\r\n\r\n', 'ok'],
    ],
    [
      'a gateway that says it is still at work',
      [...Array<string>(4).fill('HTTP/1.1 102 Processing\r\n\r\n'), 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ],
  ])('R4 R21: %s: every byte counts, also before the body', async (_, parts) => {
    let socket: Socket | undefined
    const server = createServer(one => {
      one.on('error', () => {})
      one.once('data', () => (socket = one))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const asking = ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await eventually(() => socket !== undefined).toBe(true)
    for (const part of parts) {
      const before = asking.heard.length
      await asking.clock.advance(299)
      socket?.write(part)
      await eventually(() => asking.heard.length).toBeGreaterThan(before)
    }
    expect((await asking.end).body.toString()).toBe('ok')
    socket?.destroy()
  })

  it('R59: an ear on a connection that is kept alive goes with its request', async () => {
    const server = await startScripted(visit => answer(visit, { body: 'ok' }))
    const heard: string[][] = []
    for (let n = 0; n < 3; n++) {
      const asking = ask(server.url)
      await asking.end
      heard.push(asking.heard)
    }
    expect(server.connections).toBe(1)
    const counts = heard.map(one => one.length)
    await new Promise(resolve => setImmediate(resolve))
    expect(heard.map(one => one.length)).toEqual(counts)
    expect(counts[2]).toBe(counts[1])
  })

  it('R1 R21: a connection that does not come in time counts as not connected', async () => {
    // Accepts connections and never answers a handshake.
    const mute = createServer(socket => void socket.on('error', () => {}))
    await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void mute.close())
    const asking = ask(`https://127.0.0.1:${(mute.address() as AddressInfo).port}/`)
    expect(await failureOf(asking)).toMatchObject({
      class: 'not_connected',
      systemCode: 'ETIMEDOUT',
      message: 'no connection within 100 ms',
    })
    expect([asking.clock.monotonic(), asking.clock.timers]).toEqual([100, 0])
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
    await eventually(() => server.arrivals[0]?.broken).toBe(true)
  })

  it('R12 R62: inside the body, too', async () => {
    const server = await startScripted(({ response }) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('12345')
    })
    const asking = ask(server.url)
    await eventually(() => asking.heard.filter(what => what === 'heard').length).toBeGreaterThan(1)
    asking.controller.abort('enough')
    await expect(asking.end).rejects.toBe('enough')
  })
})

describe('proxies', () => {
  // A name that no resolver knows: whoever is asked for it is the proxy.
  const ELSEWHERE = 'http://toy.invalid/a?b=1'

  it('F56: a proxy that is named is asked for the whole address, with its own credentials', async () => {
    const proxy = await startScripted(visit => answer(visit, { body: 'by proxy' }))
    const named = await ask(ELSEWHERE, { proxy: proxy.url.replace('//', '//us%40er:p%3Ass@') }).end
    expect(named.body.toString()).toBe('by proxy')
    expect(proxy.arrivals[0]?.target).toBe(ELSEWHERE)
    expect(proxy.arrivals[0]?.headers['proxy-authorization']).toBe(
      `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`,
    )
    await ask(ELSEWHERE, { proxy: proxy.url }).end
    expect(proxy.arrivals[1]?.headers['proxy-authorization']).toBeUndefined()
  })

  it('F56: the environment is followed when told so, and not otherwise', async () => {
    const proxy = await startScripted(visit => answer(visit))
    for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, proxy.url)
    for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '')
    onTestFinished(() => void vi.unstubAllEnvs())
    await ask(ELSEWHERE, { proxy: 'environment' }).end
    expect(proxy.arrivals).toHaveLength(1)
    const lookup = (_host: string, _options: object, done: (thrown: Error) => void): void =>
      void setImmediate(done, Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    expect(await failureOf(ask(ELSEWHERE, { proxy: 'none' }, { lookup }))).toMatchObject({ class: 'unreachable' })
    expect(proxy.arrivals).toHaveLength(1)
  })

  it.each(['environment', 'http://127.0.0.1:9'])(
    'F56: this machine is never asked through a proxy (%s)',
    async proxy => {
      for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, 'http://127.0.0.1:9')
      onTestFinished(() => void vi.unstubAllEnvs())
      const server = await startScripted(visit => answer(visit, { body: 'direct' }))
      expect((await ask(server.url, { proxy }).end).body.toString()).toBe('direct')
    },
  )
})
