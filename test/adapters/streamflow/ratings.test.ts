import { describe, expect, it } from 'vitest'
import type { RatingRow } from '../../../src/adapters/streamflow/index.ts'
import { isRetrievalInterrupted } from '../../../src/index.ts'
import type { Retrieval } from '../../../src/retrieval/index.ts'
import { errorOf } from '../../support/field-case.ts'
import { answer, startScripted } from '../../support/scripted-server.ts'
import { NO_QUOTAS, simulateWater, siteIds, streamflowBody, waterClient } from '../../support/streamflow.ts'

const SITE = 'USGS-01000000'

describe('getRatings', () => {
  it('finds the files and reads them, line by line', async () => {
    const simulator = await simulateWater()
    const { rows, columns, meta } = await waterClient(simulator).getRatings({
      monitoringLocationId: ['USGS-01000000', 'USGS-01000002'],
      fileType: ['exsa', 'base', 'corr'],
    })
    for (const [site, type] of new Set(
      rows.map(row => `${row.monitoring_location_id} ${row.file_type}`),
    ).entries() as never as [string, string][]) {
      const [name = '', kind = ''] = String(site).split(' ')
      const truth = simulator.truth.rating(name, kind as never)
      expect(type).toBeDefined()
      const mine = rows.filter(row => row.monitoring_location_id === name && row.file_type === kind)
      expect(
        mine.map(row => truth?.columns.map(column => (column === 'STOR' ? row[column] : Number(row[column])))),
      ).toEqual(truth?.rows.map(cells => cells.map((cell, at) => (truth.columns[at] === 'STOR' ? cell : Number(cell)))))
    }
    expect(new Set(rows.map(({ file_type }) => file_type))).toEqual(new Set(['exsa', 'base', 'corr']))
    expect(columns.map(({ name }) => name)).toEqual([
      'monitoring_location_id',
      'file_type',
      'rating_id',
      'INDEP',
      'SHIFT',
      'DEP',
      'STOR',
      'CORR',
      'CORRINDEP',
    ])
    expect(meta[0]?.source['rating_id']).toMatch(/\.rdb$/)
  })

  it('R23: the search counts among the requests of the call', async () => {
    const simulator = await simulateWater()
    const query = { monitoringLocationId: ['USGS-01000000', 'USGS-01000002'], fileType: ['exsa', 'base'] } as const
    const error = await errorOf(waterClient(simulator, { concurrency: 1 }).getRatings(query, { maxRequests: 3 }))
    expect(error).toMatchObject({ name: 'RetrievalInterrupted', kind: 'other' })
    expect(simulator.requests).toHaveLength(3)
  })

  it('F43: no content is no files', async () => {
    const server = await startScripted(visit => answer(visit, { status: 204 }))
    expect((await waterClient(server).getRatings({ monitoringLocationId: SITE })).rows).toEqual([])
  })

  it('reads a rating as it was recorded', async () => {
    const server = await startScripted(visit =>
      visit.arrival.path.includes('/search')
        ? answer(visit, {
            body: {
              features: [
                {
                  id: 'USGS-01594440.base.rdb',
                  properties: { file_type: 'base', monitoring_location_id: 'USGS-01594440' },
                  assets: { data: { href: `${server.url}/stac-files/x.rdb` } },
                },
              ],
              links: [],
            },
          })
        : answer(visit, { body: streamflowBody('rating.base.rdb') }),
    )
    const { rows, meta } = await waterClient(server).getRatings({
      monitoringLocationId: 'USGS-01594440',
      fileType: 'base',
    })
    expect(rows).toHaveLength(3)
    expect(typeof rows[0]?.INDEP).toBe('number')
    expect(Object.keys(meta[0]?.source ?? {}).length).toBeGreaterThan(3)
  })

  it('R46: walks along all pages of the search', async () => {
    const simulator = await simulateWater()
    const listed = await waterClient(simulator).getRatings({ files: 'listed', monitoringLocationId: siteIds(60) })
    const paged = await waterClient(simulator).getRatings({
      files: 'listed',
      monitoringLocationId: siteIds(60),
      pageSize: 5,
    })
    expect(paged.rows).toEqual(listed.rows)
    expect(paged.meta.length).toBeGreaterThan(3)
  })

  it('passes over a file that is gone or no table, with a warning, and reads the others', async () => {
    const simulator = await simulateWater({
      faults: [
        { path: /USGS\.01000000\.exsa/, do: { type: 'status', status: 404 } },
        { path: /USGS\.01000002\.exsa/, do: { type: 'body', text: 'no table', contentType: 'text/plain' } },
      ],
    })
    const { rows, warnings } = await waterClient(simulator).getRatings({ monitoringLocationId: siteIds(12) })
    expect(rows.length).toBeGreaterThan(0)
    expect(
      rows.some(({ monitoring_location_id }) =>
        ['USGS-01000000', 'USGS-01000002'].includes(String(monitoring_location_id)),
      ),
    ).toBe(false)
    expect(warnings).toHaveLength(2)
    expect(warnings.join()).toContain('USGS-01000000.exsa.rdb was passed over: the file is gone (status 404)')
  })

  it('F44: a web page in place of a file is no file that is gone: the service is in trouble', async () => {
    const simulator = await simulateWater({ faults: [{ path: /USGS\.01000000\.exsa/, do: { type: 'html' } }] })
    const error = await errorOf(waterClient(simulator).getRatings({ monitoringLocationId: SITE }))
    expect(error).toMatchObject({ kind: 'bad_response' })
  })

  it('R60: a service in trouble does not pass over a file: the call is interrupted, and can be taken up', async () => {
    const simulator = await simulateWater({
      faults: [{ path: /USGS\.01000002\.exsa/, when: { upTo: 2 }, do: { type: 'status', status: 503 } }],
    })
    const client = waterClient(simulator, { retries: 1, concurrency: 1 })
    const query = { monitoringLocationId: siteIds(12) }
    const error = await errorOf(client.getRatings(query))
    if (!isRetrievalInterrupted(error)) throw error
    const rest = (await client.resumeFrom(
      JSON.parse(JSON.stringify(error.checkpoint())) as never,
    )) as Retrieval<RatingRow>
    const whole = (await error.resume()) as Retrieval<RatingRow>
    expect(whole.rows).toEqual((await client.getRatings(query)).rows)
    expect(rest.length).toBeLessThan(whole.length)
    expect(rest.rows.at(-1)).toEqual(whole.rows.at(-1))
  })

  it('R40: a file on another host is read without the key', async () => {
    const elsewhere = await simulateWater()
    const simulator = await simulateWater({
      streamflow: { ...NO_QUOTAS, assetOrigin: elsewhere.url.replace('127.0.0.1', 'localhost') },
    })
    const { rows } = await waterClient(simulator, { apiKey: 'a-key' }).getRatings({ monitoringLocationId: SITE })
    expect(rows.length).toBeGreaterThan(0)
    expect(simulator.requests.every(({ key }) => key !== undefined)).toBe(true)
    expect(elsewhere.requests.map(({ key }) => key)).toEqual([undefined])
  })

  it('finds nothing where there is nothing', async () => {
    const simulator = await simulateWater()
    const { rows, columns } = await waterClient(simulator).getRatings({ monitoringLocationId: 'USGS-99999999' })
    expect(rows).toEqual([])
    expect(columns.map(({ name }) => name)).toContain('SHIFT')
  })
})
