import { describe, expect, it } from 'vitest'
import { all, barrier, metaIn, rowsIn, runOf } from '../support/running.ts'
import { plainly, rowsOf, type Answering } from '../support/toy-service.ts'

const FOUR_CHUNKS = [
  [0, 90],
  [100, 190],
  [200, 290],
  [300, 390],
]
const later = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

describe('order', () => {
  it('R24: asks for every chunk once and returns all rows', async () => {
    const one = await runOf(plainly)
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual(rowsOf(0, 390))
    expect(one.server.spans().sort(([a], [b]) => a - b)).toEqual(FOUR_CHUNKS)
    expect([one.running.left(), one.running.failures, one.running.undelivered()]).toEqual([[], [], []])
  })

  it.each(['hold', 'stream'])(
    'R54 F40: rows and records come in the order of the plan, whatever order answers arrive in (%s)',
    async how => {
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
      expect(metaIn(batches).map(({ chunk, span }) => [chunk, span?.start.getTime()])).toEqual([
        [0, 0],
        [1, 100],
        [2, 200],
        [3, 300],
      ])
    },
  )

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
    const one = await runOf(
      request => (request.search === '?' || request.search === '' ? { body: { rows: [] } } : plainly(request)),
      {
        todo: [{ span: { start: 500, end: 640 }, depth: 0 }, { depth: 0 }, { span: { start: 0, end: 10 }, depth: 0 }],
        options: { concurrency: 1 },
      },
    )
    const batches = await all(one)
    expect(one.server.spans()).toEqual([
      [500, 590],
      [600, 640],
      [0, 0],
      [0, 10],
    ])
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
    const one = await runOf(request => (request.n === 2 ? { status: 503 } : plainly(request)), {
      todo: [0, 190],
      options: { concurrency: 1 },
    })
    const meta = metaIn(await all(one))
    expect(meta.map(({ attempts, rows, status }) => [attempts, rows, status])).toEqual([
      [1, 10, 200],
      [2, 10, 200],
    ])
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
    const rows = [
      { at: 0, value: 1, revised: 1 },
      { at: 0, value: 2, revised: 2 },
      { at: 10, value: 3 },
    ]
    const one = await runOf(() => ({ body: { rows, warnings: ['old data'] } }), { todo: [0, 90] })
    const batches = await all(one)
    expect(rowsIn(batches).map(({ value }) => value)).toEqual([2, 1, 3])
    const warnings = ['old data', '1 samples came with different values; all are kept, last revised first']
    expect(metaIn(batches)[0]?.source).toEqual({ warnings })
    expect(one.only('warning').map(({ message }) => message)).toEqual(warnings)
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
    for (const [concurrency, window] of [
      [1, Number.POSITIVE_INFINITY],
      [8, Number.POSITIVE_INFINITY],
      [4, 8],
    ] as const) {
      const one = await runOf(plainly, { options: { concurrency }, run: { maxRows, chunkMs, window } })
      const batches = await all(one)
      expect(rowsIn(batches)).toEqual(rowsOf(0, 390).slice(0, maxRows))
      expect(batches.every(({ rows }) => rows.length > 0)).toBe(true)
      expect(metaIn(batches).reduce((sum, { rows }) => sum + rows, 0)).toBe(Math.min(40, maxRows))
      expect(one.running.failures).toEqual([])
    }
  })

  it('R49: a chunk that brings exactly what is wanted is the last', async () => {
    const one = await runOf(plainly, { options: { concurrency: 1 }, run: { maxRows: 10 } })
    expect(rowsIn(await all(one))).toEqual(rowsOf(0, 90))
    expect(one.server.requests).toHaveLength(1)
  })

  it('R49: asks for no more than it needs', async () => {
    const one = await runOf(plainly, { todo: [0, 9990], options: { concurrency: 1 }, run: { maxRows: 15 } })
    await all(one)
    expect(one.server.requests).toHaveLength(2)
  })

  it('R49: pages behind the cap are not read', async () => {
    const answer: Answering = request => ({
      body: {
        rows: rowsOf((request.page - 1) * 30, request.page * 30 - 10),
        next: `?start=0&end=9990&page=${request.page + 1}`,
      },
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
