import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/transport/call.ts'
import { keyCredential, mayCarryCredential, tokenCredential } from '../../src/transport/credential.ts'
import { createManualClock } from '../support/clocks.ts'
import { callOf, listenersOn, type TestCall } from '../support/transport.ts'

const MINUTE = 60_000

describe('mayCarryCredential', () => {
  const home = new URL('https://toy.test/v3')

  it.each([
    ['https://toy.test/other', 'https://toy.test/v3', true],
    ['https://toy.test:443/', 'https://toy.test/v3', true],
    ['http://toy.test/', 'https://toy.test/v3', false],
    ['https://sub.toy.test/', 'https://toy.test/v3', false],
    ['https://toy.test:8443/', 'https://toy.test/v3', false],
    ['https://toy.test.evil.test/', 'https://toy.test/v3', false],
    ['http://127.0.0.1:80/', 'http://127.0.0.1:80/', true],
    ['http://localhost:81/', 'http://localhost:81/', true],
    ['http://[::1]:81/', 'http://[::1]:81/', true],
    ['http://127.0.0.1:81/', 'http://127.0.0.1:80/', false],
    ['http://toy.test/', 'http://toy.test/', false],
  ])('R40: %s for a credential of %s: %s', (url, of, expected) => {
    expect(mayCarryCredential(new URL(url), new URL(of))).toBe(expected)
  })

  it('R40: does not ask whose machine a name that looks like this one is', () => {
    const like = new URL('http://127.0.0.1.evil.test/')
    expect(mayCarryCredential(like, like)).toBe(false)
    expect(mayCarryCredential(home, home)).toBe(true)
  })
})

describe('keyCredential', () => {
  it('R40: sends the key in its header; refused, it is refused for good', async () => {
    const credential = keyCredential('x-api-key', 'k-1', 'account')
    await credential.ready(callOf({ clock: createManualClock() }).call)
    expect(credential.headers()).toEqual({ 'x-api-key': 'k-1' })
    expect(credential.refused({ 'x-api-key': 'k-1' })).toBe(false)
    expect([credential.account, [...credential.secrets()]]).toEqual(['account', ['k-1']])
  })
})

/** A credential whose logins are answered by hand; deaf ones do not hear that they were given up. */
function byHand({ deaf = false, ...more }: { lifeMs?: number; marginMs?: number; deaf?: boolean } = {}) {
  const clock = createManualClock()
  const logins: {
    call: Call
    signal: AbortSignal
    answer: (token: string) => void
    fail: (thrown: unknown) => void
  }[] = []
  const credential = tokenCredential({
    account: 'account',
    clock,
    lifeMs: 30 * MINUTE,
    marginMs: 5 * MINUTE,
    secrets: ['the password'],
    login: (call, signal) =>
      new Promise((resolve, reject) => {
        logins.push({ call, signal, answer: resolve, fail: reject })
        if (!deaf) signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      }),
    ...more,
  })
  const caller = (controller = new AbortController()): TestCall & { abort: (reason: unknown) => void } => ({
    ...callOf({ clock, call: { signal: controller.signal } }),
    abort: reason => controller.abort(reason),
  })
  /** Has a token, got by a caller of its own. */
  const logIn = async (token: string): Promise<TestCall> => {
    const one = caller()
    const ready = credential.ready(one.call)
    logins.at(-1)?.answer(token)
    await ready
    return one
  }
  return { clock, credential, logins, caller, logIn }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

describe('tokenCredential', () => {
  it('R41: nothing to send before the first login', () => {
    expect(byHand().credential.headers()).toBeUndefined()
  })

  it('R41 F19: any number of requests that find no token cause one login', async () => {
    const { credential, logins, caller } = byHand()
    const callers = Array.from({ length: 8 }, () => caller())
    const waits = callers.map(({ call }) => credential.ready(call))
    await turn()
    expect(logins).toHaveLength(1)
    logins[0]?.answer('tok-1')
    await Promise.all(waits)
    expect(credential.headers()).toEqual(bearer('tok-1'))
    expect(callers.flatMap(one => one.only('refresh').map(({ reason }) => reason))).toEqual(['missing'])
    for (const { call } of callers) expect(listenersOn(call.signal)).toBe(0)
    await credential.ready(caller().call)
    expect(logins).toHaveLength(1)
  })

  it('R41 F19: a refusal of an older token does not log in: the newer one is taken', async () => {
    const { credential, logins, logIn, caller } = byHand()
    await logIn('tok-1')
    expect(credential.refused(bearer('tok-1'))).toBe(true)
    expect(credential.headers()).toBeUndefined()
    const one = await logIn('tok-2')
    expect(one.only('refresh').map(({ reason }) => reason)).toEqual(['refused'])
    expect(credential.refused(bearer('tok-1'))).toBe(true)
    expect(credential.refused({})).toBe(true)
    expect(credential.headers()).toEqual(bearer('tok-2'))
    await credential.ready(caller().call)
    expect(logins).toHaveLength(2)
  })

  it('R42 F21: renews a token before its end, once for all', async () => {
    const { clock, credential, logins, logIn, caller } = byHand()
    await logIn('tok-1')
    await clock.advance(25 * MINUTE - 1)
    expect(credential.headers()).toEqual(bearer('tok-1'))
    await clock.advance(1)
    expect(credential.headers()).toBeUndefined()
    const callers = [caller(), caller(), caller()]
    const waits = callers.map(({ call }) => credential.ready(call))
    logins.at(-1)?.answer('tok-2')
    await Promise.all(waits)
    expect(logins).toHaveLength(2)
    expect(callers.flatMap(one => one.only('refresh').map(({ reason }) => reason))).toEqual(['expired'])
    expect(credential.headers()).toEqual(bearer('tok-2'))
  })

  it('R42: age counts from the moment the login was sent, on the clock that does not jump', async () => {
    const { clock, credential, logins, caller } = byHand()
    const ready = credential.ready(caller().call)
    await clock.advance(10 * MINUTE)
    clock.now = () => 0
    logins[0]?.answer('tok-1')
    await ready
    await clock.advance(15 * MINUTE - 1)
    expect(credential.headers()).toEqual(bearer('tok-1'))
    await clock.advance(1)
    expect(credential.headers()).toBeUndefined()
  })

  it('R42: a token refused after its end does not put the end down to the refusal', async () => {
    const { clock, credential, logIn } = byHand()
    await logIn('tok-1')
    await clock.advance(30 * MINUTE)
    expect(credential.headers()).toBeUndefined()
    credential.refused(bearer('tok-1'))
    const one = await logIn('tok-2')
    expect(one.only('refresh').map(({ reason }) => reason)).toEqual(['expired'])
  })

  it('R43: an error of the login reaches everybody who waits for it, and the next to come tries anew', async () => {
    const { credential, logins, caller } = byHand()
    const waits = [caller(), caller(), caller()].map(({ call }) => credential.ready(call))
    const refusal = new Error('refused')
    logins[0]?.fail(refusal)
    for (const end of await Promise.allSettled(waits)) expect(end).toEqual({ status: 'rejected', reason: refusal })
    const again = credential.ready(caller().call)
    await turn()
    expect(logins).toHaveLength(2)
    logins[1]?.answer('tok-1')
    await again
    expect(credential.headers()).toEqual(bearer('tok-1'))
  })

  it('R43: a login that cannot even begin fails whoever asked, and nobody after', async () => {
    const clock = createManualClock()
    let begun = 0
    const credential = tokenCredential({
      account: 'a',
      clock,
      lifeMs: MINUTE,
      marginMs: 0,
      secrets: [],
      login: () => {
        begun += 1
        if (begun === 1) throw new Error('no user name')
        return Promise.resolve('tok-1')
      },
    })
    await expect(credential.ready(callOf({ clock }).call)).rejects.toThrow('no user name')
    await credential.ready(callOf({ clock }).call)
    expect(credential.headers()).toEqual(bearer('tok-1'))
  })

  it('R62: a caller that leaves does not end the login of the others', async () => {
    const { credential, logins, caller } = byHand()
    const [leaving, staying] = [caller(), caller()]
    const left = credential.ready(leaving.call)
    const stayed = credential.ready(staying.call)
    await turn()
    leaving.abort('enough')
    await expect(left).rejects.toBe('enough')
    expect(logins[0]?.signal.aborted).toBe(false)
    logins[0]?.answer('tok-1')
    await stayed
    expect([listenersOn(leaving.call.signal), listenersOn(staying.call.signal)]).toEqual([0, 0])
    expect(logins).toHaveLength(1)
  })

  it('R62: when all who wait have left, the login is aborted, and its answer serves nobody', async () => {
    const { credential, logins, caller } = byHand()
    const callers = [caller(), caller()]
    const waits = callers.map(({ call }) => credential.ready(call))
    await turn()
    for (const [at, one] of callers.entries()) one.abort(`reason ${at}`)
    expect((await Promise.allSettled(waits)).map(end => (end as PromiseRejectedResult).reason as string)).toEqual([
      'reason 0',
      'reason 1',
    ])
    expect(logins[0]?.signal.aborted).toBe(true)
    await turn()
    const next = credential.ready(caller().call)
    await turn()
    expect(logins).toHaveLength(2)
    logins[1]?.answer('tok-2')
    await next
    expect(credential.headers()).toEqual(bearer('tok-2'))
  })

  it('R41 R62: a login that was given up and fails late does not end the one that came after it', async () => {
    const { credential, logins, caller } = byHand({ deaf: true })
    const leaving = caller()
    const left = credential.ready(leaving.call)
    await turn()
    leaving.abort('enough')
    await expect(left).rejects.toBe('enough')
    const next = credential.ready(caller().call)
    await turn()
    logins[0]?.fail(new Error('aborted'))
    await turn()
    const third = credential.ready(caller().call)
    await turn()
    expect(logins).toHaveLength(2)
    logins[1]?.answer('tok-2')
    await Promise.all([next, third])
    expect(credential.headers()).toEqual(bearer('tok-2'))
  })

  it('R62: whoever comes aborted does not log in', async () => {
    const { credential, logins, caller } = byHand()
    const late = caller()
    late.abort('over')
    await expect(credential.ready(late.call)).rejects.toBe('over')
    expect(logins).toHaveLength(0)
  })

  it('R62: a login that is over is not aborted by those who leave after it', async () => {
    const { credential, logins, logIn } = byHand()
    await logIn('tok-1')
    await turn()
    expect(logins[0]?.signal.aborted).toBe(false)
    expect(credential.headers()).toEqual(bearer('tok-1'))
  })

  it('R44: its secrets are the password and every token so far', async () => {
    const { credential, logIn } = byHand()
    expect([...credential.secrets()]).toEqual(['the password'])
    await logIn('tok-1')
    credential.refused(bearer('tok-1'))
    await logIn('tok-2')
    expect([...credential.secrets()]).toEqual(['the password', 'tok-1', 'tok-2'])
    expect(credential.account).toBe('account')
  })
})
