import { describe, expect, it } from 'vitest'
import { all, barrier, metaIn, rowsIn, runOf, spansIn } from '../support/running.ts'
import { plainly, rowsOf, toyOperation, type Answering, type ToyRequest } from '../support/toy-service.ts'
import { listenersOn } from '../support/transport.ts'

const FOUR_CHUNKS = [[0, 90], [100, 190], [200, 290], [300, 390]]
const later = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Fails with this status where it asks for that instant. */
const failingAt = (instant: number, status: number): Answering => request =>
  request.start <= instant && request.end >= instant ? { status } : plainly(request)

describe('order', () => {
  it('R24: asks for every chunk once and returns all rows', async () => {
    const one = await runOf(plainly)
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual(rowsOf(0, 390))
    expect(one.server.spans().sort(([a], [b]) => a - b)).toEqual(FOUR_CHUNKS)
    expect([one.running.left(), one.running.failures, one.running.undelivered()]).toEqual([[], [], []])
  })

  it.each(['hold', 'stream'])('R54 F40: rows and records come in the order of the plan, whatever order answers arrive in (%s)', async how => {
    const turn = new Map([300, 100, 200, 0].map((start, at) => [start, at]))
    const done: number[] = []
    const answer: Answering = async request => {
      while (done.length < (turn.get(request.start) ?? 0)) await later(1)
      done.push(request.start)
      return plainly(request)
    }
    const one = await runOf(answer, { options: { concurrency: 4 }, run: how === 'hold' ? {} : { window: 8 } })
    const batches = await all(one)
    expect(done).toEqual([300, 100, 200, 0])
    expect(rowsIn(batches)).toEqual(rowsOf(0, 390))
    expect(metaIn(batches).map(({ chunk, span }) => [chunk, span?.start.getTime()])).toEqual([[0, 0], [1, 100], [2, 200], [3, 300]])
  })

  it('R54: a run of concurrency 8 equals a run of concurrency 1', async () => {
    const answer: Answering = async request => {
      await later((request.start * 7) % 13)
      return plainly(request)
    }
    const results = await Promise.all(
      [1, 8].map(async concurrency => {
        const batches = await all(await runOf(answer, { todo: [3, 1207], options: { concurrency } }))
        return [rowsIn(batches), metaIn(batches).map(({ span, rows }) => [span, rows])]
      }),
    )
    expect(results[0]).toEqual(results[1])
    expect(results[0]?.[0]).toEqual(rowsOf(3, 1207))
  })

  it('R34: never more requests at a time than the setting', async () => {
    let [open, most] = [0, 0]
    const answer: Answering = async request => {
      open += 1
      most = Math.max(most, open)
      await later(5)
      open -= 1
      return plainly(request)
    }
    await all(await runOf(answer, { todo: [0, 1990], options: { concurrency: 3 } }))
    expect(most).toBeLessThanOrEqual(3)
    expect(most).toBeGreaterThan(1)
  })

  it('R24: pieces without a span, and several spans, are asked for in turn', async () => {
    const one = await runOf(request => (request.search === '?' || request.search === '' ? { body: { rows: [] } } : plainly(request)), {
      todo: [{ span: { start: 500, end: 640 }, depth: 0 }, { depth: 0 }, { span: { start: 0, end: 10 }, depth: 0 }],
      options: { concurrency: 1 },
    })
    const batches = await all(one)
    expect(one.server.spans()).toEqual([[500, 590], [600, 640], [0, 0], [0, 10]])
    expect(metaIn(batches).map(({ span }) => span?.start.getTime())).toEqual([500, 600, undefined, 0])
  })

  it('R24: nothing to do is nothing sent', async () => {
    const one = await runOf(plainly, { todo: [] })
    expect(await all(one)).toEqual([])
    expect(one.server.requests).toHaveLength(0)
  })
})

describe('records', () => {
  it('R55: one per response, retries counted in the one that followed', async () => {
    const one = await runOf(request => (request.n === 2 ? { status: 503 } : plainly(request)), { todo: [0, 190], options: { concurrency: 1 } })
    const meta = metaIn(await all(one))
    expect(meta.map(({ attempts, rows, status }) => [attempts, rows, status])).toEqual([[1, 10, 200], [2, 10, 200]])
    expect(one.only('response').map(event => event.meta)).toEqual(meta)
  })

  it('R56: rows outside are dropped and counted, duplicates merged and counted, both said of the response', async () => {
    const rows = [...rowsOf(-20, 90), ...rowsOf(80, 120)]
    const one = await runOf(() => ({ body: { rows } }), { todo: [0, 90] })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual(rowsOf(0, 90))
    expect(metaIn(batches)).toMatchObject([{ rows: 10, rowsOutside: 5, rowsMerged: 2, source: {} }])
    expect(one.only('warning')).toEqual([])
  })

  it('R56 R57: values that differ are kept, last revised first, with a warning tied to the response', async () => {
    const rows = [{ at: 0, value: 1, revised: 1 }, { at: 0, value: 2, revised: 2 }, { at: 10, value: 3 }]
    const one = await runOf(() => ({ body: { rows, warnings: ['old data'] } }), { todo: [0, 90] })
    const batches = await all(one)
    expect(rowsIn(batches).map(({ value }) => value)).toEqual([2, 1, 3])
    const warnings = ['old data', '1 samples came with different values; all are kept, last revised first']
    expect(metaIn(batches)[0]?.source).toEqual({ warnings })
    expect(one.only('warning').map(({ message }) => message)).toEqual(warnings)
  })
})

describe('splits', () => {
  /** Too slow for more than that. */
  const slowAbove = (most: number): Answering => request => (request.end - request.start > most ? { status: 504 } : plainly(request))

  it('R25 R28 F02: what is too slow is asked for in halves, depth first, each grid instant once', async () => {
    const one = await runOf(slowAbove(40), { todo: [0, 100], options: { concurrency: 1, learnSpans: false } })
    const batches = await all(one)
    expect(one.server.spans()).toEqual([[0, 100], [0, 40], [50, 100], [50, 70], [80, 100]])
    expect(rowsIn(batches)).toEqual(rowsOf(0, 100))
    expect(metaIn(batches).map(({ depth, span }) => [depth, span?.start.getTime()])).toEqual([[1, 0], [2, 50], [2, 80]])
    expect(one.only('split').map(({ span, depth, reason }) => [span?.start.getTime(), span?.end.getTime(), depth, reason])).toEqual([
      [0, 100, 0, 'too slow (504)'],
      [50, 100, 1, 'too slow (504)'],
    ])
  })

  it('R29 R36 F36: the first leaf that is still too slow fails the run, with all that is missing left', async () => {
    const one = await runOf(request => (request.start >= 100 && request.start < 200 ? { status: 504 } : plainly(request)), {
      options: { concurrency: 1 },
    })
    await all(one)
    expect(one.server.spans()).toEqual([[0, 90], [100, 190], [100, 140], [100, 110]])
    expect(one.running.failures).toMatchObject([{ kind: 'timeout', span: { start: new Date(100), end: new Date(110) } }])
    expect(one.running.failures[0]?.message).toContain('after halving the span 2 times')
    expect(spansIn(one.running.left())).toEqual([[100, 110], [120, 140], [150, 190], [200, 390]])
  })

  it.each([[0, 1], [1, 2], [3, 4]])('R29: with maxSplitDepth %d the same instant is asked for at most %d times', async (maxSplitDepth, most) => {
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
    expect(one.only('learned').filter(({ what }) => what === 'span').map(({ value }) => value)).toEqual([50, 100])
    expect(one.server.spans().at(-1)).toEqual([2900, 2990])
    expect(one.server.requests.filter(({ start, end }) => end - start === 90).length).toBeGreaterThan(15)
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
  const answer = (most: number): Answering => request => {
    const asked = new URLSearchParams(request.search).get('ids')?.split(',') ?? []
    return asked.length > most ? { status: 414 } : { body: { rows: asked.map(id => ({ at: ids.indexOf(id), value: 1 })) } }
  }
  const operation = (url: () => string) => ({
    request: ({ ids: asked = [] }: { ids?: readonly string[] | undefined }) => ({ method: 'GET' as const, url: `${url()}/series?ids=${asked.join(',')}` }),
  })

  it('R9 R27: what names too much is asked for in halves, every identifier once, in order', async () => {
    const one = await runOf(answer(2), { todo: [{ ids, depth: 0 }], operation: operation(() => one.server.url), options: { concurrency: 1 } })
    const batches = await all(one)
    expect(one.server.requests.map(({ search }) => search)).toEqual(['?ids=a,b,c,d,e', '?ids=a,b,c', '?ids=a,b', '?ids=c', '?ids=d,e'])
    expect(rowsIn(batches).map(({ at }) => ids[at])).toEqual(ids)
    expect(one.only('split').map(({ span, reason }) => [span, reason])).toEqual([[null, 'too much at a time (414)'], [null, 'too much at a time (414)']])
  })

  it('R9: one identifier that is too much alone fails the run', async () => {
    const one = await runOf(answer(0), { todo: [{ ids: ['a', 'b'], depth: 0 }], operation: operation(() => one.server.url) })
    await all(one)
    expect(one.running.failures).toMatchObject([{ kind: 'too_large', status: 414 }])
    expect(one.running.left().map(piece => piece.ids)).toEqual([['a'], ['b']])
  })

  it('R4: where there is no span, too slow divides the identifiers', async () => {
    const slow: Answering = request => (request.search.length > '?ids=a,b,c'.length ? { status: 504 } : answer(5)(request))
    const one = await runOf(slow, { todo: [{ ids, depth: 0 }], operation: operation(() => one.server.url), options: { concurrency: 1 } })
    await all(one)
    expect(one.server.requests.map(({ search }) => search)).toEqual(['?ids=a,b,c,d,e', '?ids=a,b,c', '?ids=d,e'])
  })

  it('R4 R27: where there is a span, too slow halves it, too much divides the identifiers', async () => {
    const asked: string[] = []
    const service: Answering = request => {
      const one = `${request.start}-${request.end} ${new URLSearchParams(request.search).get('ids')}`
      asked.push(one)
      return one.length > '50-90 a,b'.length + 2 ? { status: 414 } : request.end - request.start > 50 ? { status: 504 } : plainly(request)
    }
    const one = await runOf(service, {
      todo: [{ span: { start: 0, end: 90 }, ids: ['a', 'b', 'c', 'd'], depth: 0 }],
      operation: {
        request: ({ span, ids: named = [] }) => ({ method: 'GET', url: `${one.server.url}/series?start=${span?.start}&end=${span?.end}&ids=${named.join(',')}` }),
      },
      options: { concurrency: 1 },
    })
    await all(one)
    expect(asked).toEqual(['0-90 a,b,c,d', '0-90 a,b', '0-40 a,b', '50-90 a,b', '0-90 c,d', '0-40 c,d', '50-90 c,d'])
  })
})

describe('failures', () => {
  it('R59 F38: the first final failure stops the run: nothing new is started, nothing is left pending', async () => {
    const hung: ToyRequest[] = []
    const answer: Answering = async request => {
      if (request.start === 100) return { status: 400 }
      hung.push(request)
      return new Promise(() => {})
    }
    const one = await runOf(answer, { todo: [0, 1990], options: { concurrency: 2 } })
    expect(await all(one)).toEqual([])
    expect(one.server.requests).toHaveLength(2)
    expect(one.running.failures).toMatchObject([{ kind: 'http_4xx', status: 400 }])
    expect(listenersOn(one.call.signal)).toBe(0)
    await expect.poll(() => one.server.open).toBe(0)
    expect(spansIn(one.running.left())).toEqual([[0, 90], [100, 190], [200, 1990]])
  })

  it('R59 R60: what was received before the failure is handed on in order, what came behind it is kept', async () => {
    const received = barrier()
    const answer: Answering = async request => {
      if (request.start === 200) {
        await received.passed
        return { status: 400 }
      }
      if (request.start === 300) setTimeout(received.open, 20)
      return plainly(request)
    }
    const one = await runOf(answer, { options: { concurrency: 4 } })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual(rowsOf(0, 190))
    expect(rowsIn(one.running.undelivered())).toEqual(rowsOf(300, 390))
    expect(spansIn(one.running.left())).toEqual([[200, 290]])
  })

  it('R60: what is left of a walk begins at its cursor', async () => {
    const answer: Answering = request =>
      request.page === 3 ? { status: 400 } : { body: { rows: rowsOf(request.page * 10, request.page * 10), next: `?start=0&end=90&page=${request.page + 1}` } }
    const one = await runOf(answer, { todo: [0, 190], options: { concurrency: 1 } })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual(rowsOf(10, 20))
    expect(one.running.left()).toMatchObject([
      { span: { start: 0, end: 90 }, depth: 0, cursor: `${one.server.url}/series?start=0&end=90&page=3`, page: 3 },
      { span: { start: 100, end: 190 }, depth: 0 },
    ])
  })

  it('R61: collect finishes the siblings, hands on what came, and lists every failure and what is missing', async () => {
    const answer: Answering = request => (request.start === 100 || request.start === 300 ? { status: 400 } : plainly(request))
    const one = await runOf(answer, { run: { onFailure: 'collect' } })
    expect(rowsIn(await all(one))).toEqual([...rowsOf(0, 90), ...rowsOf(200, 290)])
    expect(one.running.failures.map(({ span }) => span?.start.getTime())).toEqual([100, 300])
    expect(spansIn(one.running.left())).toEqual([[100, 190], [300, 390]])
    expect(one.server.requests).toHaveLength(4)
  })

  it('R61: collect hands on in a stream, too, past what failed', async () => {
    const one = await runOf(failingAt(150, 400), { run: { onFailure: 'collect', window: 2 }, options: { concurrency: 1 } })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual([...rowsOf(0, 90), ...rowsOf(200, 390)])
    // Somebody who kept the last batch goes on with the hole.
    expect(batches.map(batch => spansIn(one.running.leftAfter(batch)))).toEqual([
      [[100, 190], [200, 290], [300, 390]],
      [[100, 190], [300, 390]],
      [[100, 190]],
    ])
  })

  it('R61: collect keeps of a chunk what came before its failure', async () => {
    const answer: Answering = request => (request.end - request.start > 50 ? { status: 504 } : request.start === 50 ? { status: 400 } : plainly(request))
    const one = await runOf(answer, { todo: [0, 190], options: { concurrency: 1, learnSpans: false }, run: { onFailure: 'collect' } })
    expect(rowsIn(await all(one))).toEqual([...rowsOf(0, 40), ...rowsOf(100, 190)])
    expect(spansIn(one.running.left())).toEqual([[50, 90]])
  })

  it('R22: at the deadline what is under way ends, and the failure says so', async () => {
    const one = await runOf(() => new Promise(() => {}), { call: { deadlineMs: 50 }, options: { concurrency: 2 } })
    expect(await all(one)).toEqual([])
    expect(one.running.failures[0]).toMatchObject({ kind: 'deadline' })
    expect(spansIn(one.running.left())).toEqual([[0, 90], [100, 190], [200, 390]])
    one.call.close()
  })

  it('R23: a run sends no more requests than it may', async () => {
    const one = await runOf(plainly, { call: { maxRequests: 3 }, options: { concurrency: 1 } })
    expect(rowsIn(await all(one))).toEqual(rowsOf(0, 290))
    expect(one.running.failures).toMatchObject([{ kind: 'other' }])
    expect(one.server.requests).toHaveLength(3)
  })

  it('R12: the abort of the caller ends the run with its own reason', async () => {
    const controller = new AbortController()
    const one = await runOf(() => new Promise(() => {}), { call: { signal: controller.signal } })
    const end = all(one)
    end.catch(() => {})
    await expect.poll(() => one.server.requests.length).toBe(4)
    controller.abort('enough')
    await expect(end).rejects.toBe('enough')
    await expect.poll(() => one.server.open).toBe(0)
    expect(listenersOn(one.call.signal)).toBe(0)
  })

  it('a mistake of the reader ends the run as it is, and leaves nothing pending', async () => {
    const mistake = new TypeError('no such thing')
    const one = await runOf(request => (request.start === 100 ? { body: 'null' } : new Promise(() => {})), {
      options: { concurrency: 2 },
      operation: {
        read: () => {
          throw mistake
        },
      },
    })
    await expect(all(one)).rejects.toBe(mistake)
    await expect.poll(() => one.server.open).toBe(0)
  })
})

describe('a cap on rows', () => {
  it.each([
    [1, 100],
    [10, 100],
    [11, 100],
    [25, 100],
    [25, 30],
    [25, 1000],
    [40, 100],
    [9999, 50],
  ])('R49 F28: the first %d rows, whatever the chunks (%d)', async (maxRows, chunkMs) => {
    for (const [concurrency, window] of [[1, Number.POSITIVE_INFINITY], [8, Number.POSITIVE_INFINITY], [4, 8]] as const) {
      const one = await runOf(plainly, { options: { concurrency }, run: { maxRows, chunkMs, window } })
      const batches = await all(one)
      expect(rowsIn(batches)).toEqual(rowsOf(0, 390).slice(0, maxRows))
      expect(metaIn(batches).reduce((sum, { rows }) => sum + rows, 0)).toBe(Math.min(40, maxRows))
      expect(one.running.failures).toEqual([])
    }
  })

  it('R49: asks for no more than it needs', async () => {
    const one = await runOf(plainly, { todo: [0, 9990], options: { concurrency: 1 }, run: { maxRows: 15 } })
    await all(one)
    expect(one.server.requests).toHaveLength(2)
  })

  it('R49: pages behind the cap are not read', async () => {
    const answer: Answering = request => ({
      body: { rows: rowsOf((request.page - 1) * 30, request.page * 30 - 10), next: `?start=0&end=9990&page=${request.page + 1}` },
    })
    const one = await runOf(answer, { todo: [0, 9990], run: { maxRows: 7, chunkMs: 10_000 } })
    expect(rowsIn(await all(one))).toEqual(rowsOf(0, 60))
    expect(one.server.requests).toHaveLength(3)
  })

  it('R49: a chunk that fails behind the last row that is wanted does not matter', async () => {
    const failed = barrier()
    const answer: Answering = async request => {
      if (request.start === 300) {
        setTimeout(failed.open, 20)
        return { status: 400 }
      }
      if (request.start === 0) await failed.passed
      return plainly(request)
    }
    const one = await runOf(answer, { options: { concurrency: 4 }, run: { maxRows: 10, onFailure: 'collect' } })
    expect(rowsIn(await all(one))).toEqual(rowsOf(0, 90))
    expect(one.running.failures).toEqual([])
  })
})
