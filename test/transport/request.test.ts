import { describe, expect, it } from 'vitest'
import type { Credential } from '../../src/transport/credential.ts'
import { Failure } from '../../src/transport/failure.ts'
import { askToy, carry, errorIn } from '../support/asking.ts'
import { serve, type ToyAnswer } from '../support/toy-service.ts'
import { listenersOn } from '../support/transport.ts'

const ok: ToyAnswer = { body: { fine: true } }
/** So many times the first answer, then a good one. */
const failing = (times: number, failure: ToyAnswer) => ({ n }: { n: number }): ToyAnswer => (n <= times ? failure : ok)
const busy: ToyAnswer = { status: 503, body: 'busy' }

describe('an answer', () => {
  it('R55: comes with the facts of its attempt', async () => {
    const toy = await askToy(() => ({ ...ok, headers: { 'x-request-id': 'r-9', 'x-ratelimit-remaining': '41' } }))
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
        bytes: 13,
        quotaRemaining: 41,
        requestedAt: new Date(toy.clock.now()),
        receivedAt: new Date(toy.clock.now()),
      },
    })
    expect(one.only('attempt')).toMatchObject([{ attempt: 1, url: `${toy.server.url}/a?token=[redacted]&x=1`, span: { start: new Date(0) } }])
    expect(listenersOn(one.call.signal)).toBe(0)
  })

  it('R55: facts that are absent are null', async () => {
    const toy = await askToy(() => ok)
    const end = await toy.perform(toy.call())
    expect(end).toMatchObject({ facts: { requestId: null, span: null, chunk: null, depth: 0, page: 1, quotaRemaining: null } })
  })

  it('is asked for with our name, and with the packings that we can unpack', async () => {
    const toy = await askToy(() => ok)
    await toy.perform(toy.call({ userAgent: 'me/1' }), { headers: { accept: 'text/csv' } })
    expect(toy.server.requests[0]?.headers).toMatchObject({ 'user-agent': 'me/1', 'accept-encoding': 'gzip, deflate, br', accept: 'text/csv' })
  })

  it('R52: brings its oddities along', async () => {
    const toy = await askToy(() => ({ body: '{"value": NaN}' }))
    expect(await toy.perform(toy.call())).toMatchObject({ value: { value: null }, warnings: [expect.stringContaining('1 value NaN')] })
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
    expect(one.only('retry').map(({ attempt, waitMs }) => [attempt, waitMs])).toEqual([[2, 500], [3, 1000], [4, 2000], [5, 2500]])
    expect(one.only('wait').map(({ reason, ms }) => [reason, ms])).toEqual([['backoff', 500], ['backoff', 1000], ['backoff', 2000], ['backoff', 2500]])
    expect(one.only('retry')[0]).toMatchObject({ reason: 'the service answered 503', url: `${toy.server.url}/a` })
    const waited = end.ok ? end.facts.waitedMs : 0
    expect(waited).toBeGreaterThanOrEqual(6000)
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
      Promise.all([toy.begin(bad, { url: `${toy.server.url}/bad` }), toy.begin(good, { url: `${toy.server.url}/good` })]),
    )
    expect(ends.map(end => end.ok)).toEqual([false, true])
    expect(toy.server.requests.filter(({ path }) => path === '/bad')).toHaveLength(3)
  })

  it('R3: a connection that is lost is asked again, and so is an answer cut short', async () => {
    const toy = await askToy(({ n }) => (n === 1 ? { reset: true } : n === 2 ? { body: '{"a": [1, 2' } : ok))
    expect(await toy.perform(toy.call())).toMatchObject({ ok: true, facts: { attempts: 3 } })
  })

  it('R8 F11: any other 4xx is final at once, with the words of the service', async () => {
    const toy = await askToy(() => ({ status: 403, body: { message: 'Invalid scope' }, headers: { 'x-request-id': 'r-1', 'x-ratelimit-remaining': '7' } }))
    const error = errorIn(await toy.perform(toy.call(), { page: 3 }))
    expect(error).toMatchObject({ kind: 'http_4xx', status: 403, serverMessage: 'Invalid scope', requestId: 'r-1', quotaRemaining: 7, pagesRead: 2, attempts: 1 })
    expect(toy.server.requests).toHaveLength(1)
  })

  it('R13: what is not idempotent is not sent twice, unless it is marked so', async () => {
    const toy = await askToy(() => busy)
    expect(errorIn(await toy.perform(toy.call(), { method: 'POST', body: '{}' })).attempts).toBe(1)
    expect(errorIn(await toy.perform(toy.call({ retries: 2 }), { method: 'POST', body: '{"q": 1}', idempotent: true })).attempts).toBe(3)
    expect(toy.server.requests.map(({ method, body }) => `${method} ${body}`)).toEqual(['POST {}', ...Array<string>(3).fill('POST {"q": 1}')])
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
    expect(asked).toEqual([[418, 1, 'fail'], [418, 2, 'fail']])
    const other = await askToy(failing(1, busy))
    expect(await other.perform(other.call({ retryWhen: () => undefined as never }))).toMatchObject({ ok: true, facts: { attempts: 2 } })
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
    expect(await toy.perform(toy.call(), { splittable: true })).toMatchObject({ ok: false, split: true, error: { kind: 'timeout' } })
    expect(await toy.perform(toy.call(), { splittable: false })).toMatchObject({ ok: false, split: false })
    expect(toy.server.requests).toHaveLength(2)
  })

  it('R6: a request may have a policy of its own', async () => {
    const toy = await askToy(failing(1, { status: 500 }))
    expect(errorIn(await toy.perform(toy.call())).kind).toBe('http_5xx')
    const again = await askToy(failing(1, { status: 500 }))
    const policy = { retryStatuses: [500], slowStatuses: [], onTimeout: 'fail' as const }
    expect(await again.perform(again.call(), { policy })).toMatchObject({ ok: true })
  })
})

describe('waits that the service names', () => {
  it.each([
    ['2', 2500],
    ['0', 500],
    ['1.5', 2000],
  ])('R18 F16: Retry-After: %s is kept, with a jitter of up to a second', async (header, waitMs) => {
    const toy = await askToy(failing(1, { status: 503, headers: { 'retry-after': header } }))
    const one = toy.call()
    expect(await toy.perform(one)).toMatchObject({ ok: true })
    expect(one.only('retry').map(retry => retry.waitMs)).toEqual([waitMs])
    expect(one.only('wait').map(({ reason }) => reason)).toEqual(['server'])
  })

  it('R18: without a hint, the ordinary wait', async () => {
    const toy = await askToy(failing(1, { status: 503, headers: { 'retry-after': 'soon' } }))
    const one = toy.call()
    await toy.perform(one)
    expect(one.only('wait')).toMatchObject([{ reason: 'backoff', ms: 500, silentMs: 0, stallMs: 0 }])
  })

  it.each([429, 503])('R18 F17: above the cap a %d fails at once as rate-limited, with the wait on the error', async status => {
    const toy = await askToy(() => ({ status, headers: { 'retry-after': '3600' } }))
    const error = errorIn(await toy.perform(toy.call()))
    expect(error).toMatchObject({ kind: 'rate_limited', status, retryAfterMs: 3_600_000, attempts: 1 })
    expect(error.message).toContain('Come back in 3600 s')
    expect(toy.server.requests).toHaveLength(1)
  })

  it('R18: a wait as long as the cap is sat out', async () => {
    const toy = await askToy(failing(1, { status: 503, headers: { 'retry-after': '5' } }))
    expect(await toy.perform(toy.call({ retryAfterCapMs: 5000 }))).toMatchObject({ ok: true })
    const other = await askToy(failing(1, { status: 503, headers: { 'retry-after': '5' } }))
    expect(errorIn(await other.perform(other.call({ retryAfterCapMs: 4999 }))).kind).toBe('rate_limited')
  })

  it('R18: a wait above the cap is rate-limited whatever else is over as well', async () => {
    const toy = await askToy(() => ({ status: 503, headers: { 'retry-after': '3600' } }))
    expect(errorIn(await toy.perform(toy.call({}, { deadlineMs: 1000 }))).kind).toBe('rate_limited')
  })

  it('R5 R36 F18: after a 429 nobody behind the gate sends until the wait is over', async () => {
    const toy = await askToy(failing(1, { status: 429, headers: { 'retry-after': '10' } }))
    const [one, other] = [toy.call({ concurrency: 1 }), toy.call({ concurrency: 1 })]
    const times: number[] = []
    const ends = await carry(toy.clock, () =>
      Promise.all([one, other].map(call => toy.begin(call).finally(() => times.push(toy.clock.monotonic())))),
    )
    expect(ends.map(end => end.ok)).toEqual([true, true])
    expect(Math.min(...times)).toBeGreaterThanOrEqual(10_500)
    expect(one.only('pause')).toMatchObject([{ ms: 10_500, reason: 'too many requests (429), come back in 10000 ms' }])
    expect(one.only('learned')).toMatchObject([{ what: 'rate', value: 0.5 }])
    expect(toy.server.requests).toHaveLength(3)
  })

  it('R5: a 429 without a hint pauses for the ordinary wait', async () => {
    const toy = await askToy(failing(1, { status: 429 }))
    const one = toy.call()
    expect(await toy.perform(one)).toMatchObject({ ok: true })
    expect(one.only('pause')).toMatchObject([{ ms: 500, reason: 'too many requests (429)' }])
  })
})

describe('the stall budget', () => {
  const lost: ToyAnswer = { reset: true }

  it('R19: ends the repeats when nothing was received for too long, but never before the first', async () => {
    const toy = await askToy(() => lost)
    const error = errorIn(await toy.perform(toy.call({ stallMs: 1200, retries: 9 })))
    // After waits of 500 and 1000 ms nothing has been heard for 1500 ms.
    expect(error).toMatchObject({ kind: 'stalled', attempts: 3 })
    expect(error.message).toMatch(/sent 3 times, nothing received for 1[5-9]\d\d ms/)
    const short = await askToy(() => lost)
    expect(errorIn(await short.perform(short.call({ stallMs: 1, retries: 9 })))).toMatchObject({ kind: 'stalled', attempts: 2 })
  })

  it('R19: 0 goes on to the last retry', async () => {
    const toy = await askToy(() => lost)
    expect(errorIn(await toy.perform(toy.call({ stallMs: 0, retries: 6 })))).toMatchObject({ kind: 'connection', attempts: 7 })
  })

  it('R19: an answer, whatever it says, is a sign of life', async () => {
    const toy = await askToy(() => busy)
    expect(errorIn(await toy.perform(toy.call({ stallMs: 1, retries: 1, backoff: { baseDelayMs: 1, maxDelayMs: 1 } })))).toMatchObject({ kind: 'http_5xx', attempts: 2 })
  })

  it('R20: a wait that the service names is no silence', async () => {
    const toy = await askToy(({ n }) => (n <= 3 ? { status: 503, headers: { 'retry-after': '30' } } : n === 4 ? lost : ok))
    expect(await toy.perform(toy.call({ stallMs: 600, retries: 9 }))).toMatchObject({ ok: true, facts: { attempts: 5 } })
  })

  it('R20 F32: time in line is no silence', async () => {
    const toy = await askToy(failing(2, lost))
    toy.endpoint.gateFor(toy.server.host, '').pause(50_000)
    const end = await toy.perform(toy.call({ stallMs: 1000, retries: 9, backoff: { baseDelayMs: 100, maxDelayMs: 100 } }))
    expect(end).toMatchObject({ ok: true, facts: { attempts: 3 } })
    expect(end.ok && end.facts.waitedMs).toBeGreaterThanOrEqual(50_000)
  })
})

describe('bounds of the call', () => {
  it('R22: no wait is begun that would end after the deadline', async () => {
    const toy = await askToy(() => busy)
    const error = errorIn(await toy.perform(toy.call({}, { deadlineMs: 1400 })))
    expect(error).toMatchObject({ kind: 'deadline', attempts: 2, status: 503 })
    expect(toy.clock.monotonic()).toBeLessThan(1400)
  })

  it('R22: an attempt under way is cut at the deadline', async () => {
    const toy = await askToy(() => new Promise(() => {}))
    const one = toy.call({}, { deadlineMs: 5000 })
    const end = await carry(toy.clock, () => toy.begin(one), () => toy.server.open)
    expect(errorIn(end)).toMatchObject({ kind: 'deadline', attempts: 1 })
    expect(errorIn(end).message).toContain('the deadline of 5000 ms came first')
    await expect.poll(() => toy.server.open).toBe(0)
  })

  it('R22: nothing is sent when the answer is worthless already', async () => {
    const toy = await askToy(() => ok)
    const error = errorIn(await toy.perform(toy.call({}, { expiresAt: '2020-01-01' })))
    expect(error).toMatchObject({ kind: 'deadline', attempts: 0 })
    expect(error.message).toContain('nothing was sent')
    expect(toy.server.requests).toHaveLength(0)
  })

  it('R23: attempts count as requests', async () => {
    const toy = await askToy(() => busy)
    const error = errorIn(await toy.perform(toy.call({ retries: 9 }, { maxRequests: 3 })))
    expect(error).toMatchObject({ kind: 'other', attempts: 3 })
    expect(error.message).toContain('the call may send no more than 3 requests (maxRequests)')
    expect(toy.server.requests).toHaveLength(3)
  })

  it('R12 R62 F51: an abort during a back-off rejects with the reason itself, and nothing more is sent', async () => {
    const toy = await askToy(() => busy)
    const controller = new AbortController()
    const one = toy.call({}, { signal: controller.signal })
    const end = toy.begin(one)
    end.catch(() => {})
    await expect.poll(() => one.only('wait').length).toBe(1)
    controller.abort('enough')
    await expect(end).rejects.toBe('enough')
    expect([toy.server.requests.length, toy.clock.timers, listenersOn(one.call.signal)]).toEqual([1, 0, 0])
  })

  it.each([null, undefined, 0, 'text', { any: 'thing' }])('R12: whatever the reason is, it comes back: %j', async reason => {
    const toy = await askToy(() => new Promise(() => {}))
    const controller = new AbortController()
    const end = toy.begin(toy.call({}, { signal: controller.signal }))
    await expect.poll(() => toy.server.requests.length).toBe(1)
    controller.abort(reason)
    await expect(end).rejects.toBe(controller.signal.reason)
  })
})

describe('slots', () => {
  it('R34: no slot is held during a wait', async () => {
    const toy = await askToy(({ path, n }) => (path === '/slow' && n === 1 ? { status: 503, headers: { 'retry-after': '20' } } : ok))
    const order: string[] = []
    const ask = (path: string) => toy.begin(toy.call({ concurrency: 1 }), { url: `${toy.server.url}${path}` }).then(() => order.push(path))
    await carry(toy.clock, () => Promise.all([ask('/slow'), ask('/quick')]))
    expect(order).toEqual(['/quick', '/slow'])
  })

  it('R39: a service that struggles is asked less at a time, and that is said once', async () => {
    const toy = await askToy(() => ({ status: 504 }))
    const one = toy.call({ concurrency: 8 })
    await toy.perform(one)
    expect(one.only('learned')).toMatchObject([{ what: 'concurrency', value: 4 }])
  })

  it('R39: so it is after a read time-out', async () => {
    const toy = await askToy(() => new Promise(() => {}))
    const one = toy.call({ concurrency: 8, readTimeoutMs: 500 })
    const end = await carry(toy.clock, () => toy.begin(one), () => toy.server.open)
    expect(errorIn(end).kind).toBe('timeout')
    expect(one.only('learned')).toMatchObject([{ what: 'concurrency', value: 4 }])
  })
})

describe('what the body says', () => {
  it('R10: a failure that an adapter finds in a success is a failure', async () => {
    const toy = await askToy(({ n }) => (n === 1 ? { body: { error: 'too many' } } : ok))
    const inspect = (reply: { json(): unknown }): Failure | undefined =>
      'error' in (reply.json() as object) ? new Failure('said in a body', { class: 'status', status: 429 }) : undefined
    expect(await toy.perform(toy.call(), { inspect })).toMatchObject({ ok: true, facts: { attempts: 2 } })
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

describe('addresses', () => {
  it.each([
    ['undefined/v1', 'not an address: undefined/v1'],
    ['ftp://toy.test/a', 'the scheme ftp:// is not supported; use https://'],
  ])('R2 F11: %s is settled before anything is sent', async (url, words) => {
    const toy = await askToy(() => ok)
    const error = errorIn(await toy.perform(toy.call(), { url }))
    expect(error).toMatchObject({ kind: 'connection', attempts: 0 })
    expect(error.message).toContain(words)
  })

  it('R40: a redirect is followed, up to five times', async () => {
    const toy = await askToy(({ path }) => {
      const hop = Number(path.slice(2))
      return hop < 5 ? { status: 302, headers: { location: `/h${hop + 1}` } } : ok
    })
    const end = await toy.perform(toy.call(), { url: `${toy.server.url}/h0` })
    expect(end).toMatchObject({ ok: true, facts: { url: `${toy.server.url}/h5`, attempts: 6 } })
    const endless = await askToy(() => ({ status: 302, headers: { location: '/again' } }))
    const error = errorIn(await endless.perform(endless.call()))
    expect(error).toMatchObject({ kind: 'other', attempts: 6 })
    expect(error.message).toContain('more than 5 redirects in a row')
  })

  it('R40 F22: no secret goes to another host, by whatever header', async () => {
    const elsewhere = await serve(() => ok)
    const credential = fakeCredential({ authorization: 'Bearer t-1', 'x-api-key': 'k-1' })
    const toy = await askToy(() => ({ status: 302, headers: { location: `${elsewhere.url}/b` } }), { credential })
    await toy.perform(toy.call(), { headers: { authorization: 'Basic of-a-login', accept: 'text/csv' } })
    expect(toy.server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer t-1', 'x-api-key': 'k-1' })
    const [there] = elsewhere.requests
    expect(there?.headers).toMatchObject({ accept: 'text/csv' })
    expect(JSON.stringify(there?.headers)).not.toMatch(/t-1|k-1|of-a-login/)
  })

  it('R40: nor along with a request to another host in the first place', async () => {
    const elsewhere = await serve(() => ok)
    const toy = await askToy(() => ok, { credential: fakeCredential({ 'x-api-key': 'k-1' }) })
    await toy.perform(toy.call(), { url: `${elsewhere.url}/b` })
    await toy.perform(toy.call(), { authorized: false })
    expect([elsewhere, toy.server].map(({ requests }) => requests[0]?.headers['x-api-key'])).toEqual([undefined, undefined])
  })
})

/** A credential with headers by hand; counts what it is asked. */
function fakeCredential(headers: Record<string, string>, more: Partial<Credential> = {}): Credential & { readies: number } {
  const credential = {
    account: 'account',
    readies: 0,
    secrets: () => [],
    headers: () => headers,
    refused: () => false,
    ...more,
    ready: async () => {
      credential.readies += 1
    },
  }
  return credential
}

describe('credentials', () => {
  const refused: ToyAnswer = { status: 401, body: { message: 'bad token' } }

  it('R7 F20: a refused token is renewed once, then it is final', async () => {
    const tokens = ['t-1', 't-2', 't-3']
    let token = tokens.shift()
    const credential = fakeCredential({}, {
      headers: () => ({ authorization: `Bearer ${token}` }),
      refused: () => {
        token = tokens.shift()
        return true
      },
    })
    const toy = await askToy(() => refused, { credential })
    const error = errorIn(await toy.perform(toy.call()))
    expect(error).toMatchObject({ kind: 'http_401', status: 401, attempts: 2, serverMessage: 'bad token' })
    expect(toy.server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t-1', 'Bearer t-2'])
  })

  it('R41: as long as others renew it under our feet, the newer one is tried, up to three times', async () => {
    let token = 0
    const credential = fakeCredential({}, { headers: () => ({ authorization: `Bearer t-${(token += 1)}` }), refused: () => true })
    const toy = await askToy(() => refused, { credential })
    expect(errorIn(await toy.perform(toy.call())).attempts).toBe(4)
  })

  it('R7: a key that is refused for good is not tried again', async () => {
    const toy = await askToy(() => refused, { credential: fakeCredential({ 'x-api-key': 'k-1' }) })
    expect(errorIn(await toy.perform(toy.call()))).toMatchObject({ kind: 'http_401', attempts: 1 })
  })

  it('R7: a 401 where nothing was sent along is final', async () => {
    const toy = await askToy(() => refused)
    expect(errorIn(await toy.perform(toy.call()))).toMatchObject({ kind: 'http_401', attempts: 1 })
    const open = await askToy(() => refused, { credential: fakeCredential({ authorization: 'Bearer t' }, { refused: () => true }) })
    expect(errorIn(await open.perform(open.call(), { authorized: false }))).toMatchObject({ kind: 'http_401', attempts: 1 })
  })

  it('R7: renewals do not use up repeats', async () => {
    const credential = fakeCredential({ authorization: 'Bearer t' }, { refused: () => true })
    const toy = await askToy(({ n }) => (n === 1 ? busy : n === 2 ? refused : n === 3 ? busy : ok), { credential })
    expect(await toy.perform(toy.call({ retries: 2 }))).toMatchObject({ ok: true, facts: { attempts: 4 } })
  })

  it('R42: a token that ends while its request stands in line is renewed before it is sent', async () => {
    let looks = 0
    const credential = fakeCredential({}, { headers: () => ((looks += 1) === 1 ? undefined : { authorization: 'Bearer fresh' }) })
    const toy = await askToy(() => ok, { credential })
    const rate = [{ requests: 1, perMs: 3_600_000 }]
    expect(await toy.perform(toy.call({ rate, concurrency: 1 }))).toMatchObject({ ok: true, facts: { attempts: 1 } })
    expect([credential.readies, toy.server.requests.map(({ headers }) => headers.authorization)]).toEqual([2, ['Bearer fresh']])
  })

  it('R43: a credential that cannot be had ends the request with its own error', async () => {
    const toy = await askToy(() => ok)
    const error = errorIn(await toy.perform(toy.call(), { url: 'undefined/v1' }))
    const credential: Credential = { ...fakeCredential({}), ready: () => Promise.reject(error) }
    const other = await askToy(() => ok, { credential })
    expect(await other.perform(other.call())).toEqual({ ok: false, split: false, error })
    expect(other.server.requests).toHaveLength(0)
  })
})
