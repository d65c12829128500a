import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { tokenCredential } from '../../src/transport/credential.ts'
import { Failure } from '../../src/transport/failure.ts'
import type { TransportOptions } from '../../src/transport/options.ts'
import type { TransportSetup } from '../../src/transport/transport.ts'
import { createManualClock } from '../support/clocks.ts'
import { plainly, rowsOf, type Answering } from '../support/toy-service.ts'
import { toyTransport, type Toy } from '../support/toy-transport.ts'
import { listenersOn } from '../support/transport.ts'

describe('ask', () => {
  const read = (reply: { json(): unknown }): unknown => reply.json()

  it('gives the value of one answer with its facts', async () => {
    const { transport, server, onEvent, events } = await toyTransport(() => ({ body: { a: 1 } }))
    const { value, facts } = await transport.ask(
      'getOne',
      { method: 'GET', url: `${server.url}/one`, read },
      { onEvent },
    )
    expect([value, facts.operation, facts.attempts]).toEqual([{ a: 1 }, 'getOne', 1])
    expect(events.map(({ type }) => type)).toEqual(['attempt'])
  })

  it('R62: throws what went wrong, and leaves nothing on the signal', async () => {
    const { transport, server } = await toyTransport(() => ({ status: 404, body: 'gone' }))
    const { signal } = new AbortController()
    await expect(
      transport.ask('getOne', { method: 'GET', url: `${server.url}/one`, read }, { signal, deadlineMs: 60_000 }),
    ).rejects.toMatchObject({
      name: 'RequestError',
      kind: 'http_4xx',
      status: 404,
      operation: 'getOne',
      serverMessage: 'gone',
    })
    expect(listenersOn(signal)).toBe(0)
  })

  it('R62: rejects at once where the caller has left already', async () => {
    const { transport, server } = await toyTransport()
    await expect(
      transport.ask('getOne', { method: 'GET', url: `${server.url}/one`, read }, { signal: AbortSignal.abort('over') }),
    ).rejects.toBe('over')
    expect(server.requests).toHaveLength(0)
  })
})

describe('logging in', () => {
  /** A service that wants a token, with a client that gets it at `/login`. */
  const withLogin = (answer: Answering, options: TransportOptions = {}): Promise<Toy> => {
    let url = ''
    const login: TransportSetup['credential'] = ask =>
      tokenCredential({
        account: 'a',
        clock: systemClock,
        lifeMs: 60_000,
        marginMs: 0,
        secrets: ['the-password'],
        login: (call, signal) =>
          ask(
            {
              method: 'GET',
              url: `${url}/login`,
              headers: { authorization: 'Basic abc' },
              accept: [401],
              read: reply => {
                if (reply.status === 401) throw new Failure('refused: the-password', { class: 'login', status: 401 })
                return (reply.json() as { token: string }).token
              },
            },
            call,
            signal,
          ),
      })
    return toyTransport(answer, options, { credential: login }).then(made => {
      url = made.server.url
      return made
    })
  }
  let tokens = 0
  const guarded: Answering = request =>
    request.path === '/login' ? { body: { token: `tok-${(tokens += 1)}` } } : plainly(request)

  it('R41: a query logs in once, and sends its token with every request', async () => {
    const { rows, server } = await withLogin(guarded, { concurrency: 4 })
    expect(await rows()).toEqual(rowsOf(0, 390))
    const [login, ...data] = server.requests
    expect([login?.path, login?.headers.authorization, data.length]).toEqual(['/login', 'Basic abc', 4])
    expect(new Set(data.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer tok-${tokens}`]))
  })

  it('R43 R44: a refused login is final: one login, no data request, and an error of the login without the password', async () => {
    const { transport, question, server } = await withLogin(
      request => (request.path === '/login' ? { status: 401 } : plainly(request)),
      { concurrency: 4 },
    )
    const running = transport.retrieve(question(), {})
    expect(await running.batches().next()).toMatchObject({ done: true })
    expect(running.failures[0]).toMatchObject({ kind: 'login', operation: 'login', status: 401, attempts: 1 })
    expect(running.failures[0]?.message).toContain('refused: [redacted]')
    expect(server.requests.map(({ path }) => path)).toEqual(['/login'])
  })

  it('R43 R61: a refused login is final also where the other parts would be finished', async () => {
    const { transport, question, server } = await withLogin(
      request => (request.path === '/login' ? { status: 401 } : plainly(request)),
      { concurrency: 1 },
    )
    const running = transport.retrieve(question(), { onFailure: 'collect' })
    expect(await running.batches().next()).toMatchObject({ done: true })
    expect(running.failures).toMatchObject([{ kind: 'login' }])
    expect(running.left()).toHaveLength(2)
    expect(server.requests.map(({ path }) => path)).toEqual(['/login'])
  })

  it('R43 F23: a busy login is repeated by the ordinary rules', async () => {
    const { rows, server } = await withLogin(request =>
      request.path === '/login' && request.n === 1 ? { status: 503 } : guarded(request),
    )
    expect(await rows()).toEqual(rowsOf(0, 390))
    expect(server.requests.filter(({ path }) => path === '/login')).toHaveLength(2)
  })

  it('R23: logins count as requests of the call that began them', async () => {
    const { transport, question, server } = await withLogin(guarded, { concurrency: 1 })
    const running = transport.retrieve(question(), { maxRequests: 3 })
    let rows = 0
    for await (const batch of running.batches()) rows += batch.rows.length
    expect([rows, server.requests.length, running.failures[0]?.kind]).toEqual([20, 3, 'other'])
  })

  it('R44: every secret of the account and of its queries is hidden', async () => {
    const { transport } = await withLogin(guarded)
    expect(transport.redact('the-password and word-2')).toBe('[redacted] and word-2')
    transport.hide(['word-2', 'word-3'])
    expect(transport.redact('the-password and word-2, word-3')).toBe('[redacted] and [redacted], [redacted]')
  })
})

describe('quota', () => {
  it('R38: the last word of the service holds for its window', async () => {
    const clock = createManualClock()
    const { transport, server } = await toyTransport(
      () => ({ body: {}, headers: { 'x-ratelimit-remaining': '41' } }),
      {},
      { clock, quotaWindowMs: 1000 },
    )
    expect(transport.quotaRemaining()).toBeUndefined()
    await clock.advance(5000)
    await transport.ask('getOne', { method: 'GET', url: `${server.url}/one`, read: () => 1 }, {})
    expect(transport.quotaRemaining()).toBe(41)
    await clock.advance(999)
    expect(transport.quotaRemaining()).toBe(41)
    await clock.advance(1)
    expect(transport.quotaRemaining()).toBeUndefined()
  })

  it('R38: which is an hour unless the service says otherwise', async () => {
    const clock = createManualClock()
    const { transport, server } = await toyTransport(
      () => ({ body: {}, headers: { 'x-ratelimit-remaining': '0' } }),
      {},
      { clock },
    )
    await transport.ask('getOne', { method: 'GET', url: `${server.url}/one`, read: () => 1 }, {})
    await clock.advance(3_599_999)
    expect(transport.quotaRemaining()).toBe(0)
    await clock.advance(1)
    expect(transport.quotaRemaining()).toBeUndefined()
  })

  it('R38: at zero a bulk query stops as rate-limited, with what is missing, and sends nothing more', async () => {
    const { transport, question, server } = await toyTransport(
      request => ({ ...plainly(request), headers: { 'x-ratelimit-remaining': String(Math.max(0, 2 - request.n)) } }),
      { concurrency: 1 },
    )
    const running = transport.retrieve(question(), { priority: 'bulk' })
    let rows = 0
    for await (const batch of running.batches()) rows += batch.rows.length
    expect([rows, server.requests.length]).toEqual([20, 2])
    expect(running.failures).toMatchObject([{ kind: 'rate_limited', attempts: 0, quotaRemaining: undefined }])
    expect(running.left().map(({ span }) => span)).toEqual([
      { start: 200, end: 290 },
      { start: 300, end: 390 },
    ])
    const { value } = await transport.ask(
      'getOne',
      { method: 'GET', url: `${server.url}/series?start=0&end=10`, read: () => 'asked' },
      {},
    )
    expect(value).toBe('asked')
  })
})
