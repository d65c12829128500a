import { describe, expect, it } from 'vitest'
import { all, barrier, metaIn, rowsIn, runOf, spansIn } from '../support/running.ts'
import { STEP, plainly, rowsOf, toyOperation, type Answering } from '../support/toy-service.ts'

describe('splits', () => {
  /** Too slow for more than that. */
  const slowAbove =
    (most: number): Answering =>
    request =>
      request.end - request.start > most ? { status: 504 } : plainly(request)

  it('R25 R28 F02: what is too slow is asked for in halves, depth first, each grid instant once', async () => {
    const one = await runOf(slowAbove(40), { todo: [0, 100], options: { concurrency: 1, learnSpans: false } })
    const batches = await all(one)
    expect(one.server.spans()).toEqual([
      [0, 100],
      [0, 40],
      [50, 100],
      [50, 70],
      [80, 100],
    ])
    expect(rowsIn(batches)).toEqual(rowsOf(0, 100))
    expect(metaIn(batches).map(({ depth, span }) => [depth, span?.start.getTime()])).toEqual([
      [1, 0],
      [2, 50],
      [2, 80],
    ])
    expect(
      one.only('split').map(({ span, depth, reason }) => [span?.start.getTime(), span?.end.getTime(), depth, reason]),
    ).toEqual([
      [0, 100, 0, 'too slow (504)'],
      [50, 100, 1, 'too slow (504)'],
    ])
  })

  it('R29 R36 F36: the first leaf that is still too slow fails the run, with all that is missing left', async () => {
    const one = await runOf(
      request => (request.start >= 100 && request.start < 200 ? { status: 504 } : plainly(request)),
      {
        options: { concurrency: 1 },
      },
    )
    await all(one)
    expect(one.server.spans()).toEqual([
      [0, 90],
      [100, 190],
      [100, 140],
      [100, 110],
    ])
    expect(one.running.failures).toMatchObject([
      { kind: 'timeout', span: { start: new Date(100), end: new Date(110) } },
    ])
    expect(one.running.failures[0]?.message).toContain('after halving the span 2 times')
    expect(spansIn(one.running.left())).toEqual([
      [100, 110],
      [120, 140],
      [150, 190],
      [200, 390],
    ])
  })

  it.each([
    [0, 1],
    [1, 2],
    [3, 4],
  ])('R29: with maxSplitDepth %d the same instant is asked for at most %d times', async (maxSplitDepth, most) => {
    const one = await runOf(() => ({ status: 504 }), { todo: [0, 90], options: { maxSplitDepth } })
    await all(one)
    expect(one.server.requests).toHaveLength(most)
  })

  it('R28: a piece of one step is not split', async () => {
    const one = await runOf(() => ({ status: 504 }), { todo: [10, 19] })
    await all(one)
    expect(one.server.requests).toHaveLength(1)
    expect(one.running.failures).toMatchObject([{ kind: 'timeout' }])
  })

  it('R30: chunks that have not begun are planned at the size that answered, so the lesson is paid once', async () => {
    const one = await runOf(slowAbove(50), { todo: [0, 590], options: { concurrency: 1 } })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual(rowsOf(0, 590))
    expect(one.server.requests.filter(({ start, end }) => end - start > 50)).toHaveLength(1)
    expect(one.only('learned')).toMatchObject([{ what: 'span', value: 50 }])
    expect(metaIn(batches).map(({ depth }) => depth)).toEqual(Array(12).fill(1))
  })

  it('R30: the lesson is the shorter half, wherever the chunk lies', async () => {
    const one = await runOf(slowAbove(50), { todo: [200, 280], options: { concurrency: 1 } })
    await all(one)
    expect(one.server.spans()).toEqual([
      [200, 280],
      [200, 230],
      [240, 280],
    ])
    expect(one.only('learned')).toMatchObject([{ what: 'span', value: 40 }])
  })

  it('R29 R30: a piece of a learned size has as many halvings left as its own length leaves, however long a chunk may be', async () => {
    const answer: Answering = request =>
      request.end - request.start > (request.start < 1000 ? 190 : 50) ? { status: 504 } : plainly(request)
    const one = await runOf(answer, {
      todo: [
        { span: { start: 0, end: 390 }, depth: 0 },
        { span: { start: 1000, end: 1390 }, depth: 0 },
      ],
      options: { concurrency: 1, maxSplitDepth: 3 },
      run: { chunkMs: Number.MAX_SAFE_INTEGER },
    })
    expect(rowsIn(await all(one))).toEqual([...rowsOf(0, 390), ...rowsOf(1000, 1390)])
    expect(one.running.failures).toEqual([])
    expect(one.server.spans().slice(0, 5)).toEqual([
      [0, 390],
      [0, 190],
      [200, 390],
      [1000, 1190],
      [1000, 1090],
    ])
  })

  it('R30: switched off, every chunk pays', async () => {
    const one = await runOf(slowAbove(50), { todo: [0, 390], options: { concurrency: 1, learnSpans: false } })
    await all(one)
    expect(one.server.requests.filter(({ start, end }) => end - start > 50)).toHaveLength(4)
    expect(one.only('learned').filter(({ what }) => what === 'span')).toEqual([])
  })

  it('R30: the size grows back when answers are quick', async () => {
    let slow = true
    const answer: Answering = request => {
      if (slow && request.end - request.start > 50) {
        slow = false
        return { status: 504 }
      }
      return plainly(request)
    }
    const one = await runOf(answer, { todo: [0, 2990], options: { concurrency: 1 } })
    expect(rowsIn(await all(one))).toEqual(rowsOf(0, 2990))
    expect(
      one
        .only('learned')
        .filter(({ what }) => what === 'span')
        .map(({ value }) => value),
    ).toEqual([50, 100])
    expect(one.server.spans().at(-1)).toEqual([2900, 2990])
    expect(one.server.requests.filter(({ start, end }) => end - start === 90).length).toBeGreaterThan(15)
  })

  it('R30: an answer in pages says nothing of how much is answered at once', async () => {
    const answer: Answering = request => {
      if (request.end - request.start > 50 && request.n === 1) return { status: 504 }
      const { search, page, start, end } = request
      if (page === 2) return { body: { rows: rowsOf(end, end) } }
      return { body: { rows: rowsOf(start, end - STEP), next: `${search}&page=2` } }
    }
    const one = await runOf(answer, { todo: [0, 2990], options: { concurrency: 1 } })
    expect(rowsIn(await all(one))).toEqual(rowsOf(0, 2990))
    expect(one.only('learned')).toMatchObject([{ what: 'span', value: 50 }])
    expect(
      Math.max(
        ...one.server
          .spans()
          .slice(1)
          .map(([start, end]) => end - start),
      ),
    ).toBe(40)
  })

  it('R31: siblings go on while a chunk is split', async () => {
    const waiting = barrier()
    const answer: Answering = async request => {
      if (request.start === 0 && request.end === 90) return { status: 504 }
      if (request.start === 0) await waiting.passed
      if (request.start === 300) waiting.open()
      return plainly(request)
    }
    const one = await runOf(answer, { options: { concurrency: 2, learnSpans: false } })
    expect(rowsIn(await all(one))).toEqual(rowsOf(0, 390))
  })

  it('R6: a service may ask for less with another status; the reason is told', async () => {
    const policy = { retryStatuses: [], slowStatuses: [500], onTimeout: 'fail' as const }
    const answer: Answering = request => (request.end - request.start > 50 ? { status: 500 } : plainly(request))
    const one = await runOf(answer, {
      todo: [0, 90],
      operation: { request: (piece, pin) => ({ ...toyOperation(one.server.url).request(piece, pin), policy }) },
    })
    expect(rowsIn(await all(one))).toEqual(rowsOf(0, 90))
    expect(one.only('split').map(({ reason }) => reason)).toEqual(['http_5xx (500)'])
  })
})

describe('identifiers', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const answer =
    (most: number): Answering =>
    request => {
      const asked = new URLSearchParams(request.search).get('ids')?.split(',') ?? []
      return asked.length > most
        ? { status: 414 }
        : { body: { rows: asked.map(id => ({ at: ids.indexOf(id), value: 1 })) } }
    }
  const operation = (url: () => string) => ({
    request: ({ ids: asked = [] }: { ids?: readonly string[] | undefined }) => ({
      method: 'GET' as const,
      url: `${url()}/series?ids=${asked.join(',')}`,
    }),
  })

  it('R9 R27: what names too much is asked for in halves, every identifier once, in order', async () => {
    const one = await runOf(answer(2), {
      todo: [{ ids, depth: 0 }],
      operation: operation(() => one.server.url),
      options: { concurrency: 1 },
    })
    const batches = await all(one)
    expect(one.server.requests.map(({ search }) => search)).toEqual([
      '?ids=a,b,c,d,e',
      '?ids=a,b,c',
      '?ids=a,b',
      '?ids=c',
      '?ids=d,e',
    ])
    expect(rowsIn(batches).map(({ at }) => ids[at])).toEqual(ids)
    expect(one.only('split').map(({ span, reason }) => [span, reason])).toEqual([
      [null, 'too much at a time (414)'],
      [null, 'too much at a time (414)'],
    ])
  })

  it('R9: one identifier that is too much alone fails the run', async () => {
    const one = await runOf(answer(0), {
      todo: [{ ids: ['a', 'b'], depth: 0 }],
      operation: operation(() => one.server.url),
    })
    await all(one)
    expect(one.running.failures).toMatchObject([{ kind: 'too_large', status: 414 }])
    expect(one.running.left().map(piece => piece.ids)).toEqual([['a'], ['b']])
  })

  it('R4: where there is no span, too slow divides the identifiers', async () => {
    const slow: Answering = request =>
      request.search.length > '?ids=a,b,c'.length ? { status: 504 } : answer(5)(request)
    const one = await runOf(slow, {
      todo: [{ ids, depth: 0 }],
      operation: operation(() => one.server.url),
      options: { concurrency: 1 },
    })
    await all(one)
    expect(one.server.requests.map(({ search }) => search)).toEqual(['?ids=a,b,c,d,e', '?ids=a,b,c', '?ids=d,e'])
  })

  it('R4 R27: where there is a span, too slow halves it, too much divides the identifiers', async () => {
    const asked: string[] = []
    const service: Answering = request => {
      const one = `${request.start}-${request.end} ${new URLSearchParams(request.search).get('ids')}`
      asked.push(one)
      return one.length > '50-90 a,b'.length + 2
        ? { status: 414 }
        : request.end - request.start > 50
          ? { status: 504 }
          : plainly(request)
    }
    const one = await runOf(service, {
      todo: [{ span: { start: 0, end: 90 }, ids: ['a', 'b', 'c', 'd'], depth: 0 }],
      operation: {
        request: ({ span, ids: named = [] }) => ({
          method: 'GET',
          url: `${one.server.url}/series?start=${span?.start}&end=${span?.end}&ids=${named.join(',')}`,
        }),
      },
      options: { concurrency: 1 },
    })
    await all(one)
    expect(asked).toEqual(['0-90 a,b,c,d', '0-90 a,b', '0-40 a,b', '50-90 a,b', '0-90 c,d', '0-40 c,d', '50-90 c,d'])
  })
})
