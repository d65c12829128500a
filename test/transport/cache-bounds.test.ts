import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CallOptions } from '../../src/transport/call.ts'
import { cacheStats } from '../../src/transport/cache-store.ts'
import { kept, since } from '../support/kept.ts'
import { plainly, rowsOf } from '../support/toy-service.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

describe('the cache, at its bounds', () => {
  it('finds the halves of a piece that was too slow to be asked for whole', async () => {
    const { server, ask: get } = await kept(request =>
      request.end - request.start > 50 ? { status: 504 } : plainly(request),
    )
    const asked = since(server)
    await get([0, 390])
    asked()
    expect((await get([0, 390])).rows).toEqual(rowsOf(0, 390))
    expect(asked()).toEqual([])
  })

  it('R58: asks again what is kept of an older version when the rest comes in a newer one', async () => {
    let pin = 'v1'
    const { server, ask: get } = await kept(request => ({
      body: { rows: rowsOf(request.start, request.end).map(row => ({ ...row, value: pin === 'v1' ? 1 : 2 })), pin },
    }))
    const asked = since(server)
    await get([0, 90])
    pin = 'v2'
    asked()
    const { rows } = await get([0, 190])
    expect([...new Set(rows.map(({ value }) => value))]).toEqual([2])
    expect(asked().sort(([a], [b]) => a - b)).toEqual([
      [0, 90],
      [100, 190],
    ])
  })

  it('R62: ends with the reason of the caller who aborts while kept answers are read', async () => {
    const { ask: get } = await kept()
    await get([0, 990])
    const controller = new AbortController()
    const reason = new Error('enough')
    const onEvent: CallOptions['onEvent'] = event => {
      if (event.type === 'response') controller.abort(reason)
    }
    await expect(get([0, 990], { signal: controller.signal, onEvent })).rejects.toBe(reason)
    expect((await get([0, 990])).rows).toEqual(rowsOf(0, 990))
  })

  it('R22: ends at its deadline while kept answers are read', async () => {
    const { ask: get, server } = await kept()
    await get([0, 990])
    const asked = since(server)
    asked()
    const { failures } = await get([0, 990], { expiresAt: 0 })
    expect(failures.map(({ kind }) => kind)).toContain('deadline')
    expect(asked()).toEqual([])
  })

  it('R49: returns the first so many rows of what is kept, and asks for nothing', async () => {
    const { server, ask: get } = await kept()
    await get([0, 390])
    const asked = since(server)
    asked()
    expect((await get([0, 390], { maxRows: 13 })).rows).toEqual(rowsOf(0, 120))
    expect(asked()).toEqual([])
  })

  it('R49: keeps nothing of a walk that a cap has ended', async () => {
    const {
      server,
      dir,
      ask: get,
    } = await kept(({ start, end, page }) => ({
      body: {
        rows: page === 1 ? rowsOf(start, start + 40) : rowsOf(start + 50, end),
        ...(page === 1 ? { next: `?start=${start}&end=${end}&page=2` } : {}),
      },
    }))
    expect((await get([0, 90], { maxRows: 5 })).rows).toEqual(rowsOf(0, 40))
    expect(server.requests).toHaveLength(1)
    expect(await cacheStats(dir)).toMatchObject({ entries: 0 })
    expect((await get([0, 90])).rows).toEqual(rowsOf(0, 90))
    expect(await cacheStats(dir)).toMatchObject({ entries: 1 })
  })

  it('goes on without a cache that cannot be written, with one warning', async () => {
    const file = join(tempFolder(), 'file')
    writeFileSync(file, 'no folder can be made below a file')
    const dir = join(file, 'cache')
    const { server, ask: get } = await kept()
    const warnings: string[] = []
    const onEvent: CallOptions['onEvent'] = event => {
      if (event.type === 'warning') warnings.push(event.message)
    }
    expect((await get([0, 290], { cache: dir, onEvent })).rows).toEqual(rowsOf(0, 290))
    expect(server.requests).toHaveLength(3)
    expect(warnings).toEqual([expect.stringContaining(`the cache in ${dir} cannot be`)])
  })

  it('stays below its bound', async () => {
    const { dir, ask: get } = await kept()
    await get([0, 990], { cache: { dir, maxBytes: 4000 } })
    const { bytes, entries } = await cacheStats(dir)
    expect(entries).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(4000)
  })
})
