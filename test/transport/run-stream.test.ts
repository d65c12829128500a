import { describe, expect, it } from 'vitest'
import type { Keeper } from '../../src/transport/cache-keeper.ts'
import { mergeSpans } from '../../src/span.ts'
import { spansOf } from '../../src/transport/piece.ts'
import { eventually } from '../support/eventually.ts'
import { all, barrier, metaIn, rowsIn, runOf, spansIn, type ToyRun } from '../support/running.ts'
import { STEP, plainly, rowsOf, toyOperation, type Answering, type ToyRow } from '../support/toy-service.ts'
import { listenersOn } from '../support/transport.ts'

const quiet = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 30))

/** How many requests there were when all that had been begun were answered. */
async function settled({ only }: ToyRun): Promise<number> {
  await quiet()
  await eventually(() => only('attempt').length - only('response').length).toBe(0)
  return only('attempt').length
}

describe('back-pressure', () => {
  it('R54: a run is never further ahead of its consumer than the window', async () => {
    const first = barrier()
    const answer: Answering = async request => {
      if (request.start === 0) await first.passed
      return plainly(request)
    }
    const one = await runOf(answer, { todo: [0, 1990], options: { concurrency: 10 }, run: { window: 4 } })
    const rows = all(one).then(rowsIn)
    await eventually(() => one.only('response').length).toBe(3)
    await quiet()
    expect(one.server.requests).toHaveLength(4)
    first.open()
    expect(await rows).toEqual(rowsOf(0, 1990))
  })

  it('R54: a consumer that does not pull stops new requests', async () => {
    const one = await runOf(plainly, { todo: [0, 9990], options: { concurrency: 2 }, run: { window: 4 } })
    const batches = one.running.batches()
    await batches.next()
    const asked = await settled(one)
    expect(asked).toBeLessThanOrEqual(5)
    await quiet()
    expect(one.server.requests).toHaveLength(asked)
    await batches.next()
    await batches.next()
    expect(await settled(one)).toBeGreaterThan(asked)
    expect(await settled(one)).toBeLessThanOrEqual(asked + 3)
    await batches.return()
  })

  it('R54: a consumer that finds everything there gets less far ahead, down to the one chunk that comes next', async () => {
    const one = await runOf(plainly, { todo: [0, 9990], options: { concurrency: 6 }, run: { window: 6 } })
    const ahead: number[] = []
    let taken = 0
    for await (const batch of one.running.batches()) {
      taken += 1
      expect(batch.meta.chunk).toBe(taken - 1)
      ahead.push((await settled(one)) - taken)
      if (taken === 8) break
    }
    expect(ahead).toEqual([5, 4, 3, 2, 1, 1, 1, 1])
  })

  it('R54: and is let further ahead again as soon as it has to wait', async () => {
    const slow = barrier()
    const answer: Answering = async request => {
      if (request.start === 800) await slow.passed
      return plainly(request)
    }
    const one = await runOf(answer, { todo: [0, 9990], options: { concurrency: 6 }, run: { window: 6 } })
    const batches = one.running.batches()
    for (let taken = 0; taken < 7; taken++) {
      await batches.next()
      await settled(one)
    }
    await batches.next()
    const waiting = batches.next()
    await eventually(() => one.only('attempt').length).toBeGreaterThanOrEqual(12)
    slow.open()
    expect((await waiting).value).toMatchObject({ rows: rowsOf(800, 890) })
    await batches.return()
  })

  it('R54: nothing is sent before somebody pulls', async () => {
    const one = await runOf(plainly, { run: { window: 4 } })
    await quiet()
    expect(one.server.requests).toHaveLength(0)
  })

  it('R54: nor are pages of one walk read far ahead of the consumer', async () => {
    const answer: Answering = ({ page }) => ({
      body: { rows: rowsOf(page * 10, page * 10), next: `?start=0&end=9990&page=${page + 1}` },
    })
    const one = await runOf(answer, { todo: [0, 9990], run: { window: 4, chunkMs: 10_000 } })
    const batches = one.running.batches()
    await batches.next()
    const asked = await settled(one)
    expect(asked).toBeLessThanOrEqual(4)
    await quiet()
    expect(one.server.requests).toHaveLength(asked)
    await batches.next()
    await batches.next()
    await eventually(() => one.server.requests.length).toBeGreaterThan(asked)
    await batches.return()
  })

  it('R54: batches are handed on while the rest is still under way', async () => {
    const last = barrier()
    const one = await runOf(
      async request => {
        if (request.start === 300) await last.passed
        return plainly(request)
      },
      { run: { window: 8 } },
    )
    const batches = one.running.batches()
    const first = await batches.next()
    expect(first.value).toMatchObject({ rows: rowsOf(0, 90) })
    last.open()
    await batches.return()
  })

  it('R54: where nothing is streamed, nothing is handed on before all has come', async () => {
    const last = barrier()
    let handedOn = 0
    const one = await runOf(async request => {
      if (request.start === 300) await last.passed
      return plainly(request)
    })
    const end = (async () => {
      for await (const batch of one.running.batches()) handedOn += batch.rows.length
    })()
    await eventually(() => one.only('response').length).toBe(3)
    await quiet()
    expect(handedOn).toBe(0)
    last.open()
    await end
    expect(handedOn).toBe(40)
  })
})

describe('a consumer that leaves', () => {
  it('R59 R62: ends what is under way, and nothing is left pending', async () => {
    const one = await runOf(request => (request.start === 0 ? plainly(request) : new Promise(() => {})), {
      options: { concurrency: 3 },
      run: { window: 6 },
    })
    for await (const batch of one.running.batches()) {
      expect(batch.rows).toEqual(rowsOf(0, 90))
      await eventually(() => one.server.requests.length).toBeGreaterThanOrEqual(3)
      break
    }
    // At once: whoever leaves the loop may end the program.
    expect([listenersOn(one.call.signal), one.call.signal.aborted]).toEqual([0, true])
    await eventually(() => one.server.open).toBe(0)
    expect(one.running.failures).toEqual([])
  })

  it('R59: what is being written to the disk is written before the end, and only then is the cache left', async () => {
    const order: string[] = []
    const written = barrier()
    const keeper: Keeper<ToyRow> = {
      cover: async todo => [...todo],
      open: async () => undefined,
      record: piece => ({
        operation: toyOperation(one.server.url),
        page: () => {},
        async finish() {
          if (piece.span?.start === 100) await written.passed
          order.push(`kept ${piece.span?.start}`)
        },
      }),
      close: async () => void order.push('closed'),
    }
    const one = await runOf(plainly, { options: { concurrency: 2 }, run: { window: 4, keeper } })
    const batches = one.running.batches()
    await batches.next()
    await eventually(() => one.only('response').length).toBeGreaterThanOrEqual(2)
    const end = batches.return()
    await quiet()
    expect(order).not.toContain('closed')
    written.open()
    await end
    expect(order.at(-1)).toBe('closed')
    expect(order).toContain('kept 100')
  })

  it('R59: an error of the consumer comes through, and nothing is left pending', async () => {
    const one = await runOf(plainly, { todo: [0, 990], run: { window: 4 } })
    const mistake = new Error('cannot store')
    const consume = async (): Promise<void> => {
      for await (const batch of one.running.batches()) if (batch.meta.chunk === 1) throw mistake
    }
    await expect(consume()).rejects.toBe(mistake)
    await eventually(() => one.server.open).toBe(0)
  })
})

describe('where to go on', () => {
  it('R60: behind every batch of a stream, exactly what has not been handed on', async () => {
    const one = await runOf(
      request => (request.start === 100 && request.end === 190 ? { status: 504 } : plainly(request)),
      {
        options: { concurrency: 1, learnSpans: false },
        run: { window: 8 },
      },
    )
    const behind: unknown[] = []
    // How it is cut may still change: what counts is the stretch.
    for await (const batch of one.running.batches())
      behind.push(mergeSpans(spansOf(one.running.leftAfter(batch)), STEP))
    expect(behind).toEqual([[100], [150], [200], [300], []].map(starts => starts.map(start => ({ start, end: 390 }))))
  })

  it('R60: in the middle of a walk, at its next page', async () => {
    const answer: Answering = ({ page }) => ({
      body: { rows: rowsOf(page * 10, page * 10), ...(page < 3 ? { next: `?start=0&end=90&page=${page + 1}` } : {}) },
    })
    const one = await runOf(answer, { todo: [0, 90], run: { window: 8 } })
    const behind: unknown[] = []
    for await (const batch of one.running.batches())
      behind.push(one.running.leftAfter(batch).map(({ cursor, page }) => [cursor, page]))
    expect(behind).toEqual([
      [[`${one.server.url}/series?start=0&end=90&page=2`, 2]],
      [[`${one.server.url}/series?start=0&end=90&page=3`, 3]],
      [],
    ])
  })

  it('R60: the account of a run names what came and what did not, in the order of the plan', async () => {
    const answer: Answering = request =>
      request.start === 100 || request.start === 300 ? { status: 400 } : plainly(request)
    const one = await runOf(answer, {
      todo: [0, 490],
      options: { concurrency: 1 },
      run: { onFailure: 'collect', maxRows: 25 },
    })
    const batches = await all(one)
    const account = one.running
      .account(batches)
      .map(stretch =>
        'batch' in stretch ? `came ${stretch.batch.meta.chunk}` : `missing ${stretch.piece.span?.start}`,
      )
    expect(account).toEqual(['came 0', 'missing 100', 'came 2', 'missing 300', 'came 4'])
    const begun = await runOf(answer, { todo: [0, 490], options: { concurrency: 1 } })
    const came = await all(begun)
    expect(
      begun.running.account(came).map(stretch => ('batch' in stretch ? 'came' : spansIn([stretch.piece])[0])),
    ).toEqual(['came', [100, 190], [200, 490]])
    expect(begun.running.account([]).map(stretch => 'batch' in stretch)).toEqual([false, false])
  })

  it('R60: every batch says for which piece it was asked', async () => {
    const one = await runOf(plainly, { todo: [0, 190], options: { concurrency: 1 } })
    expect((await all(one)).map(({ piece }) => piece)).toMatchObject([
      { span: { start: 0, end: 90 }, part: 0 },
      { span: { start: 100, end: 190 }, part: 0 },
    ])
  })
})

describe('shared ends and identities', () => {
  const rules = { stepMs: 10, chunkMs: 100, mostMs: 1000, ends: 'shared' } as const

  it('R24 R56: what lies right where two pieces meet comes once, with the earlier one', async () => {
    const one = await runOf(plainly, { todo: [0, 200], operation: { rules }, options: { concurrency: 1 } })
    const batches = await all(one)
    expect(one.server.spans()).toEqual([
      [0, 100],
      [100, 200],
    ])
    expect(rowsIn(batches)).toEqual(rowsOf(0, 200))
    expect(metaIn(batches).map(({ rows, rowsMerged }) => [rows, rowsMerged])).toEqual([
      [11, 0],
      [10, 1],
    ])
  })

  it('R24 R28: also where a piece was split', async () => {
    const one = await runOf(request => (request.end - request.start > 60 ? { status: 504 } : plainly(request)), {
      todo: [0, 100],
      operation: { rules },
      options: { concurrency: 1 },
    })
    expect(rowsIn(await all(one))).toEqual(rowsOf(0, 100))
    expect(one.server.spans()).toEqual([
      [0, 100],
      [0, 50],
      [50, 100],
    ])
  })

  it('R56: rows that pages repeat are merged by their identity, and counted', async () => {
    const answer: Answering = ({ page }) => ({
      body: {
        rows: rowsOf((page - 1) * 20, page * 20),
        ...(page < 3 ? { next: `?start=0&end=90&page=${page + 1}` } : {}),
      },
    })
    const one = await runOf(answer, { todo: [0, 90], operation: { identity: ({ at }) => String(at) } })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual(rowsOf(0, 60))
    expect(metaIn(batches).map(({ rows, rowsMerged }) => [rows, rowsMerged])).toEqual([
      [3, 0],
      [2, 1],
      [2, 1],
    ])
  })

  it('R56 F41: rows without an identity are never merged for it', async () => {
    const answer: Answering = ({ page }) => ({
      body: { rows: rowsOf(0, 20), ...(page < 2 ? { next: '?start=0&end=90&page=2' } : {}) },
    })
    const one = await runOf(answer, { todo: [0, 90], operation: { identity: () => undefined } })
    expect(rowsIn(await all(one))).toHaveLength(6)
  })
})
