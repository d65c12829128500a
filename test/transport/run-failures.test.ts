import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { all, barrier, rowsIn, runOf, spansIn } from '../support/running.ts'
import { plainly, rowsOf, type Answering, type ToyRequest } from '../support/toy-service.ts'
import { listenersOn } from '../support/transport.ts'

/** Fails with this status where it asks for that instant. */
const failingAt =
  (instant: number, status: number): Answering =>
  request =>
    request.start <= instant && request.end >= instant ? { status } : plainly(request)

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
    await eventually(() => one.server.open).toBe(0)
    expect(spansIn(one.running.left())).toEqual([
      [0, 90],
      [100, 190],
      [200, 1990],
    ])
  })

  it('R47 F26: a circle of pages fails the run', async () => {
    const answer: Answering = ({ page }) => ({
      body: { rows: rowsOf(page * 10, page * 10), next: `?start=0&end=90&page=${page === 3 ? 2 : page + 1}` },
    })
    const one = await runOf(answer, { todo: [0, 90] })
    await all(one)
    expect(one.running.failures).toMatchObject([{ kind: 'pagination' }])
    expect(one.server.requests.map(({ page }) => page)).toEqual([1, 2, 3])
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
      request.page === 3
        ? { status: 400 }
        : {
            body: {
              rows: rowsOf(request.page * 10, request.page * 10),
              next: `?start=0&end=90&page=${request.page + 1}`,
            },
          }
    const one = await runOf(answer, { todo: [0, 190], options: { concurrency: 1 } })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual(rowsOf(10, 20))
    expect(one.running.left()).toMatchObject([
      { span: { start: 0, end: 90 }, depth: 0, cursor: `${one.server.url}/series?start=0&end=90&page=3`, page: 3 },
      { span: { start: 100, end: 190 }, depth: 0 },
    ])
  })

  it('R61: collect finishes the siblings, hands on what came, and lists every failure and what is missing', async () => {
    const answer: Answering = request =>
      request.start === 100 || request.start === 300 ? { status: 400 } : plainly(request)
    const one = await runOf(answer, { run: { onFailure: 'collect' } })
    expect(rowsIn(await all(one))).toEqual([...rowsOf(0, 90), ...rowsOf(200, 290)])
    expect(one.running.failures.map(({ span }) => span?.start.getTime())).toEqual([100, 300])
    expect(spansIn(one.running.left())).toEqual([
      [100, 190],
      [300, 390],
    ])
    expect(one.server.requests).toHaveLength(4)
  })

  it('R61: collect hands on in a stream, too, past what failed', async () => {
    const one = await runOf(failingAt(150, 400), {
      run: { onFailure: 'collect', window: 2 },
      options: { concurrency: 1 },
    })
    const batches = await all(one)
    expect(rowsIn(batches)).toEqual([...rowsOf(0, 90), ...rowsOf(200, 390)])
    // Somebody who kept the last batch goes on with the hole.
    expect(batches.map(batch => spansIn(one.running.leftAfter(batch)))).toEqual([
      [
        [100, 190],
        [200, 290],
        [300, 390],
      ],
      [
        [100, 190],
        [300, 390],
      ],
      [[100, 190]],
    ])
  })

  it('R61: collect keeps of a chunk what came before its failure', async () => {
    const answer: Answering = request =>
      request.end - request.start > 50 ? { status: 504 } : request.start === 50 ? { status: 400 } : plainly(request)
    const one = await runOf(answer, {
      todo: [0, 190],
      options: { concurrency: 1, learnSpans: false },
      run: { onFailure: 'collect' },
    })
    expect(rowsIn(await all(one))).toEqual([...rowsOf(0, 40), ...rowsOf(100, 190)])
    expect(spansIn(one.running.left())).toEqual([[50, 90]])
  })

  it('R22: at the deadline what is under way ends, and the failure says so', async () => {
    const one = await runOf(() => new Promise(() => {}), { call: { deadlineMs: 50 }, options: { concurrency: 2 } })
    expect(await all(one)).toEqual([])
    expect(one.running.failures[0]).toMatchObject({ kind: 'deadline' })
    expect(spansIn(one.running.left())).toEqual([
      [0, 90],
      [100, 190],
      [200, 390],
    ])
    one.call.close()
  })

  it('R23: a run sends no more requests than it may', async () => {
    const one = await runOf(plainly, { call: { maxRequests: 3 }, options: { concurrency: 1 } })
    expect(rowsIn(await all(one))).toEqual(rowsOf(0, 290))
    expect(one.running.failures).toMatchObject([{ kind: 'other' }])
    expect(one.server.requests).toHaveLength(3)
  })

  it('R23 R60: what is under way when no more may be sent is paid for: it ends, and is kept', async () => {
    const refused = barrier()
    const answer: Answering = async request => {
      await refused.passed
      return plainly(request)
    }
    const one = await runOf(answer, { call: { maxRequests: 2 }, options: { concurrency: 4 } })
    const end = all(one)
    await eventually(() => one.running.failures.length).toBe(2)
    refused.open()
    expect(rowsIn(await end)).toEqual(rowsOf(0, 190))
    expect(one.running.failures).toMatchObject([{ kind: 'other' }, { kind: 'other' }])
    expect(one.server.requests).toHaveLength(2)
    expect(spansIn(one.running.left())).toEqual([
      [200, 290],
      [300, 390],
    ])
  })

  it('R23: a walk that waits for its consumer when no more may be sent does not wait for ever', async () => {
    const read = barrier()
    const answer: Answering = async ({ start, end, page }) => {
      if (start === 0) await read.passed
      if (start === 100 && page === 2) setTimeout(read.open, 50)
      const rows = rowsOf(start + page * 10, start + page * 10)
      return { body: { rows, next: `?start=${start}&end=${end}&page=${page + 1}` } }
    }
    const one = await runOf(answer, { call: { maxRequests: 3 }, options: { concurrency: 2 }, run: { window: 2 } })
    expect(rowsIn(await all(one))).toEqual(rowsOf(10, 10))
    expect(rowsIn(one.running.undelivered())).toEqual(rowsOf(110, 120))
    expect(one.running.left()).toMatchObject([{ page: 2 }, { page: 3 }, { span: { start: 200, end: 390 } }])
  })

  it('R12: the abort of the caller ends the run with its own reason', async () => {
    const controller = new AbortController()
    const one = await runOf(() => new Promise(() => {}), { call: { signal: controller.signal } })
    const end = all(one)
    end.catch(() => {})
    await eventually(() => one.server.requests.length).toBe(4)
    controller.abort('enough')
    await expect(end).rejects.toBe('enough')
    await eventually(() => one.server.open).toBe(0)
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
    await eventually(() => one.server.open).toBe(0)
  })
})
