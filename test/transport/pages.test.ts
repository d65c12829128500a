import { describe, expect, it } from 'vitest'
import { walkPages, type Page, type WalkEnd } from '../../src/transport/pages.ts'
import type { Piece } from '../../src/transport/piece.ts'
import type { TransportOptions } from '../../src/transport/options.ts'
import {
  endpointOf,
  rowsOf,
  serve,
  toyOperation,
  type Answering,
  type ToyBody,
  type ToyRequest,
  type ToyRow,
} from '../support/toy-service.ts'
import { callOf } from '../support/transport.ts'

const PIECE: Piece = { span: { start: 0, end: 90 }, depth: 0 }
const ASK = { pin: undefined, chunk: 0, splittable: true, divisible: true }

const page = (number: number, next?: string): { body: ToyBody } => ({
  body: { rows: rowsOf(number * 10, number * 10), ...(next === undefined ? {} : { next }) },
})

/** So many pages, each leading on to the next with a relative link. */
const pages =
  (count: number): Answering =>
  request =>
    page(request.page, request.page < count ? `?start=0&end=90&page=${request.page + 1}` : undefined)

interface Walk {
  readonly end: WalkEnd
  readonly read: Page<ToyRow>[]
  readonly asked: string[]
  readonly events: string[]
}

async function walk(
  answer: Answering,
  more: {
    piece?: Piece
    ask?: Partial<typeof ASK> & { pin?: string }
    options?: TransportOptions
    goOn?: (page: Page<ToyRow>) => boolean
    /** Where a cursor leads. */
    place?: (url: string) => string
  } = {},
): Promise<Walk> {
  const server = await serve(answer)
  const { call, events } = callOf({ options: more.options ?? {} })
  const read: Page<ToyRow>[] = []
  const piece = more.piece ?? PIECE
  const place = more.place ?? (url => url)
  const placed = piece.cursor === undefined ? piece : { ...piece, cursor: `${place(server.url)}${piece.cursor}` }
  const end = await walkPages(
    endpointOf(server.url),
    toyOperation(server.url),
    placed,
    { ...ASK, ...more.ask },
    call,
    async one => {
      read.push(one)
      return more.goOn?.(one) ?? true
    },
  )
  call.close()
  return {
    end,
    read,
    asked: server.requests.map(({ path, search }) => `${path}${search}`),
    events: events.map(({ type }) => type),
  }
}

/** The same server under another name. */
const otherName = (url: string): string => url.replace('127.0.0.1', 'localhost')

function errorOf({ end }: Walk) {
  if (end.ok) throw new Error('it was expected to fail')
  return end.error
}

describe('walkPages', () => {
  it('reads one page where there is one', async () => {
    const { end, read, events } = await walk(pages(1))
    expect(end).toEqual({ ok: true })
    expect(read.map(({ number, next }) => [number, next])).toEqual([[1, undefined]])
    expect(read[0]?.content.rows).toEqual(rowsOf(10, 10))
    expect(events).not.toContain('page')
  })

  it('F28: reads all pages of a walk, in order, and says so', async () => {
    const { end, read, events } = await walk(pages(3))
    expect(end.ok).toBe(true)
    expect(read.map(({ number, facts }) => [number, facts.page])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
    expect(events.filter(type => type === 'page')).toHaveLength(3)
  })

  it('R46: follows a link as given: relative to its page, encoded as it is, to whatever path', async () => {
    const { asked } = await walk(({ n }) =>
      page(n, ['/v2/other?a=b%2Fc&d=e+f&g=%20h', 'more?x=1,2;3&t=2024-01-01T00:00:00+01:00', undefined][n - 1]),
    )
    expect(asked.slice(1)).toEqual(['/v2/other?a=b%2Fc&d=e+f&g=%20h', '/v2/more?x=1,2;3&t=2024-01-01T00:00:00+01:00'])
  })

  it('R46 F27: drops the user part of a link', async () => {
    const headers: unknown[] = []
    const { end } = await walk(request => {
      headers.push(request.headers.authorization)
      return page(request.n, request.n === 1 ? `http://user:pass@${request.headers.host}/b` : undefined)
    })
    expect([end.ok, headers]).toEqual([true, [undefined, undefined]])
  })

  it('R46 F27: does not follow a link to another host, and sends nothing there', async () => {
    const elsewhere = await serve(() => page(2))
    const walked = await walk(request => page(request.page, `${elsewhere.url}/b?token=secret-1`))
    expect(errorOf(walked)).toMatchObject({ kind: 'pagination', pagesRead: 0, attempts: 1 })
    expect(errorOf(walked).message).toContain(
      `the next link leads to another host (${elsewhere.host}); it is not followed and nothing was sent there`,
    )
    expect(elsewhere.requests).toHaveLength(0)
    // The walk would be taken up at this page, so it counts as not read.
    expect(walked.read).toHaveLength(0)
  })

  it.each([
    ['ftp://127.0.0.1/b', 'down to ftp://'],
    ['http://[', 'a link leads to no address'],
  ])('R46: does not follow %s', async (link, words) => {
    const walked = await walk(request => page(request.page, link))
    expect(errorOf(walked).kind).toBe('pagination')
    expect(errorOf(walked).message).toContain(words)
  })

  it.each<[string, (url: string) => string, string]>([
    ['another host', otherName, 'leads to another host'],
    ['no address', () => 'http://[', 'leads to no address'],
    ['another protocol', () => 'file:///etc', 'down to file:'],
  ])('R46 R60: a cursor out of a file that leads to %s is not followed', async (_name, place, words) => {
    const walked = await walk(pages(3), { piece: { ...PIECE, cursor: '/series?page=2', page: 2 }, place })
    expect(errorOf(walked)).toMatchObject({ kind: 'pagination', attempts: 0, pagesRead: 1 })
    expect(errorOf(walked).message).toContain(words)
    expect(walked.end).toMatchObject({ split: false })
    expect(walked.asked).toEqual([])
  })

  it.each([504, 413])('R28 R48: a page behind the first is never answered with less: %d fails it', async status => {
    const walked = await walk(request => (request.page === 2 ? { status } : pages(3)(request)))
    expect(walked.end).toMatchObject({ ok: false, split: false, error: { status, pagesRead: 1 } })
    const first = await walk(() => ({ status }))
    expect(first.end).toMatchObject({ ok: false, split: true })
  })

  it('R47: an error of a walk says how often its span had been halved', async () => {
    const walked = await walk(request => page(request.page, request.search), { piece: { ...PIECE, depth: 2 } })
    expect(errorOf(walked).message).toContain('after halving the span 2 times')
  })

  it('R47 F26: a page that leads back to itself ends the walk, at once', async () => {
    const walked = await walk(request => page(request.page, request.search))
    expect(errorOf(walked)).toMatchObject({ kind: 'pagination', pagesRead: 0 })
    expect(errorOf(walked).message).toContain('page 1 leads back to a page that was read before')
    expect(walked.asked).toHaveLength(1)
  })

  it('R47 F26: a circle of pages ends the walk before any page is read twice', async () => {
    const walked = await walk(request =>
      page(request.page, `?start=0&end=90&page=${request.page === 3 ? 2 : request.page + 1}`),
    )
    expect(errorOf(walked)).toMatchObject({ kind: 'pagination', pagesRead: 2 })
    expect(errorOf(walked).message).toContain('page 3 leads back to a page that was read before')
    expect([walked.asked.length, walked.read.length]).toEqual([3, 2])
  })

  it('R47 R60: a walk taken up at its cursor does not follow a link back to where it once began', async () => {
    const answer: Answering = request => page(request.page, request.page === 3 ? '?start=0&end=90' : undefined)
    const { end, read, asked } = await walk(answer, {
      piece: { ...PIECE, cursor: '/series?start=0&end=90&page=3', page: 3 },
    })
    expect(end).toMatchObject({ ok: false, error: { kind: 'pagination' } })
    expect(read).toEqual([])
    expect(asked).toHaveLength(1)
  })

  it('R47: more pages than maxPages is an error, never a quiet end', async () => {
    const walked = await walk(pages(99), { options: { maxPages: 4 } })
    expect(errorOf(walked)).toMatchObject({ kind: 'pagination', pagesRead: 3 })
    expect(errorOf(walked).message).toContain('more than 4 pages (maxPages)')
    expect([walked.asked.length, walked.read.length]).toEqual([4, 3])
    expect((await walk(pages(4), { options: { maxPages: 4 } })).end.ok).toBe(true)
  })

  it('R47: an empty page with a link goes on', async () => {
    const { end, read } = await walk(({ n }) => ({
      body: { rows: n === 2 ? rowsOf(0, 0) : [], ...(n === 1 ? { next: '?page=2' } : {}) },
    }))
    expect(end.ok).toBe(true)
    expect(read.map(({ content }) => content.rows.length)).toEqual([0, 1])
  })

  it('R48 F25: a page that fails is repeated at its own address, the pages before are not', async () => {
    const { end, asked, read } = await walk(request =>
      request.page === 3 && request.n < 5 ? { status: 503 } : pages(4)(request),
    )
    expect(end.ok).toBe(true)
    expect(asked.map(search => Number(new URLSearchParams(search.split('?')[1]).get('page') ?? 1))).toEqual([
      1, 2, 3, 3, 3, 4,
    ])
    expect(read.map(({ facts }) => facts.attempts)).toEqual([1, 1, 3, 1])
  })

  it('R48 F25: a page that fails for good ends the walk, and says how many were read', async () => {
    const walked = await walk(request => (request.page === 5 ? { status: 500 } : pages(7)(request)))
    expect(errorOf(walked)).toMatchObject({ kind: 'http_5xx', pagesRead: 4 })
    expect(walked.read).toHaveLength(4)
  })

  it('ends when the one who listens has enough', async () => {
    const { end, asked } = await walk(pages(9), { goOn: ({ number }) => number < 3 })
    expect([end, asked.length]).toEqual([{ ok: true }, 3])
  })

  it('R60: goes on at its cursor, and counts on from there', async () => {
    const { read, asked } = await walk(pages(5), {
      piece: { ...PIECE, cursor: '/series?start=0&end=90&page=4', page: 4 },
    })
    expect(asked).toEqual(['/series?start=0&end=90&page=4', '/series?start=0&end=90&page=5'])
    expect(read.map(({ number }) => number)).toEqual([4, 5])
  })

  it.each<[string, Piece, boolean]>([
    ['the first page', PIECE, true],
    ['a later page', { ...PIECE, cursor: '/series?page=2', page: 2 }, false],
    ['a walk taken up from a checkpoint, which knows no numbers', { ...PIECE, cursor: '/series?page=2' }, false],
  ])('R28: %s too slow asks for smaller parts: %s', async (_name, piece, split) => {
    const walked = await walk(() => ({ status: 504 }), { piece })
    expect(walked.end).toMatchObject({ ok: false, split })
    const tooMuch = await walk(() => ({ status: 414 }), { piece })
    expect(tooMuch.end).toMatchObject({ ok: false, split })
  })

  it('R28: what cannot be divided does not ask for it', async () => {
    const walked = await walk(() => ({ status: 504 }), { ask: { splittable: false } })
    expect(walked.end).toMatchObject({ ok: false, split: false })
    expect((await walk(() => ({ status: 413 }), { ask: { divisible: false } })).end).toMatchObject({
      ok: false,
      split: false,
    })
  })

  it('R58: names the pin that it was given', async () => {
    const asked: (string | undefined)[] = []
    const answer = (request: ToyRequest) => {
      asked.push(request.pin)
      return page(1)
    }
    await walk(answer, { ask: { pin: '2026-03-01' } as never })
    expect(asked).toEqual(['2026-03-01'])
  })

  it('R52: oddities of a body ride along with its warnings', async () => {
    const { read } = await walk(() => ({ body: '{"rows": [{"at": 0, "value": NaN}], "warnings": ["old data"]}' }))
    expect(read[0]?.content.warnings).toEqual([
      'old data',
      '1 value NaN or Infinity, which JSON does not have, read as null',
    ])
  })

  it('R55: states the chunk and the depth of the piece with every page', async () => {
    const { read } = await walk(pages(2), { piece: { ...PIECE, depth: 2 }, ask: { chunk: 7 } })
    expect(read.map(({ facts }) => [facts.chunk, facts.depth, facts.span?.end.getTime()])).toEqual([
      [7, 2, 90],
      [7, 2, 90],
    ])
  })
})
