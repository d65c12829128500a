import { describe, expect, it } from 'vitest'
import { Failure } from '../../src/transport/failure.ts'
import { askToy, carry, errorIn } from '../support/asking.ts'
import { type ToyAnswer } from '../support/toy-service.ts'
import { listenersOn } from '../support/transport.ts'

const ok: ToyAnswer = { body: { fine: true } }
/** So many times the first answer, then a good one. */
const failing =
  (times: number, failure: ToyAnswer) =>
  ({ n }: { n: number }): ToyAnswer =>
    n <= times ? failure : ok
const busy: ToyAnswer = { status: 503, body: 'busy' }

describe('an answer', () => {
  it('R55: comes with the facts of its attempt', async () => {
    const toy = await askToy(() => ({ ...ok, headers: { 'x-request-id': 'r-9', 'x-ratelimit-remaining': '41' } }))
    await toy.clock.advance(5000)
    const one = toy.call()
    const span = { start: 0, end: 10 }
    const end = await toy.perform(one, { url: `${toy.server.url}/a?token=t-1&x=1`, span, chunk: 3, depth: 1, page: 2 })
    expect(end).toMatchObject({
      ok: true,
      value: { fine: true },
      warnings: [],
      facts: {
        service: 'toy',
        operation: 'getSeries',
        url: `${toy.server.url}/a?token=[redacted]&x=1`,
        status: 200,
        requestId: 'r-9',
        span: { start: new Date(0), end: new Date(10) },
        chunk: 3,
        depth: 1,
        page: 2,
        attempts: 1,
        waitedMs: 0,
        elapsedMs: 0,
        bytes: 13,
        quotaRemaining: 41,
        requestedAt: new Date(toy.clock.now()),
        receivedAt: new Date(toy.clock.now()),
      },
    })
    expect(one.only('attempt')).toMatchObject([
      { attempt: 1, url: `${toy.server.url}/a?token=[redacted]&x=1`, span: { start: new Date(0) } },
    ])
    expect(listenersOn(one.call.signal)).toBe(0)
  })

  it('R55: facts that are absent are null', async () => {
    const toy = await askToy(() => ok)
    const end = await toy.perform(toy.call())
    expect(end).toMatchObject({
      facts: { requestId: null, span: null, chunk: null, depth: 0, page: 1, quotaRemaining: null },
    })
  })

  it('is asked for with our name, and with the packings that we can unpack', async () => {
    const toy = await askToy(() => ok)
    await toy.perform(toy.call({ userAgent: 'me/1' }), { headers: { accept: 'text/csv' } })
    expect(toy.server.requests[0]?.headers).toMatchObject({
      'user-agent': 'me/1',
      'accept-encoding': 'gzip, deflate, br',
      accept: 'text/csv',
    })
  })

  it('R52: brings its oddities along', async () => {
    const toy = await askToy(() => ({ body: '{"value": NaN}' }))
    expect(await toy.perform(toy.call())).toMatchObject({
      value: { value: null },
      warnings: [expect.stringContaining('1 value NaN')],
    })
  })

  it('of another status may be one, where the request says so', async () => {
    const toy = await askToy(() => ({ status: 404, body: '{"none": true}' }))
    expect(await toy.perform(toy.call(), { accept: [403, 404] })).toMatchObject({ ok: true, value: { none: true } })
    expect(errorIn(await toy.perform(toy.call(), { accept: [403] })).status).toBe(404)
  })
})

describe('repeats', () => {
  it('R16 R17: waits longer each time, anything up to a ceiling that doubles', async () => {
    const toy = await askToy(failing(4, busy))
    const one = toy.call({ retries: 4, backoff: { baseDelayMs: 1000, maxDelayMs: 5000 } })
    const end = await toy.perform(one)
    expect(end).toMatchObject({ ok: true, facts: { attempts: 5 } })
    expect(one.only('retry').map(({ attempt, waitMs }) => [attempt, waitMs])).toEqual([
      [2, 500],
      [3, 1000],
      [4, 2000],
      [5, 2500],
    ])
    expect(one.only('wait').map(({ reason, ms }) => [reason, ms])).toEqual([
      ['backoff', 500],
      ['backoff', 1000],
      ['backoff', 2000],
      ['backoff', 2500],
    ])
    expect(one.only('retry')[0]).toMatchObject({ reason: 'the service answered 503', url: `${toy.server.url}/a` })
    const waited = end.ok ? end.facts.waitedMs : 0
    expect(waited).toBeGreaterThanOrEqual(6000)
    expect(waited).toBeLessThan(6500)
  })

  it.each([[0], [1], [3]])('R16: with retries %d a request is sent so often and once more', async retries => {
    const toy = await askToy(() => busy)
    const error = errorIn(await toy.perform(toy.call({ retries })))
    expect(toy.server.requests).toHaveLength(retries + 1)
    expect(error).toMatchObject({ kind: 'http_5xx', status: 503, attempts: retries + 1, serverMessage: 'busy' })
  })

  it('R16 F15: repeats of one request do not use up those of another', async () => {
    const toy = await askToy(({ path, n }) => (path === '/bad' || n === 2 ? busy : ok))
    const [bad, good] = [toy.call({ retries: 2, concurrency: 1 }), toy.call({ retries: 2, concurrency: 1 })]
    const ends = await carry(toy.clock, () =>
      Promise.all([
        toy.begin(bad, { url: `${toy.server.url}/bad` }),
        toy.begin(good, { url: `${toy.server.url}/good` }),
      ]),
    )
    expect(ends.map(end => end.ok)).toEqual([false, true])
    expect(toy.server.requests.filter(({ path }) => path === '/bad')).toHaveLength(3)
  })

  it('R3: a connection that is lost is asked again, and so is an answer cut short', async () => {
    const toy = await askToy(({ n }) => (n === 1 ? { reset: true } : n === 2 ? { body: '{"a": [1, 2' } : ok))
    expect(await toy.perform(toy.call())).toMatchObject({ ok: true, facts: { attempts: 3 } })
  })

  it('R8 F11: any other 4xx is final at once, with the words of the service', async () => {
    const toy = await askToy(() => ({
      status: 403,
      body: { message: 'Invalid scope' },
      headers: { 'x-request-id': 'r-1', 'x-ratelimit-remaining': '7' },
    }))
    const error = errorIn(await toy.perform(toy.call(), { page: 3 }))
    expect(error).toMatchObject({
      kind: 'http_4xx',
      status: 403,
      serverMessage: 'Invalid scope',
      requestId: 'r-1',
      quotaRemaining: 7,
      pagesRead: 2,
      attempts: 1,
    })
    expect(toy.server.requests).toHaveLength(1)
    expect(errorIn(await toy.perform(toy.call())).pagesRead).toBeUndefined()
  })

  it('R13: what is not idempotent is not sent twice, unless it is marked so', async () => {
    const toy = await askToy(() => busy)
    expect(errorIn(await toy.perform(toy.call(), { method: 'POST', body: '{}' })).attempts).toBe(1)
    expect(
      errorIn(await toy.perform(toy.call({ retries: 2 }), { method: 'POST', body: '{"q": 1}', idempotent: true }))
        .attempts,
    ).toBe(3)
    expect(toy.server.requests.map(({ method, body }) => `${method} ${body}`)).toEqual([
      'POST {}',
      ...Array<string>(3).fill('POST {"q": 1}'),
    ])
  })

  it('R14: a rule of the caller decides, and may leave it to the default', async () => {
    const toy = await askToy(failing(2, { status: 418 }))
    const asked: unknown[] = []
    const one = toy.call({
      retryWhen: (failure, request, byDefault) => {
        asked.push([failure.status, request.attempt, byDefault(failure, request)])
        return 'retry'
      },
    })
    expect(await toy.perform(one)).toMatchObject({ ok: true, facts: { attempts: 3 } })
    expect(asked).toEqual([
      [418, 1, 'fail'],
      [418, 2, 'fail'],
    ])
    const other = await askToy(failing(1, busy))
    expect(await other.perform(other.call({ retryWhen: () => undefined as never }))).toMatchObject({
      ok: true,
      facts: { attempts: 2 },
    })
  })

  it('R14: a rule of the caller is asked once about each failure, also about the last: it may count', async () => {
    const toy = await askToy(() => ({ status: 418 }))
    let asked = 0
    const one = toy.call({ retryWhen: () => ((asked += 1) <= 2 ? 'retry' : 'fail') })
    expect(await toy.perform(one)).toMatchObject({ ok: false, error: { status: 418, attempts: 3 } })
    expect(asked).toBe(3)
  })

  it('R14: a rule that throws ends the call with what it threw', async () => {
    const toy = await askToy(() => busy)
    const mistake = new Error('my rule is wrong')
    const one = toy.call({
      retryWhen: () => {
        throw mistake
      },
    })
    await expect(toy.perform(one)).rejects.toBe(mistake)
  })

  it('R4: whether a failure asks for smaller parts is said along with it', async () => {
    const toy = await askToy(() => ({ status: 504 }))
    expect(await toy.perform(toy.call(), { splittable: true })).toMatchObject({
      ok: false,
      split: true,
      error: { kind: 'timeout' },
    })
    expect(await toy.perform(toy.call(), { splittable: false })).toMatchObject({
      ok: false,
      split: false,
      begun: false,
    })
    expect(await toy.perform(toy.call())).toMatchObject({ ok: false, split: false })
    expect(toy.server.requests).toHaveLength(3)
    const large = await askToy(() => ({ status: 413 }))
    expect(await large.perform(large.call(), { divisible: true })).toMatchObject({ ok: false, split: true })
    expect(await large.perform(large.call())).toMatchObject({ ok: false, split: false })
  })

  it('R6: a request may have a policy of its own', async () => {
    const toy = await askToy(failing(1, { status: 500 }))
    expect(errorIn(await toy.perform(toy.call())).kind).toBe('http_5xx')
    const again = await askToy(failing(1, { status: 500 }))
    const policy = { retryStatuses: [500], slowStatuses: [], onTimeout: 'fail' as const }
    expect(await again.perform(again.call(), { policy })).toMatchObject({ ok: true })
  })
})

describe('what the body says', () => {
  it('R10: a failure that an adapter finds in a success is a failure', async () => {
    const toy = await askToy(({ n }) => (n === 1 ? { body: { error: 'too many' } } : ok))
    const inspect = (reply: { json(): unknown }): Failure | undefined =>
      'error' in (reply.json() as object) ? new Failure('said in a body', { class: 'status', status: 429 }) : undefined
    expect(await toy.perform(toy.call(), { inspect })).toMatchObject({ ok: true, facts: { attempts: 2 } })
  })

  it('R10 R36: a "too many" in a success closes the gate for everybody, like the status does', async () => {
    const toy = await askToy(({ n }) =>
      n === 1 ? { body: { error: 'too many' }, headers: { 'retry-after': '7' } } : ok,
    )
    const inspect = (reply: { json(): unknown }): Failure | undefined =>
      'error' in (reply.json() as object) ? new Failure('said in a body', { class: 'status', status: 429 }) : undefined
    const one = toy.call()
    expect(await toy.perform(one, { inspect })).toMatchObject({ ok: true })
    expect(one.only('pause')).toMatchObject([{ ms: 7500 }])
  })

  it('R10: only what counts as an answer is looked into', async () => {
    const toy = await askToy(({ n }) =>
      n === 1
        ? { status: 302, headers: { location: '/b' }, body: { error: 'x' } }
        : { status: n === 2 ? 404 : 200, body: { error: 'x' } },
    )
    const looked: number[] = []
    const inspect = (reply: { status: number }): undefined => void looked.push(reply.status)
    await toy.perform(toy.call(), { inspect })
    await toy.perform(toy.call(), { inspect })
    await toy.perform(toy.call(), { inspect, accept: [404] })
    expect(looked).toEqual([200, 200])
  })

  it('R9: words that say "too large" make the failure of that kind', async () => {
    const toy = await askToy(() => ({ status: 403, body: 'the address is too long' }))
    const policy = {
      retryStatuses: [],
      slowStatuses: [],
      onTimeout: 'fail' as const,
      saysTooLarge: (_status: number, words: string) => words.includes('too long'),
    }
    expect(errorIn(await toy.perform(toy.call(), { policy }))).toMatchObject({ kind: 'too_large', status: 403 })
    expect(await toy.perform(toy.call(), { policy, divisible: true })).toMatchObject({ ok: false, split: true })
    expect(errorIn(await toy.perform(toy.call())).kind).toBe('http_4xx')
  })

  it('R11: a failure of the reader is final, unless it says that it was cut short', async () => {
    const toy = await askToy(() => ok)
    const read = (): never => {
      throw new Failure('the answer is not as promised: rows is missing', { class: 'bad_response', status: 200 })
    }
    const error = errorIn(await toy.perform(toy.call(), { read }))
    expect(error).toMatchObject({ kind: 'bad_response', status: 200, attempts: 1 })
  })

  it('a mistake in a reader is no failure of the service: it comes out as it is', async () => {
    const toy = await askToy(() => ok)
    const mistake = new TypeError('cannot read properties')
    const read = (): never => {
      throw mistake
    }
    await expect(toy.perform(toy.call(), { read })).rejects.toBe(mistake)
    expect(toy.server.requests).toHaveLength(1)
  })
})
