import { describe, expect, it } from 'vitest'
import type { Entry, Gate, Outcome } from '../../src/transport/gate.ts'
import { askToy, carry, errorIn } from '../support/asking.ts'
import { serve, type Answering, type ToyAnswer } from '../support/toy-service.ts'

/** A gate that lets everybody in and keeps what it was told. */
function openGate() {
  const entries: Entry[] = []
  const told: string[] = []
  const outcomes: Outcome[] = []
  const pauses: number[] = []
  const gate: Gate = {
    enter: async entry => {
      entries.push(entry)
      return {
        sent: () => told.push('sent'),
        heard: () => told.push('heard'),
        refund: () => told.push('refund'),
        answered: headers => told.push(`answered ${headers['x-request-id'] ?? ''}`),
        ended: outcome => {
          told.push('ended')
          outcomes.push(outcome)
          return undefined
        },
      }
    },
    pause: ms => {
      pauses.push(ms)
      return undefined
    },
    pausedMs: () => 0,
    quota: () => undefined,
  }
  return { gate, entries, told, outcomes, pauses }
}

async function behindGate(answer: Answering) {
  const open = openGate()
  const asked: [host: string, account: string][] = []
  const credential = {
    account: 'acc',
    secrets: () => [],
    ready: async () => {},
    headers: () => ({}),
    refused: () => false,
  }
  const toy = await askToy(answer, {
    credential,
    quotaWindowMs: 777,
    gateFor: (host, account) => {
      asked.push([host, account])
      return open.gate
    },
  })
  return { ...open, ...toy, asked }
}

describe('the gate', () => {
  it('R34 R36: is asked with the settings of the call, and a second of patience beyond the cap for the jitter', async () => {
    const { call, perform, entries } = await behindGate(() => ({ body: {} }))
    const one = call({ concurrency: 3, rate: 7, retryAfterCapMs: 2000, quotaReserve: 5 }, { priority: 'bulk' })
    await perform(one)
    expect(entries).toEqual([
      {
        priority: 'bulk',
        concurrency: 3,
        rate: [{ requests: 7, perMs: 1000 }],
        patienceMs: 3000,
        deadlineAt: one.call.deadlineAt,
        quotaReserve: 5,
        quotaWindowMs: 777,
        signal: one.call.signal,
      },
    ])
  })

  it('R35: is that of the host and the account; another host knows no account of ours', async () => {
    const elsewhere = await serve(() => ({ body: {} }))
    const { call, perform, asked, server } = await behindGate(() => ({
      status: 302,
      headers: { location: `${elsewhere.url}/b` },
    }))
    await perform(call())
    expect(asked).toEqual([
      [server.host, 'acc'],
      [elsewhere.host, ''],
    ])
  })

  it('R33 R38: hears when a request is written, when a byte comes, what the headers say and that it is over', async () => {
    const { call, perform, told } = await behindGate(() => ({ body: {}, headers: { 'x-request-id': 'r-1' } }))
    await perform(call())
    expect(told[0]).toBe('sent')
    expect(told[1]).toBe('heard')
    expect(told.filter(what => what !== 'heard')).toEqual(['sent', 'answered r-1', 'ended'])
  })

  it.each<[ToyAnswer, Outcome]>([
    [{ status: 200, body: {} }, 'success'],
    [{ status: 204 }, 'success'],
    [{ status: 399 }, 'success'],
    [{ status: 400 }, 'other'],
    [{ status: 404 }, 'other'],
    [{ status: 429 }, 'other'],
    [{ status: 500 }, 'other'],
    [{ status: 502 }, 'other'],
    [{ status: 503 }, 'struggled'],
    [{ status: 504 }, 'struggled'],
    [{ status: 505 }, 'other'],
    [{ reset: true }, 'other'],
  ])('R39: learns of %j that it was a %s', async (answer, outcome) => {
    const { call, perform, outcomes } = await behindGate(() => answer)
    await perform(call({ retries: 0 }))
    expect(outcomes).toEqual([outcome])
  })

  it('R39: learns of a read time-out that the service struggles', async () => {
    const { clock, server, begin, call, outcomes } = await behindGate(() => new Promise(() => {}))
    await carry(
      clock,
      () => begin(call({ readTimeoutMs: 500 })),
      () => server.open,
    )
    expect(outcomes).toEqual(['struggled'])
  })

  it('R36: is closed by a 429 and by nothing else', async () => {
    const { call, perform, pauses } = await behindGate(({ n }) => ({
      status: [503, 429, 200][n - 1] ?? 200,
      headers: { 'retry-after': '4' },
      body: {},
    }))
    await perform(call())
    expect(pauses).toEqual([4500])
  })
})

describe('answers', () => {
  it.each([300, 304])('a %d that leads nowhere is none', async status => {
    const toy = await askToy(() => ({ status }))
    expect(errorIn(await toy.perform(toy.call()))).toMatchObject({ kind: 'other', status })
  })

  it('R8: what the last answer said of itself stays on an error that had none', async () => {
    const toy = await askToy(({ n }) =>
      n === 1 ? { status: 503, headers: { 'x-request-id': 'r-1', 'x-ratelimit-remaining': '9' } } : { reset: true },
    )
    expect(errorIn(await toy.perform(toy.call({ retries: 1 })))).toMatchObject({
      kind: 'connection',
      requestId: 'r-1',
      quotaRemaining: 9,
    })
  })
})
