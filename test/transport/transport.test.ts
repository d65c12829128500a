import { describe, expect, it } from 'vitest'
import type { CallOptions } from '../../src/transport/call.ts'
import { createManualClock } from '../support/clocks.ts'
import { eventually } from '../support/eventually.ts'
import { TOY_RULES, plainly, rowsOf, type Answering } from '../support/toy-service.ts'
import { toyTransport } from '../support/toy-transport.ts'
import { listenersOn } from '../support/transport.ts'

describe('plan', () => {
  it('R24: says what would be asked, and asks nothing', async () => {
    const { transport, question, server } = await toyTransport()
    const { facts } = question()
    const todo = [{ span: { start: 0, end: 150 }, ids: ['x'], depth: 0 }, { depth: 0 }]
    expect(transport.plan({ facts, todo }, {})).toEqual([
      { span: { start: 0, end: 90 }, ids: ['x'], depth: 0 },
      { span: { start: 100, end: 150 }, ids: ['x'], depth: 0 },
      { depth: 0 },
    ])
    expect(transport.plan({ facts, todo }, { chunk: 1000 })).toHaveLength(2)
    expect(server.requests).toHaveLength(0)
  })
})

describe('retrieve', () => {
  it('R32: tells how the query was cut, and how it ended', async () => {
    const { rows, events } = await toyTransport(plainly, {
      concurrency: 3,
      rate: [
        { requests: 30, perMs: 3000 },
        { requests: 900, perMs: 60_000 },
      ],
    })
    expect(await rows()).toEqual(rowsOf(0, 390))
    const span = { start: new Date(0), end: new Date(390) }
    expect(events[0]).toMatchObject({
      type: 'planned',
      service: 'toy',
      operation: 'getSeries',
      chunks: 4,
      requests: 4,
      span,
      concurrency: 3,
      perSecond: 10,
    })
    expect(events.at(-1)).toMatchObject({ type: 'done', outcome: 'complete', rows: 40, responses: 4 })
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1)
  })

  it('R32: a plan spans everything that is to be done; without a span it has none', async () => {
    const { rows, events } = await toyTransport(() => ({ body: { rows: [] } }))
    await rows(
      {},
      { todo: [{ span: { start: 500, end: 640 }, depth: 0 }, { depth: 0 }, { span: { start: 0, end: 10 }, depth: 0 }] },
    )
    expect(events[0]).toMatchObject({
      chunks: 4,
      requests: 4,
      span: { start: new Date(0), end: new Date(640) },
      perSecond: null,
    })
    events.length = 0
    await rows({}, { todo: [{ depth: 0 }] })
    expect(events[0]).toMatchObject({ chunks: 1, span: null })
  })

  it('R32: a query that failed ended interrupted, one that was left or broken off ended aborted', async () => {
    const failing = await toyTransport(() => ({ status: 400 }))
    await failing.rows()
    expect(failing.events.at(-1)).toMatchObject({ type: 'done', outcome: 'interrupted', rows: 0, responses: 0 })

    const left = await toyTransport()
    const batches = left.transport.retrieve(left.question({ streaming: true }), { onEvent: left.onEvent }).batches()
    await batches.next()
    await batches.return()
    expect(left.events.at(-1)).toMatchObject({ type: 'done', outcome: 'aborted', rows: 10, responses: 1 })

    const broken = await toyTransport(() => new Promise(() => {}))
    const controller = new AbortController()
    const end = broken.rows({ signal: controller.signal })
    end.catch(() => {})
    await eventually(() => broken.server.requests.length).toBe(4)
    controller.abort('enough')
    await expect(end).rejects.toBe('enough')
    expect(broken.events.at(-1)).toMatchObject({ type: 'done', outcome: 'aborted' })
    expect(listenersOn(controller.signal)).toBe(0)
  })

  it.each<[string, Answering]>([
    ['well', plainly],
    ['badly', () => ({ status: 400 })],
  ])('R62: when it has ended %s, nothing is left on the signal of the caller', async (_how, answer) => {
    const { signal } = new AbortController()
    const { rows } = await toyTransport(answer)
    await rows({ signal, deadlineMs: 60_000 })
    expect(listenersOn(signal)).toBe(0)
  })

  it.each<[CallOptions, string]>([
    [{ maxRows: 0 }, 'maxRows must be a whole number, 1 or more; got 0'],
    [{ maxRows: 1.5 }, 'maxRows must be a whole number, 1 or more; got 1.5'],
    [{ maxRows: '5' as never }, 'maxRows must be a whole number, 1 or more; got 5'],
    [{ chunk: TOY_RULES.mostMs + 1 }, 'the service takes at most'],
    [{ chunk: 1 }, 'shorter than the step'],
    [{ deadlineMs: -1 }, 'deadlineMs must be a number'],
    [{ retries: -1 }, 'retries (test) must be'],
  ])('R62 F55: %j is refused before anything begins, and leaves nothing behind', async (options, message) => {
    const { signal } = new AbortController()
    const clock = createManualClock()
    const { transport, question, server } = await toyTransport(plainly, {}, { clock })
    expect(() => transport.retrieve(question(), { signal, deadlineMs: 1000, ...options })).toThrow(message)
    expect([listenersOn(signal), clock.timers, server.requests.length]).toEqual([0, 0, 0])
  })

  it('F04: a cap on rows that cannot be is an error of that argument', async () => {
    const { transport, question } = await toyTransport()
    let thrown: unknown
    try {
      transport.retrieve(question(), { maxRows: -1 })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ name: 'QueryError', argument: 'maxRows', value: '-1' })
  })

  it('R49 R61: with a cap on rows the first failure stops the run, whatever is said of failures', async () => {
    const { rows, server } = await toyTransport(request => (request.start === 0 ? { status: 400 } : plainly(request)), {
      concurrency: 1,
    })
    expect(await rows({ maxRows: 15, onFailure: 'collect' })).toEqual([])
    expect(server.requests).toHaveLength(1)
    expect(await rows({ onFailure: 'collect' })).toEqual(rowsOf(100, 390))
  })

  it('R32: the end says how long it took', async () => {
    const clock = createManualClock()
    await clock.advance(5000)
    const { rows, events } = await toyTransport(
      async request => {
        await clock.advance(250)
        return plainly(request)
      },
      {},
      { clock },
    )
    await rows({}, { todo: [{ span: { start: 0, end: 90 }, depth: 0 }] })
    expect(events.at(-1)).toMatchObject({ type: 'done', elapsedMs: 250 })
  })

  it('R30: a lesson holds for the next query of the same series, and for no other', async () => {
    const { rows, server } = await toyTransport(
      ({ start, end }) => (end - start > 50 ? { status: 504 } : { body: { rows: rowsOf(start, end) } }),
      { concurrency: 1 },
    )
    const longest = (): number => Math.max(...server.requests.splice(0).map(({ start, end }) => end - start))
    await rows()
    expect(longest()).toBe(90)
    await rows()
    expect(longest()).toBe(40)
    await rows({}, { series: 'b' })
    expect(longest()).toBe(90)
    await rows({}, { operation: 'getOther' })
    expect(longest()).toBe(90)
  })

  it('R49 R61: the options of a call reach its run', async () => {
    const { transport, question, rows } = await toyTransport(request =>
      request.start === 100 ? { status: 400 } : plainly(request),
    )
    expect(await rows({ maxRows: 5 })).toEqual(rowsOf(0, 40))
    expect(await rows({ onFailure: 'collect' })).toEqual([...rowsOf(0, 90), ...rowsOf(200, 390)])
    expect(await rows({ chunk: 50 })).toEqual(rowsOf(0, 90))
    const running = transport.retrieve(question({ pin: 'p' }), {})
    expect([running.pin, running.failures, running.call.operation]).toEqual(['p', [], 'getSeries'])
    await running.batches().return()
  })

  it('R54: streamed, it runs no further ahead than its concurrency', async () => {
    const { transport, question, server } = await toyTransport(plainly, { concurrency: 2 })
    const batches = transport
      .retrieve(question({ streaming: true, todo: [{ span: { start: 0, end: 9990 }, depth: 0 }] }), {})
      .batches()
    await batches.next()
    await new Promise(resolve => setTimeout(resolve, 50))
    // Two before the first is handed on, and one in its place.
    expect(server.requests.length).toBeLessThanOrEqual(3)
    await batches.return()
  })

  it('R37: the priority is that of the call, or else of the question', async () => {
    const { transport, question } = await toyTransport()
    const running = [
      transport.retrieve(question({ priority: 'bulk' }), {}),
      transport.retrieve(question({ priority: 'bulk' }), { priority: 'interactive' }),
    ]
    expect(running.map(({ call }) => call.priority)).toEqual(['bulk', 'interactive'])
    for (const one of running) one.call.close()
  })
})
