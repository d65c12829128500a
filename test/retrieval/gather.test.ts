import { describe, expect, it } from 'vitest'
import { RequestError, RetrievalInterrupted } from '../../src/errors.ts'
import { collect, stream, type Retrieval } from '../../src/retrieval/index.ts'
import type { CallOptions, Piece } from '../../src/transport/index.ts'
import {
  batchOf,
  failure,
  piece,
  type Row,
  type Script,
  scripted,
  span,
  STEP,
  whole,
} from '../support/scripted-transport.ts'

async function broken(promise: Promise<unknown>): Promise<RetrievalInterrupted<Retrieval<Row>>> {
  const thrown: unknown = await promise.catch((error: unknown) => error)
  if (thrown instanceof RetrievalInterrupted) return thrown as RetrievalInterrupted<Retrieval<Row>>
  throw new Error('it was not interrupted', { cause: thrown })
}

const ats = (result: Pick<Retrieval<Row>, 'rows'>): number[] => result.rows.map(({ at }) => at)
const steps = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) / STEP + 1 }, (_, step) => from + step * STEP)

describe('collect', () => {
  it('R54, R55: puts rows and metadata together in the order of the batches', async () => {
    const { gathering } = scripted({ batches: [batchOf(0, 30), batchOf(40, 70), batchOf(80, 110)] })
    const result = await collect(gathering())
    expect(ats(result)).toEqual(steps(0, 110))
    expect(result.meta.map(({ rows }) => rows)).toEqual([4, 4, 4])
    expect(result).toMatchObject({
      service: 'toy',
      operation: 'getToy',
      completeness: { expected: 12, received: 12, missing: [] },
    })
  })

  it('R57: says each warning once', async () => {
    const { gathering } = scripted({
      batches: [batchOf(0, 30, { warnings: ['a', 'b'] }), batchOf(40, 70, { warnings: ['b', 'c'] })],
    })
    expect((await collect(gathering())).warnings).toEqual(['a', 'b', 'c'])
  })

  it('F29: gives all rows the same columns, whatever came in which batch', async () => {
    const { gathering } = scripted({
      batches: [
        batchOf(0, 10, { extra: { a: 1 } }),
        batchOf(20, 20),
        batchOf(30, 30, { extra: { b: undefined, c: 0 } }),
      ],
    })
    const { rows, columns } = await collect(gathering())
    expect(columns.map(({ name }) => name)).toEqual(['at', 'a', 'b', 'c'])
    expect(rows).toEqual([
      { at: 0, a: 1, b: null, c: null },
      { at: 10, a: 1, b: null, c: null },
      { at: 20, a: null, b: null, c: null },
      { at: 30, a: null, b: undefined, c: 0 },
    ])
  })

  it('R53: takes hundreds of thousands of rows from one answer', async () => {
    const { gathering } = scripted({ batches: [batchOf(0, 3_999_990), batchOf(4_000_000, 4_000_000)] })
    expect((await collect(gathering())).rows).toHaveLength(400_001)
  })

  it.each([
    [5, [4, 1]],
    [4, [4, 0]],
    [1, [1, 0]],
  ])(
    'R49: with maxRows %d the metadata says how many rows of each answer were kept, and no hole is claimed',
    async (maxRows, kept) => {
      const { gathering } = scripted({ batches: [batchOf(0, 30), batchOf(40, 70)] })
      const result = await collect(gathering({ maxRows }))
      expect(ats(result)).toEqual(steps(0, (maxRows - 1) * STEP))
      expect(result.meta.map(({ rows }) => rows)).toEqual(kept)
      expect(result.completeness).toBeUndefined()
    },
  )

  it('R57: with a maxRows that was not reached the completeness is told', async () => {
    const { gathering } = scripted({ batches: [batchOf(0, 30)] })
    expect((await collect(gathering({ maxRows: 5 }))).completeness).toMatchObject({ expected: 12, received: 4 })
  })

  it('R61: with onFailure collect a failed part is a warning and a hole, never a quiet end', async () => {
    const { gathering } = scripted({
      batches: [batchOf(0, 30), batchOf(80, 110)],
      failures: [failure('refused for good')],
      left: [piece(40, 70)],
    })
    const result = await collect(gathering({ onFailure: 'collect' }))
    expect(ats(result)).toEqual([...steps(0, 30), ...steps(80, 110)])
    expect(result.warnings).toEqual(['a part is missing: refused for good'])
    expect(result.completeness?.missing).toEqual([span(40, 70)])
  })

  it('a query of one part throws what went wrong with it', async () => {
    const { gathering } = scripted({ failures: [failure()] })
    const single = { ...gathering(), question: { ...gathering().question, todo: [{ depth: 0 }] } }
    await expect(collect(single)).rejects.toBeInstanceOf(RequestError)
  })
})

describe('R60: an interrupted collection', () => {
  const script: Script = {
    batches: [batchOf(0, 30)],
    failures: [failure()],
    undelivered: [batchOf(80, 110)],
    left: [piece(40, 50, { depth: 1 }), piece(60, 70, { depth: 1 })],
    pin: '2024',
  }

  it('says what came and what is missing, neighbours joined', async () => {
    const error = await broken(collect(scripted(script).gathering()))
    expect(error).toMatchObject({ kind: 'http_4xx', status: 400 })
    expect(error.done).toEqual([span(0, 30), span(80, 110)])
    expect(error.left).toEqual([span(40, 70)])
    expect(error.message).toContain('received 2 spans, missing 1 span')
  })

  it('shows what came, in order, with the hole', async () => {
    const partial = (await broken(collect(scripted(script).gathering()))).partial()
    expect(ats(partial)).toEqual([...steps(0, 30), ...steps(80, 110)])
    expect(partial.completeness).toEqual({ expected: 12, received: 8, missing: [span(40, 70)] })
  })

  it('asks for what is missing only, cut anew, the pin kept, and puts it in its place', async () => {
    const { gathering, runs } = scripted(script, { batches: [batchOf(40, 70)], pin: '2024' })
    const result = await (await broken(collect(gathering()))).resume()
    expect(runs[1]?.question).toMatchObject({ todo: [piece(40, 70)], pin: '2024' })
    expect(ats(result)).toEqual(steps(0, 110))
    expect(result.completeness).toEqual({ expected: 12, received: 12, missing: [] })
  })

  it('leaves the bounds of the first call behind and takes new ones; the rest stays', async () => {
    const signal = new AbortController().signal
    const first: CallOptions = { signal, deadlineMs: 5, expiresAt: 0, maxRequests: 1, retries: 7, priority: 'bulk' }
    const { gathering, runs } = scripted(script, {})
    await (await broken(collect(gathering(first)))).resume({ deadlineMs: 50, maxRequests: 3 })
    expect(runs[1]?.call).toEqual({ deadlineMs: 50, maxRequests: 3, retries: 7, priority: 'bulk' })
  })

  it('can be interrupted again, and go on again', async () => {
    const second: Script = { batches: [batchOf(40, 50)], failures: [failure()], left: [piece(60, 70)], pin: '2024' }
    const { gathering, runs } = scripted(script, second, { batches: [batchOf(60, 70)], pin: '2024' })
    const again = await broken((await broken(collect(gathering()))).resume())
    expect(again.left).toEqual([span(60, 70)])
    const result = await again.resume()
    expect(ats(result)).toEqual(steps(0, 110))
    expect(runs[2]?.question.todo).toEqual([piece(60, 70)])
  })

  it('R58: asks for all again when the continuation meets a newer version', async () => {
    const { gathering, runs } = scripted(
      script,
      { batches: [batchOf(40, 70)], pin: '2025' },
      { batches: [batchOf(0, 110)], pin: '2025' },
    )
    const result = await (await broken(collect(gathering()))).resume()
    expect(runs[2]?.question).toMatchObject({ todo: whole, pin: '2025' })
    expect(ats(result)).toEqual(steps(0, 110))
    expect(result.meta).toHaveLength(1)
  })

  it('keeps a checkpoint that is plain JSON: the query, what is missing, the pin', async () => {
    const checkpoint = (await broken(collect(scripted(script).gathering()))).checkpoint()
    expect(JSON.parse(JSON.stringify(checkpoint))).toEqual({
      version: 1,
      service: 'toy',
      operation: 'getToy',
      query: { region: 'X' },
      left: [{ start: '1970-01-01T00:00:00.040Z', end: '1970-01-01T00:00:00.070Z' }],
      pin: '2024',
    })
  })

  it.each<[string, Piece[], Piece[]]>([
    ['neighbours are joined', [piece(0, 30), piece(40, 70)], [piece(0, 70)]],
    ['parts with a gap between them are not', [piece(0, 30), piece(50, 70)], [piece(0, 30), piece(50, 70)]],
    [
      'a walk that has begun stays as it is, at its cursor',
      [piece(0, 30, { cursor: 'https://toy.test/?page=2' }), piece(40, 70)],
      [piece(0, 30, { cursor: 'https://toy.test/?page=2' }), piece(40, 70)],
    ],
    [
      'parts for other identifiers stay apart',
      [piece(0, 30, { ids: ['a'] }), piece(40, 70, { ids: ['b'] })],
      [piece(0, 30, { ids: ['a'] }), piece(40, 70, { ids: ['b'] })],
    ],
  ])('%s when it goes on', async (_what, left, todo) => {
    const { gathering, runs } = scripted({ failures: [failure()], batches: [batchOf(80, 110)], left }, {})
    await (await broken(collect(gathering()))).resume()
    expect(runs[1]?.question.todo).toEqual(todo)
  })
})

describe('stream', () => {
  it('F29: says with each batch which columns are known by then', async () => {
    const { gathering } = scripted({ batches: [batchOf(0, 10), batchOf(20, 30, { extra: { a: 1 } })] })
    const names: string[][] = []
    for await (const batch of stream(gathering())) names.push(batch.columns().map(({ name }) => name))
    expect(names).toEqual([['at'], ['at', 'a']])
  })

  it('hands on one batch at a time, each with the way on from it', async () => {
    const { gathering, runs } = scripted({
      batches: [batchOf(0, 30, { left: [piece(40, 70)] }), batchOf(40, 70)],
      left: [piece(80, 110)],
      pin: '2024',
    })
    const seen = []
    for await (const { rows, meta, checkpoint } of stream(gathering()))
      seen.push([rows.length, meta.length, checkpoint().left])
    const from = (start: string): object => ({
      start: `1970-01-01T00:00:00.${start}Z`,
      end: '1970-01-01T00:00:00.110Z',
    })
    expect(seen).toEqual([
      [4, 1, [from('040')]],
      [4, 1, [from('080')]],
    ])
    expect(runs[0]?.question.streaming).toBe(true)
  })

  it.each([
    [undefined, 'bulk'],
    ['interactive', 'interactive'],
  ] as const)('R37: goes as %s work: %s', async (given, priority) => {
    const { gathering, runs } = scripted({})
    for await (const batch of stream(gathering(given ? { priority: given } : {}))) expect(batch).toBeUndefined()
    expect(runs[0]?.call.priority).toBe(priority)
  })

  it('R60: throws behind what it handed on; the checkpoint counts what nobody saw as missing', async () => {
    const script: Script = {
      batches: [batchOf(0, 30)],
      failures: [failure()],
      undelivered: [batchOf(80, 110)],
      left: [piece(40, 70), piece(80, 110)],
    }
    const { gathering, runs } = scripted(script, { batches: [batchOf(40, 70)] })
    const rows: Row[] = []
    const consume = async (): Promise<void> => {
      for await (const batch of stream(gathering())) rows.push(...batch.rows)
    }
    const error = await broken(consume())
    expect(rows).toHaveLength(4)
    expect(error.checkpoint().left).toEqual([{ start: '1970-01-01T00:00:00.040Z', end: '1970-01-01T00:00:00.110Z' }])
    await error.resume()
    expect(runs).toHaveLength(2)
  })
})
