import { describe, expect, it } from 'vitest'
import { askToy, carry, errorIn } from '../support/asking.ts'
import { eventually } from '../support/eventually.ts'
import { type ToyAnswer } from '../support/toy-service.ts'
import { listenersOn } from '../support/transport.ts'

const ok: ToyAnswer = { body: { fine: true } }
/** So many times the first answer, then a good one. */
const failing =
  (times: number, failure: ToyAnswer) =>
  ({ n }: { n: number }): ToyAnswer =>
    n <= times ? failure : ok
const busy: ToyAnswer = { status: 503, body: 'busy' }

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

  it.each([429, 503])(
    'R18 F17: a date in the Retry-After of a %d counts from the date of its own answer, whatever our clock says',
    async status => {
      const headers = { date: 'Sun, 01 Mar 2020 12:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2020 12:00:07 GMT' }
      const toy = await askToy(failing(1, { status, headers }))
      const one = toy.call()
      expect(await toy.perform(one)).toMatchObject({ ok: true })
      expect(one.only('retry').map(({ waitMs }) => waitMs)).toEqual([7500])
      expect(one.only('pause').map(({ ms }) => ms)).toEqual(status === 429 ? [7500] : [])
    },
  )

  it('R18: without a hint, the ordinary wait', async () => {
    const toy = await askToy(failing(1, { status: 503, headers: { 'retry-after': 'soon' } }))
    const one = toy.call()
    await toy.perform(one)
    expect(one.only('wait')).toMatchObject([{ reason: 'backoff', ms: 500, silentMs: 0, stallMs: 0 }])
  })

  it.each([429, 503])(
    'R18 F17: above the cap a %d fails at once as rate-limited, with the wait on the error',
    async status => {
      const toy = await askToy(() => ({ status, headers: { 'retry-after': '3600' } }))
      const error = errorIn(await toy.perform(toy.call()))
      expect(error).toMatchObject({ kind: 'rate_limited', status, retryAfterMs: 3_600_000, attempts: 1 })
      expect(error.message).toContain('Come back in 3600 s')
      expect(toy.server.requests).toHaveLength(1)
    },
  )

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
    expect(errorIn(await short.perform(short.call({ stallMs: 1, retries: 9 })))).toMatchObject({
      kind: 'stalled',
      attempts: 2,
    })
  })

  it('R19 F30: the first repeat is never withheld, however long the silence before it', async () => {
    const toy = await askToy(() => new Promise(() => {}))
    const policy = { retryStatuses: [], slowStatuses: [], onTimeout: 'retry' as const }
    const one = toy.call({ readTimeoutMs: 1000, stallMs: 500, retries: 9 })
    const end = await carry(
      toy.clock,
      () => toy.begin(one, { policy }),
      () => toy.server.open,
    )
    expect(errorIn(end)).toMatchObject({ kind: 'stalled', attempts: 2 })
  })

  it('R19: 0 goes on to the last retry', async () => {
    const toy = await askToy(() => lost)
    expect(errorIn(await toy.perform(toy.call({ stallMs: 0, retries: 6 })))).toMatchObject({
      kind: 'connection',
      attempts: 7,
    })
  })

  it('R19: an answer, whatever it says, is a sign of life', async () => {
    const toy = await askToy(() => busy)
    expect(
      errorIn(await toy.perform(toy.call({ stallMs: 1, retries: 1, backoff: { baseDelayMs: 1, maxDelayMs: 1 } }))),
    ).toMatchObject({ kind: 'http_5xx', attempts: 2 })
  })

  it('R19: so a service that answers is never given up for silence, however long the waits between', async () => {
    const toy = await askToy(() => busy)
    expect(errorIn(await toy.perform(toy.call({ stallMs: 600, retries: 3 })))).toMatchObject({
      kind: 'http_5xx',
      attempts: 4,
    })
  })

  it('R20: a wait that the service names is no silence', async () => {
    const toy = await askToy(({ n }) =>
      n <= 3 ? { status: 503, headers: { 'retry-after': '30' } } : n === 4 ? lost : ok,
    )
    expect(await toy.perform(toy.call({ stallMs: 600, retries: 9 }))).toMatchObject({
      ok: true,
      facts: { attempts: 5 },
    })
  })

  it('R20 F32: time in line is no silence', async () => {
    const toy = await askToy(failing(2, lost))
    toy.endpoint.gateFor(toy.server.host, '').pause(50_000, true)
    const end = await toy.perform(
      toy.call({ stallMs: 1000, retries: 9, backoff: { baseDelayMs: 100, maxDelayMs: 100 } }),
    )
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

  it('R22 R36: nor is one that others were told to keep, behind the same gate', async () => {
    const toy = await askToy(({ n }) => (n === 1 ? { status: 429, headers: { 'retry-after': '30' } } : { body: {} }))
    const first = toy.call({ retries: 0 })
    expect(errorIn(await toy.perform(first))).toMatchObject({ kind: 'rate_limited' })
    const pausedAt = toy.clock.monotonic()
    const error = errorIn(await toy.perform(toy.call({}, { deadlineMs: 5000 })))
    expect(error).toMatchObject({ kind: 'deadline', attempts: 0, retryAfterMs: expect.any(Number) as number })
    expect(error.message).toContain('asked for a pause of which')
    expect(toy.clock.monotonic()).toBe(pausedAt)
    expect(toy.server.requests).toHaveLength(1)
    expect(await toy.perform(toy.call({}, { deadlineMs: 60_000 }))).toMatchObject({ ok: true })
  })

  it('R22: an attempt under way is cut at the deadline', async () => {
    const toy = await askToy(() => new Promise(() => {}))
    const one = toy.call({}, { deadlineMs: 5000 })
    const end = await carry(
      toy.clock,
      () => toy.begin(one),
      () => toy.server.open,
    )
    expect(errorIn(end)).toMatchObject({ kind: 'deadline', attempts: 1 })
    expect(errorIn(end).message).toContain('the deadline of 5000 ms came first')
    await eventually(() => toy.server.open).toBe(0)
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
    await eventually(() => one.only('wait').length).toBe(1)
    controller.abort('enough')
    await expect(end).rejects.toBe('enough')
    expect([toy.server.requests.length, toy.clock.timers, listenersOn(one.call.signal)]).toEqual([1, 0, 0])
  })

  it.each([null, undefined, 0, 'text', { any: 'thing' }])(
    'R12: whatever the reason is, it comes back: %j',
    async reason => {
      const toy = await askToy(() => new Promise(() => {}))
      const controller = new AbortController()
      const end = toy.begin(toy.call({}, { signal: controller.signal }))
      await eventually(() => toy.server.requests.length).toBe(1)
      controller.abort(reason)
      await expect(end).rejects.toBe(controller.signal.reason)
    },
  )
})

describe('slots', () => {
  it('R34: no slot is held during a wait', async () => {
    const toy = await askToy(({ path, n }) =>
      path === '/slow' && n === 1 ? { status: 503, headers: { 'retry-after': '20' } } : ok,
    )
    const order: string[] = []
    const ask = (path: string) =>
      toy.begin(toy.call({ concurrency: 1 }), { url: `${toy.server.url}${path}` }).then(() => order.push(path))
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
    const end = await carry(
      toy.clock,
      () => toy.begin(one),
      () => toy.server.open,
    )
    expect(errorIn(end).kind).toBe('timeout')
    expect(one.only('learned')).toMatchObject([{ what: 'concurrency', value: 4 }])
  })
})
