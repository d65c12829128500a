import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { createHandClock } from '../hand-clock.ts'
import { get, readTable, SITES, SMALL, tableOf } from './table.ts'

let simulator: Simulator
const clock = createHandClock('2026-06-01T12:00:00Z')
beforeAll(async () => {
  simulator = await startSimulator({ clock })
})
afterAll(() => simulator.close())

interface Status {
  readonly failed: boolean
  readonly totalRows: number
  readonly requestId: string
  readonly requestStartTime: string
  readonly dataProviders: readonly { name: string; failed: boolean; sourceRowCount: number; outputRowCount: number }[]
}

const statusOf = async (id: unknown): Promise<Status> =>
  JSON.parse((await get(simulator, `/wqx3/status/${String(id)}`)).text) as Status

describe('the newer interface', () => {
  it.each([
    ['/wqx3/Result/search', '', 180],
    ['/wqx3/Result/search', 'fullPhysChem', 180],
    ['/wqx3/Result/search', 'narrow', 63],
    ['/wqx3/Station/search', '', 56],
    ['/wqx3/result/search', 'narrow', 63],
  ])('%s %s has %i columns, no counts, and no line feed at the end', async (path, profile, columns) => {
    const query = { ...SMALL, ...(profile === '' ? {} : { dataProfile: profile }) }
    const { status, headers, text } = await get(simulator, path, query)
    expect(status).toBe(200)
    expect(headers['wqp-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Object.keys(headers).filter(name => name.endsWith('-count'))).toEqual([])
    const table = readTable(text)
    expect(table.columns).toHaveLength(columns)
    expect(table.rows.length).toBeGreaterThan(0)
    expect(text.endsWith('\n')).toBe(false)
  })

  it('a document tells how a request went, provider by provider, the header line being counted', async () => {
    const reply = await get(simulator, '/wqx3/Result/search', SMALL)
    const rows = readTable(reply.text)
    const status = await statusOf(reply.headers['wqp-request-id'])
    const count = (provider: string): number => rows.column('ProviderName').filter(name => name === provider).length
    expect(status).toMatchObject({
      failed: false,
      requestId: reply.headers['wqp-request-id'],
      totalRows: rows.rows.length + 1,
      dataProviders: [
        { name: 'usgs', failed: false, sourceRowCount: count('USGS') + 1, outputRowCount: count('USGS') },
        { name: 'epa', failed: false, sourceRowCount: count('STORET') + 1, outputRowCount: count('STORET') },
      ],
    })
    expect(count('USGS') * count('STORET')).toBeGreaterThan(0)
    expect(status.requestStartTime).toMatch(/^2026-06-01T12:00:00\.\d{9}Z\[GMT\]$/)
  })

  it('the document is forgotten after a while, and there is none of what never was', async () => {
    const { headers } = await get(simulator, '/wqx3/Station/search', SMALL)
    const path = `/wqx3/status/${String(headers['wqp-request-id'])}`
    expect(await get(simulator, path)).toMatchObject({ status: 200 })
    clock.advance(600_000)
    expect(await get(simulator, path)).toMatchObject({ status: 404 })
    expect(await get(simulator, '/wqx3/status/fe8f35d6-4f13-4e95-a05b-7327409b74eb')).toMatchObject({ status: 404 })
  })

  it.each(['usgs', 'epa'] as const)('says that %s failed, and has only what came before', async name => {
    const whole = await tableOf(get(simulator, '/wqx3/Result/search', SMALL))
    simulator.setFaults([{ path: /Result/, do: { type: 'upstream', name, afterRows: 3 } }])
    const reply = await get(simulator, '/wqx3/Result/search', SMALL)
    simulator.setFaults([])
    const rows = readTable(reply.text)
    const status = await statusOf(reply.headers['wqp-request-id'])
    const provider = name === 'usgs' ? 'USGS' : 'STORET'
    const count = (table: typeof whole): number => table.column('ProviderName').filter(own => own === provider).length
    expect(reply.status).toBe(200)
    expect(count(rows)).toBe(3)
    expect(rows.rows.length).toBe(whole.rows.length - count(whole) + 3)
    expect(status).toMatchObject({ failed: true, totalRows: rows.rows.length + 1 })
    expect(status.dataProviders.find(one => one.name === name)).toMatchObject({
      failed: true,
      sourceRowCount: count(whole) + 1,
      outputRowCount: 3,
    })
  })

  it('a failed provider can leave a line that says so', async () => {
    simulator.setFaults([{ do: { type: 'upstream', name: 'epa', marker: true } }])
    const { text } = await get(simulator, '/wqx3/Result/search', SMALL)
    simulator.setFaults([])
    expect(text.endsWith('\nERROR: INCOMPLETE DATA')).toBe(true)
  })

  it('knows the Survey by both names, and no third provider', async () => {
    const rows = async (query: Record<string, string>): Promise<readonly string[]> =>
      (await tableOf(get(simulator, '/wqx3/Station/search', { mimeType: 'csv', ...query }))).column('ProviderName')
    const area = { countycode: 'US:19:015' }
    expect(new Set(await rows(area))).toEqual(new Set(['USGS', 'STORET']))
    expect(new Set(await rows({ ...area, providers: 'USGS' }))).toEqual(new Set(['USGS']))
    expect(new Set(await rows({ ...area, providers: 'NWIS' }))).toEqual(new Set(['USGS']))
    expect(new Set(await rows({ ...area, providers: 'STORET' }))).toEqual(new Set(['STORET']))
    expect(await rows({ organization: 'ARS' })).toEqual([])
    expect(await rows({ ...area, provider: 'STORET' })).toHaveLength((await rows(area)).length)
  })

  it('has other identifiers than the older one for the Survey, and the same for all others', async () => {
    const older = await tableOf(get(simulator, '/data/Result/search', { ...SMALL, dataProfile: 'resultPhysChem' }))
    const newer = await tableOf(get(simulator, '/wqx3/Result/search', SMALL))
    const pick = (table: typeof older, id: string, provider: string): string[] => {
      const providers = table.column('ProviderName')
      return table.column(id).filter((_, index) => providers[index] === provider)
    }
    const [ids, newerIds] = ['ResultIdentifier', 'Result_MeasureIdentifier']
    expect(pick(older, ids, 'STORET').sort()).toEqual(pick(newer, newerIds, 'STORET').sort())
    const [survey, surveyNewer] = [pick(older, ids, 'NWIS'), pick(newer, newerIds, 'USGS')]
    expect(survey).toHaveLength(surveyNewer.length)
    expect(new Set([...survey, ...surveyNewer]).size).toBe(2 * survey.length)
  })

  it('refuses too many sites at once, and a POST', async () => {
    const sites = Array.from({ length: 151 }, (_, n) => `siteid=USGS-${n}`)
    expect(await get(simulator, '/wqx3/Result/search', sites.join('&'))).toMatchObject({ status: 413 })
    expect(await get(simulator, '/wqx3/Result/search', sites.slice(1).join('&'))).toMatchObject({ status: 200 })
    expect(await get(simulator, '/wqx3/Result/search', SMALL, { method: 'POST' })).toMatchObject({ status: 405 })
  })

  it('may or may not divide lists at semicolons: nobody has seen it', async () => {
    const strict = await startSimulator({ waterQuality: { newerSplitsLists: false } })
    const rest = { startDateLo: '01-01-2022', startDateHi: '12-31-2022', mimeType: 'csv' }
    const repeated = `${new URLSearchParams(rest)}&siteid=${SITES[0]}&siteid=${SITES[1]}`
    const count = async (where: Simulator, query: string | Record<string, string>): Promise<number> =>
      (await tableOf(get(where, '/wqx3/Result/search', query))).rows.length
    const all = await count(simulator, repeated)
    expect(await count(simulator, SMALL)).toBe(all)
    expect(await count(strict, repeated)).toBe(all)
    expect(await count(strict, SMALL)).toBe(0)
    await strict.close()
  })
})
