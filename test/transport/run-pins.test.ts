import { describe, expect, it } from 'vitest'
import { A, B, from, modelled } from '../support/models.ts'
import { all, barrier, metaIn, rowsIn, runOf, type RunSetup } from '../support/running.ts'
import { type Answering, type ToyRequest } from '../support/toy-service.ts'

/** A service whose model changes under way: what names a model gets it, anything else gets what `unasked` says. */
const changing =
  (unasked: (request: ToyRequest) => string): Answering =>
  request =>
    from(request, request.pin ?? unasked(request))

const BOTH: readonly [string, RunSetup['run'] & object][] = [
  ['held', {}],
  ['streamed', { window: 16 }],
]

describe('a newer model turns up', () => {
  it.each(BOTH)('R58: the first response settles the model, all later requests name it (%s)', async (_how, run) => {
    const one = await runOf(
      changing(() => A),
      { options: { concurrency: 1 }, run },
    )
    expect(rowsIn(await all(one))).toEqual(modelled(0, 390, A))
    expect(one.server.requests.map(({ pin }) => pin)).toEqual([undefined, A, A, A])
    expect(one.running.pin).toBe(A)
  })

  it.each(BOTH)('R58: a model that was settled before is named from the start (%s)', async (_how, run) => {
    const one = await runOf(
      changing(() => A),
      { run: { ...run, pin: B } },
    )
    expect(rowsIn(await all(one))).toEqual(modelled(0, 390, B))
    expect(new Set(one.server.requests.map(({ pin }) => pin))).toEqual(new Set([B]))
  })

  it.each(BOTH)(
    'R58: what had answered with the older one is asked again, and no row is lost or doubled (%s)',
    async (_how, run) => {
      const older = barrier()
      const answer: Answering = async request => {
        if (request.pin !== undefined) return from(request, request.pin)
        if (request.start !== 100) return from(request, A)
        // The second chunk answers when the first has, and with a newer model.
        await older.passed
        return from(request, B)
      }
      const one = await runOf(answer, {
        todo: [0, 190],
        options: { concurrency: 2 },
        call: { onEvent: ({ type }) => (type === 'response' ? older.open() : undefined) },
        run,
      })
      const batches = await all(one)
      expect(rowsIn(batches)).toEqual(modelled(0, 190, B))
      expect(one.server.requests.map(({ start, pin }) => [start, pin])).toContainEqual([0, B])
      expect(one.only('learned')).toMatchObject([{ what: 'pin', value: B }])
      expect(metaIn(batches).map(({ chunk, rows, source }) => [chunk, rows, source])).toEqual([
        [0, 0, { superseded: true }],
        [0, 10, {}],
        [1, 10, {}],
      ])
      expect(metaIn(batches)).toHaveLength(one.server.requests.length)
      expect([one.running.left(), one.running.failures]).toEqual([[], []])
    },
  )

  it.each(BOTH)(
    'R58: the older chunk is still reading pages: what comes late is set aside, and it starts over (%s)',
    async (_how, run) => {
      const [older, newer] = [barrier(), barrier()]
      const answer: Answering = async request => {
        if (request.start === 100) {
          await older.passed
          return from(request, B)
        }
        if (request.pin === B) return from(request, B)
        const rows = modelled((request.page - 1) * 30, request.page * 30 - 10, A)
        if (request.page === 1) setTimeout(older.open, 5)
        else await newer.passed
        return { body: { rows, pin: A, next: `?start=0&end=90&page=${request.page + 1}` } }
      }
      const one = await runOf(answer, {
        todo: [0, 190],
        options: { concurrency: 2 },
        operation: { identity: ({ at }) => String(at) },
        call: { onEvent: event => (event.type === 'learned' && event.what === 'pin' ? newer.open() : undefined) },
        run,
      })
      const batches = await all(one)
      expect(rowsIn(batches)).toEqual(modelled(0, 190, B))
      // The walk of the older model ends with the page that was under way.
      expect(metaIn(batches).map(({ page, rows, source }) => [page, rows, source['superseded'] ?? false])).toEqual([
        [1, 0, true],
        [2, 0, true],
        [1, 10, false],
        [1, 10, false],
      ])
      expect(one.server.requests).toHaveLength(4)
      expect(one.only('response')).toHaveLength(4)
    },
  )

  it.each(BOTH)('R58: the older chunk is split, and one half has answered (%s)', async (_how, run) => {
    const [half, newer] = [barrier(), barrier()]
    const answer: Answering = async request => {
      if (request.start === 100) {
        await half.passed
        return from(request, B)
      }
      if (request.pin !== B && request.end - request.start > 50) return { status: 504 }
      if (request.pin === B) return from(request, B)
      if (request.start === 0) return from(request, A)
      half.open()
      await newer.passed
      return from(request, A)
    }
    const one = await runOf(answer, {
      todo: [0, 190],
      // A split halves the slots as well.
      options: { concurrency: 4, learnSpans: false },
      call: { onEvent: event => (event.type === 'learned' && event.what === 'pin' ? newer.open() : undefined) },
      run,
    })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual(modelled(0, 190, B))
    expect(one.server.requests.map(({ start, end, pin }) => [start, end, pin])).toContainEqual([0, 90, B])
    expect(one.running.left()).toEqual([])
  })

  it('R58: the older chunk fails after it was told to start over: the failure of its earlier start does not count', async () => {
    const [asked, newer] = [barrier(), barrier()]
    const answer: Answering = async request => {
      if (request.start === 100) {
        await asked.passed
        return from(request, B)
      }
      if (request.pin === B) return from(request, B)
      if (request.page === 1) return { body: { rows: modelled(0, 40, A), pin: A, next: '?start=0&end=90&page=2' } }
      asked.open()
      await newer.passed
      return { status: 400 }
    }
    const one = await runOf(answer, {
      todo: [0, 190],
      options: { concurrency: 2 },
      call: { onEvent: event => (event.type === 'learned' && event.what === 'pin' ? newer.open() : undefined) },
    })
    expect(rowsIn(await all(one))).toEqual(modelled(0, 190, B))
    expect(one.running.failures).toEqual([])
  })

  it('R49 R58: a cap on rows waits for the chunk that is asked again, and counts only what it brings then', async () => {
    const older = barrier()
    const answer: Answering = async request => {
      if (request.start === 100 && request.pin === undefined) {
        await older.passed
        return from(request, B)
      }
      if (request.pin === undefined) return from(request, A)
      if (request.start > 0) return from(request, B)
      const start = (request.page - 1) * 50
      return from({ start, end: start + 40 }, B, request.page === 1 ? { next: `?start=0&end=90&pin=${B}&page=2` } : {})
    }
    const one = await runOf(answer, {
      todo: [0, 190],
      options: { concurrency: 2 },
      call: { onEvent: ({ type }) => (type === 'response' ? older.open() : undefined) },
      run: { maxRows: 12 },
    })
    expect(rowsIn(await all(one))).toEqual(modelled(0, 190, B).slice(0, 12))
  })

  it('R58: of ten chunks asked at once, each of the older ones is asked again once', async () => {
    const all10 = barrier()
    const answer: Answering = async request => {
      if (request.n >= 10) all10.open()
      await all10.passed
      return from(request, request.pin ?? (request.start === 700 ? B : A))
    }
    const one = await runOf(answer, { todo: [0, 990], options: { concurrency: 10 } })
    expect(rowsIn(await all(one))).toEqual(modelled(0, 990, B))
    expect(one.server.requests.length).toBe(19)
  })
})
