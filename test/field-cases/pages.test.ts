import { describe, expect, it } from 'vitest'
import type { Retrieval, RetrievalInterrupted } from '../../src/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { features, page, pageNumber, servePages } from '../support/feature-pages.ts'
import { errorOf, PATIENT } from '../support/field-case.ts'
import { createPaged, type ItemRow } from '../support/page-adapter.ts'
import { answer, drop, startScripted, type Script, type Visit } from '../support/scripted-server.ts'
import { TEST_API_KEY } from '../tooling/secrets.ts'

const idsOf = (rows: readonly ItemRow[]): (string | null)[] => rows.map(({ id }) => id)
const allIds = (pages: number): string[] =>
  Array.from({ length: pages }, (_, at) => features(at + 1, 10).map(one => (one as { id: string }).id)).flat()

describe('F25: a walk of seven pages that breaks on the fifth', () => {
  const trouble: [string, Script, object][] = [
    ['answers 500', visit => answer(visit, { status: 500 }), { kind: 'http_5xx', status: 500 }],
    ['answers 429', visit => answer(visit, { status: 429 }), { kind: 'rate_limited', status: 429 }],
    ['drops the connection', drop, { kind: 'connection', status: undefined }],
  ]

  it.each(trouble)('F25: fails and says that four pages were read, when it %s', async (_, breakOff, expected) => {
    const clock = createManualClock()
    let broken = true
    const server = await startScripted(
      visit => (broken && pageNumber(visit) === 5 ? breakOff(visit) : servePages(7)(visit)),
      clock,
    )
    const client = createPaged(server, { clock, ...PATIENT, retries: 2 })
    const error = (await drive(clock, () => errorOf(client.getItems()))) as RetrievalInterrupted<Retrieval<ItemRow>>
    expect(error).toMatchObject({
      name: 'RetrievalInterrupted',
      ...expected,
      failure: { ...expected, pagesRead: 4, attempts: 3 },
    })
    expect(error.message).toContain('4 pages were read before')
    expect(error.failure.url).toContain('page=5')
    // Page 5 is repeated, not the pages before it.
    expect(server.arrivals.map(({ query }) => query.get('page') ?? '1')).toEqual(['1', '2', '3', '4', '5', '5', '5'])
    expect(idsOf(error.partial().rows)).toEqual(allIds(4))

    broken = false
    const whole = await drive(clock, () => error.resume())
    expect(idsOf(whole.rows)).toEqual(allIds(7))
    expect(server.arrivals.slice(7).map(({ query }) => query.get('page'))).toEqual(['5', '6', '7'])
  })

  it('F25: goes on where trouble on a page passes', async () => {
    let left = 2
    const server = await startScripted(visit =>
      pageNumber(visit) === 5 && left-- > 0 ? drop(visit) : servePages(7)(visit),
    )
    const { rows, meta } = await createPaged(server, PATIENT).getItems()
    expect(idsOf(rows)).toEqual(allIds(7))
    expect(meta.map(({ page: number, attempts }) => [number, attempts])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 3],
      [6, 1],
      [7, 1],
    ])
  })
})

describe('F26: a next link that leads in a circle', () => {
  it.each([
    ['to the same address', (): string => '/items?page=2', 2],
    ['to itself', ({ arrival }: Visit): string => arrival.target, 1],
    ['there and back', (visit: Visit): string => `/items?page=${pageNumber(visit) === 2 ? 3 : 2}`, 3],
  ])('F26: stops and says so when it leads %s', async (_, next, hits) => {
    const server = await startScripted(visit =>
      answer(visit, { body: page(features(pageNumber(visit), 10), next(visit)) }),
    )
    const error = await errorOf(createPaged(server, PATIENT).getItems())
    expect(error).toMatchObject({ kind: 'pagination' })
    expect((error as Error).message).toContain('leads back to a page that was read before')
    expect(server.arrivals).toHaveLength(hits)
  })

  it('F26: more pages than allowed is an error, never a quiet end', async () => {
    const server = await startScripted(servePages(1000))
    const error = await errorOf(createPaged(server, PATIENT).getItems({}, { maxPages: 3 }))
    expect(error).toMatchObject({ kind: 'pagination' })
    expect((error as Error).message).toContain('more than 3 pages (maxPages)')
    expect(server.arrivals).toHaveLength(3)
  })
})

describe('F27: next links and secrets', () => {
  it('F27: a next link to another host is refused before anything is sent there', async () => {
    const elsewhere = await startScripted(servePages(1))
    const server = await startScripted(visit =>
      answer(visit, { body: page(features(1, 10), `http://localhost:${elsewhere.port}/items?page=2`) }),
    )
    const error = await errorOf(createPaged(server, { ...PATIENT, apiKey: TEST_API_KEY }).getItems())
    expect(error).toMatchObject({ kind: 'pagination' })
    expect((error as Error).message).toContain(`another host (localhost:${elsewhere.port})`)
    expect(elsewhere.connections).toBe(0)
    expect(server.arrivals).toHaveLength(1)
  })

  it('F27: another port of the same machine is another host', async () => {
    const elsewhere = await startScripted(servePages(1))
    const server = await startScripted(visit =>
      answer(visit, { body: page(features(1, 10), `${elsewhere.url}/items?page=2`) }),
    )
    expect(await errorOf(createPaged(server, { ...PATIENT, apiKey: TEST_API_KEY }).getItems())).toMatchObject({
      kind: 'pagination',
    })
    expect(elsewhere.connections).toBe(0)
  })

  it('F27: a user part in a next link is dropped, and no Basic header made of it', async () => {
    const server = await startScripted(visit => {
      const next = pageNumber(visit) === 1 ? `http://user:pass@127.0.0.1:${server.port}/items?page=2` : undefined
      answer(visit, { body: page(features(pageNumber(visit), 10), next) })
    })
    const { rows } = await createPaged(server, { ...PATIENT, apiKey: TEST_API_KEY }).getItems()
    expect(rows).toHaveLength(20)
    expect(server.arrivals.map(({ target }) => target)).toEqual([
      '/ogcapi/v0/collections/daily/items?f=json',
      '/items?page=2',
    ])
    for (const { headers } of server.arrivals) {
      expect(headers).not.toHaveProperty('authorization')
      expect(headers['x-api-key']).toBe(TEST_API_KEY)
    }
  })

  it('F27: the query of a next link is sent as it stands, from the page it stands on', async () => {
    const link = '?cursor=a%2Bb+c%20d%7E,e;f&limit=10'
    const server = await startScripted(visit =>
      answer(visit, { body: page(features(visit.arrival.n, 10), visit.arrival.n === 1 ? link : undefined) }),
    )
    await createPaged(server, PATIENT).getItems()
    expect(server.arrivals[1]?.target).toBe(`/ogcapi/v0/collections/daily/items${link}`)
  })
})

describe('F28: how many rows, and how many to a page', () => {
  it('F28: ten rows at most, ten to a page, is one hit', async () => {
    const server = await startScripted(servePages(1_000_000))
    const { rows, meta } = await createPaged(server, PATIENT).getItems({ pageSize: 10 }, { maxRows: 10 })
    expect(idsOf(rows)).toEqual(allIds(1))
    expect(meta).toMatchObject([{ rows: 10 }])
    expect(server.arrivals.map(({ query }) => query.get('limit'))).toEqual(['10'])
  })

  it('F28: a cap in the middle of a page cuts there', async () => {
    const server = await startScripted(servePages(1_000_000))
    const { rows, meta } = await createPaged(server, PATIENT).getItems({ pageSize: 10 }, { maxRows: 25 })
    expect(idsOf(rows)).toEqual(allIds(3).slice(0, 25))
    expect(meta.map(one => one.rows)).toEqual([10, 10, 5])
    expect(server.arrivals).toHaveLength(3)
  })

  it('F28: ten to a page and no cap is every page', async () => {
    const server = await startScripted(servePages(3))
    const { rows } = await createPaged(server, PATIENT).getItems({ pageSize: 10 })
    expect(idsOf(rows)).toEqual(allIds(3))
    expect(server.arrivals).toHaveLength(3)
  })

  it.each([0, -1, 2.5, Number.NaN])('F28: a cap of %d rows is refused before any request', async maxRows => {
    const server = await startScripted(servePages(3))
    expect(await errorOf(createPaged(server, PATIENT).getItems({}, { maxRows }))).toMatchObject({
      name: 'QueryError',
      argument: 'maxRows',
    })
    expect(server.arrivals).toEqual([])
  })
})

describe('F29: pages whose rows differ', () => {
  it('F29: every row has every column, and nothing of the second page is lost', async () => {
    const first = {
      id: 'a',
      geometry: { type: 'Point', coordinates: [1, 2] },
      properties: { value: '1', qualifier: 'ICE' },
    }
    const second = { id: 'b', properties: { value: '2', qualifier: null, approval: 'A' } }
    const server = await startScripted(visit =>
      answer(visit, { body: pageNumber(visit) === 1 ? page([first], '?page=2') : page([second]) }),
    )
    const result = await createPaged(server, PATIENT).getItems()
    expect(result.columns.map(({ name }) => name)).toEqual(['id', 'geometry', 'value', 'qualifier', 'approval'])
    expect(
      result
        .toJsonl()
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as unknown),
    ).toEqual([
      { id: 'a', geometry: { type: 'Point', coordinates: [1, 2] }, value: '1', qualifier: 'ICE', approval: null },
      { id: 'b', geometry: null, value: '2', qualifier: null, approval: 'A' },
    ])
    expect(result.toCsv().split('\n')[0]).toBe('id,geometry,value,qualifier,approval')
  })
})
