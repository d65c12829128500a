import { describe, expect, it } from 'vitest'
import { all, barrier, metaIn, rowsIn, runOf, spansIn, type RunSetup } from '../support/running.ts'
import { rowsOf, type Answering, type ToyBody, type ToyRequest, type ToyRow } from '../support/toy-service.ts'

const A = '2023-03-01'
const B = '2026-03-01'

/** The series as a model has it: the newer one has other values. */
const modelled = (start: number, end: number, pin: string): ToyRow[] =>
  rowsOf(start, end).map(row => ({ ...row, value: row.value + (pin === B ? 1 : 0) }))
const from = (
  { start, end }: Pick<ToyRequest, 'start' | 'end'>,
  pin: string,
  more: Partial<ToyBody> = {},
): { body: ToyBody } => ({
  body: { rows: modelled(start, end, pin), pin, ...more },
})

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
      const newer = barrier()
      const answer: Answering = async request => {
        if (request.start === 100) return from(request, B)
        if (request.pin === B) return from(request, B)
        if (request.page === 1) return { body: { rows: modelled(0, 40, A), pin: A, next: `?start=0&end=90&page=2` } }
        await newer.passed
        return { body: { rows: modelled(50, 90, A), pin: A } }
      }
      const second = barrier()
      const one = await runOf(
        async request => {
          if (request.start === 100) await second.passed
          const given = await answer(request)
          if (request.start === 0 && request.page === 1) second.open()
          return given
        },
        {
          todo: [0, 190],
          options: { concurrency: 2 },
          call: { onEvent: event => (event.type === 'learned' && event.what === 'pin' ? newer.open() : undefined) },
          run,
        },
      )
      const batches = await all(one)
      expect(rowsIn(batches)).toEqual(modelled(0, 190, B))
      expect(metaIn(batches).map(({ page, rows, source }) => [page, rows, source['superseded'] ?? false])).toEqual([
        [1, 0, true],
        [2, 0, true],
        [1, 10, false],
        [1, 10, false],
      ])
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

  it('R49 R58: a cap on rows waits for the chunk that is asked again', async () => {
    const older = barrier()
    const answer: Answering = async request => {
      if (request.pin !== undefined) return from(request, request.pin)
      if (request.start !== 100) return from(request, A)
      await older.passed
      return from(request, B)
    }
    const one = await runOf(answer, {
      todo: [0, 190],
      options: { concurrency: 2 },
      call: { onEvent: ({ type }) => (type === 'response' ? older.open() : undefined) },
      run: { maxRows: 15 },
    })
    expect(rowsIn(await all(one))).toEqual(modelled(0, 190, B).slice(0, 15))
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

describe('a model that cannot be agreed upon', () => {
  it('R58: a chunk that still answers with the older one keeps its rows, with one warning', async () => {
    // The service has nothing newer for the first chunk, whatever is asked of it.
    const one = await runOf(request => from(request, request.start === 0 ? A : B), {
      todo: [0, 390],
      options: { concurrency: 1 },
    })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual([...modelled(0, 90, A), ...modelled(100, 390, B)])
    expect(one.server.requests.filter(({ start }) => start === 0)).toHaveLength(2)
    const warning = `part of the answer is of version ${A}, while the rest is of ${B}`
    expect(one.only('warning').map(({ message }) => message)).toEqual([warning])
    expect(metaIn(batches).flatMap(({ source }) => source['warnings'] ?? [])).toEqual([warning])
  })

  it('R58: what has been handed on cannot be asked again: it is warned of', async () => {
    const one = await runOf(request => from(request, request.pin === undefined || request.start < 200 ? A : B), {
      options: { concurrency: 1 },
      run: { window: 2 },
    })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual([...modelled(0, 190, A), ...modelled(200, 390, B)])
    expect(one.only('warning')).toHaveLength(1)
    expect(one.server.requests).toHaveLength(4)
  })

  it('R58: responses without a model disagree with nothing', async () => {
    const one = await runOf(
      request => (request.start === 100 ? { body: { rows: rowsOf(request.start, request.end) } } : from(request, A)),
      {
        options: { concurrency: 1 },
      },
    )
    expect(rowsIn(await all(one))).toEqual(rowsOf(0, 390))
    expect(one.only('warning')).toEqual([])
  })
})

describe('a stream before its model is settled', () => {
  it('R58: nothing is handed on while a chunk asked without a model may still bring a newer one', async () => {
    const late = barrier()
    const answer: Answering = async request => {
      if (request.start === 100 && request.pin === undefined) await late.passed
      return from(request, request.pin ?? A)
    }
    const one = await runOf(answer, { todo: [0, 190], options: { concurrency: 2 }, run: { window: 4 } })
    const batches = one.running.batches()
    let first: unknown
    const pulled = batches.next().then(({ value }) => (first = value))
    await expect.poll(() => one.only('response').length).toBe(1)
    await new Promise(resolve => setTimeout(resolve, 10))
    expect(first).toBeUndefined()
    late.open()
    await pulled
    expect(first).toMatchObject({ meta: { chunk: 0 } })
    await batches.return()
  })

  it('R58: chunks that wait for a slow reader do not keep one from being asked again', async () => {
    const [first, third] = [barrier(), barrier()]
    const walk = (request: ToyRequest, pin: string): { body: ToyBody } => ({
      body: {
        rows: modelled(request.start + (request.page - 1) * 20, request.start + (request.page - 1) * 20 + 10, pin),
        pin,
        ...(request.page < 5
          ? { next: `?start=${request.start}&end=${request.end}&pin=${pin}&page=${request.page + 1}` }
          : {}),
      },
    })
    const answer: Answering = async request => {
      if (request.start === 0) {
        const given = from(request, request.pin ?? A)
        setTimeout(first.open, 5)
        return given
      }
      if (request.start === 100) {
        // The newer model comes when the third chunk, too, has pages that nobody has taken.
        if (request.page === 1) await third.passed
        return walk(request, B)
      }
      await first.passed
      if (request.page === 2) setTimeout(third.open, 20)
      return walk(request, request.pin ?? A)
    }
    const one = await runOf(answer, { todo: [0, 290], options: { concurrency: 2 }, run: { window: 6 } })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual(modelled(0, 290, B))
    expect(spansIn(one.running.left())).toEqual([])
  })
})
