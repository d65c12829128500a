import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BodyReader } from '../../src/transport/arriving.ts'
import { kept, LONG_MS, since } from '../support/kept.ts'
import { plainly, rowsOf } from '../support/toy-service.ts'

describe('the cache', () => {
  it('keeps what would otherwise be read while it arrives', async () => {
    const inParts = (): BodyReader => {
      const parts: Buffer[] = []
      return {
        take: part => void parts.push(Buffer.from(part)),
        end: () => JSON.parse(Buffer.concat(parts).toString()),
      }
    }
    const { server, ask: get } = await kept(plainly, ({ request, read }) => ({
      request: (piece, pin) => ({ ...request(piece, pin), reader: inParts }),
      read: (reply, piece) => read({ ...reply, json: () => reply.streamed ?? reply.json() }, piece),
    }))
    const asked = since(server)
    expect((await get([0, 290])).rows).toEqual(rowsOf(0, 290))
    expect(asked()).toHaveLength(3)
    expect((await get([0, 290])).rows).toEqual(rowsOf(0, 290))
    expect(asked()).toEqual([])
  })

  it('keeps what was learned beside the body, and does not ask about the answer again', async () => {
    const { server, ask: get } = await kept(plainly, ({ request }) => ({
      confirm: (content, _reply, piece) => ({
        url: request(piece, undefined).url,
        read: answer => answer.status,
        judge: status => ({ ...content, source: { ...content.source, confirmedWith: status } }),
      }),
    }))
    const first = await get([0, 90])
    const sent = server.spans().length
    const second = await get([0, 90])
    expect(server.spans()).toHaveLength(sent)
    expect(first.meta).toMatchObject([{ cached: false, source: { confirmedWith: 200 } }])
    expect(second.meta).toMatchObject([{ cached: true, source: first.meta[0]?.source }])
  })

  it('answers a second process without a request, and says so in the metadata', async () => {
    const { server, ask: get } = await kept()
    const asked = since(server)
    const first = await get([0, 290])
    expect(asked()).toHaveLength(3)
    expect(first.meta.map(({ cached }) => cached)).toEqual([false, false, false])
    const second = await get([0, 290])
    expect(asked()).toEqual([])
    expect(second.rows).toEqual(rowsOf(0, 290))
    expect(second.meta).toMatchObject(
      first.meta.map(({ url, status, requestedAt, receivedAt, bytes, rows, span }) => ({
        url,
        status,
        requestedAt,
        receivedAt,
        bytes,
        rows,
        span,
        cached: true,
        attempts: 0,
        waitedMs: 0,
        quotaRemaining: null,
      })),
    )
  })

  it('asks only for what is not kept when the span is longer or lies elsewhere', async () => {
    const { server, ask: get } = await kept()
    const asked = since(server)
    await get([100, 190])
    asked()
    expect((await get([50, 240])).rows).toEqual(rowsOf(50, 240))
    expect(asked()).toEqual([
      [50, 90],
      [200, 240],
    ])
    expect((await get([70, 130])).rows).toEqual(rowsOf(70, 130))
    expect(asked()).toEqual([])
  })

  it('asks for an expired piece again, and for nothing else', async () => {
    const {
      server,
      ask: get,
      later,
    } = await kept(plainly, {
      keepMs: ({ piece }) => (piece.span?.start === 100 ? 1000 : LONG_MS),
    })
    const asked = since(server)
    await get([0, 290])
    asked()
    later(2000)
    const { rows, meta } = await get([0, 290])
    expect(asked()).toEqual([[100, 190]])
    expect(rows).toEqual(rowsOf(0, 290))
    expect(meta.map(({ cached }) => cached)).toEqual([true, false, true])
    await get([0, 290])
    expect(asked()).toEqual([])
  })

  it('with refresh asks for all of it again, and keeps the new answers', async () => {
    let value = 1
    const { server, ask: get } = await kept(({ start, end }) => ({
      body: { rows: rowsOf(start, end).map(({ at }) => ({ at, value })) },
    }))
    const asked = since(server)
    await get([0, 190])
    value = 2
    asked()
    expect((await get([0, 190], { refresh: true })).rows[0]?.value).toBe(2)
    expect(asked()).toHaveLength(2)
    expect((await get([0, 190])).rows.at(-1)?.value).toBe(2)
    expect(asked()).toEqual([])
  })

  it('offline answers however old it is, and names what is not kept without sending anything', async () => {
    const { server, ask: get, later } = await kept(plainly, { keepMs: () => 1000 })
    const asked = since(server)
    await get([0, 190])
    asked()
    later(LONG_MS)
    expect((await get([0, 190], { offline: true })).rows).toEqual(rowsOf(0, 190))
    const { failures } = await get([0, 290], { offline: true })
    expect(failures).toEqual([
      { kind: 'other', message: expect.stringContaining('not in the cache, and offline is set') },
    ])
    expect(failures[0]?.message).toMatch(/nothing was sent.*Ask once without offline/)
    expect(asked()).toEqual([])
  })

  it('keeps nothing where the service did not say for how long, and nothing unless it is asked to', async () => {
    const { server, ask: get } = await kept(plainly, { keepMs: undefined })
    const asked = since(server)
    await get([0, 90])
    await get([0, 90])
    expect(asked()).toHaveLength(2)
    const other = await kept()
    await other.ask([0, 90], { cache: false })
    expect(readdirSync(other.dir)).toEqual([])
  })

  it('tells accounts apart, and writes no credential to disk', async () => {
    const { server, dir, ask: get } = await kept()
    const asked = since(server)
    await get([0, 90], {}, 'key-of-ann')
    await get([0, 90], {}, 'key-of-bob')
    expect(asked()).toHaveLength(2)
    await get([0, 90], {}, 'key-of-ann')
    expect(asked()).toEqual([])
    expect(everythingIn(dir)).not.toMatch(/key-of-ann|account of/)
  })

  it('keeps a walk of pages whole: all of it is found again, in order', async () => {
    const { server, ask: get } = await kept(({ start, end, page }) => ({
      body: {
        rows: rowsOf(start, end).slice((page - 1) * 4, page * 4),
        ...(page < 3 ? { next: `?start=${start}&end=${end}&page=${page + 1}` } : {}),
      },
    }))
    const asked = since(server)
    await get([0, 90])
    expect(asked()).toHaveLength(3)
    const again = await get([0, 90])
    expect(asked()).toEqual([])
    expect(again.rows).toEqual(rowsOf(0, 90))
    expect(again.meta.map(({ page }) => page)).toEqual([1, 2, 3])
  })

  it('keeps nothing of a walk that broke off', async () => {
    let broken = true
    const { server, ask: get } = await kept(({ start, end, page }) => {
      if (page === 2 && broken) return { status: 400, body: 'no' }
      return {
        body: {
          rows: rowsOf(start, end).slice((page - 1) * 5, page * 5),
          ...(page < 2 ? { next: `?start=${start}&end=${end}&page=2` } : {}),
        },
      }
    })
    expect((await get([0, 90])).failures).toHaveLength(1)
    broken = false
    const asked = since(server)
    asked()
    expect((await get([0, 90])).rows).toEqual(rowsOf(0, 90))
    expect(asked()).toHaveLength(2)
  })
})

function everythingIn(dir: string): string {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => entry.parentPath + readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}
