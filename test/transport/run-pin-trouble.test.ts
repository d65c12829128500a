import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { A, B, from, modelled } from '../support/models.ts'
import { all, barrier, metaIn, rowsIn, runOf, spansIn } from '../support/running.ts'
import { rowsOf, type Answering, type ToyBody, type ToyRequest, type ToyRow } from '../support/toy-service.ts'

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

  it('R58: its walk starts over at the first page that disagrees, and once only', async () => {
    const pages: number[] = []
    const answer: Answering = request => {
      pages.push(request.page)
      const next = request.page < 3 ? { next: `?start=0&end=90&page=${request.page + 1}` } : {}
      return from({ start: request.page * 10, end: request.page * 10 }, A, next)
    }
    const one = await runOf(answer, { todo: [0, 90], run: { pin: B } })
    expect(rowsIn(await all(one))).toEqual(modelled(10, 30, A))
    expect(pages).toEqual([1, 1, 2, 3])
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
    await eventually(() => one.only('response').length).toBe(1)
    await new Promise(resolve => setTimeout(resolve, 10))
    expect(first).toBeUndefined()
    late.open()
    await pulled
    expect(first).toMatchObject({ meta: { chunk: 0 } })
    await batches.return()
  })

  it('R58 R61: a chunk that fails before it says anything does not hold up the others', async () => {
    const handedOn = barrier()
    const answer: Answering = async request => {
      if (request.start === 0) return { status: 400 }
      if (request.start === 200) await handedOn.passed
      return from(request, A)
    }
    const one = await runOf(answer, {
      todo: [0, 290],
      options: { concurrency: 1 },
      run: { window: 6, onFailure: 'collect' },
    })
    const rows: ToyRow[] = []
    for await (const batch of one.running.batches()) {
      rows.push(...batch.rows)
      handedOn.open()
    }
    expect(rows).toEqual(modelled(100, 290, A))
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
