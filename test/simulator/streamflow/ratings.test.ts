import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, type Reply } from '../ask.ts'
import { NO_QUOTAS } from './pages.ts'

interface Item {
  readonly id: string
  readonly properties: {
    readonly file_type: string
    readonly monitoring_location_id: string
    readonly datetime: string
  }
  readonly assets: { readonly data: { readonly href: string } }
}

interface Body {
  readonly features: Item[]
  readonly links: { readonly rel: string; readonly href: string }[]
}

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ streamflow: NO_QUOTAS })
})
afterAll(() => simulator.close())

const get = (query: Record<string, string>): Promise<Reply> =>
  ask(`${simulator.url}/stac/v0/search?${new URLSearchParams(query)}`, { patienceMs: 10_000 })
const search = async (query: Record<string, string>): Promise<Body> => JSON.parse((await get(query)).text) as Body
const idsOf = ({ features }: Body): string[] => features.map(({ id }) => id)
const SITES = `monitoring_location_id IN ('USGS-01000000', 'USGS-01000001', 'USGS-01000002')`

describe('search', () => {
  it('finds the files of the sites that have them', async () => {
    expect(idsOf(await search({ filter: SITES }))).toEqual(
      ['USGS-01000000', 'USGS-01000002'].flatMap(id => ['base', 'corr', 'exsa'].map(type => `${id}.${type}.rdb`)),
    )
    expect(idsOf(await search({ filter: `${SITES} AND file_type = 'exsa'` }))).toEqual([
      'USGS-01000000.exsa.rdb',
      'USGS-01000002.exsa.rdb',
    ])
  })

  it('pages by a token, to the end', async () => {
    const whole = idsOf(await search({ filter: `file_type = 'base'` }))
    const found: string[] = []
    let pages = 0
    let next: string | undefined =
      `${simulator.url}/stac/v0/search?limit=700&filter=${encodeURIComponent(`file_type = 'base'`)}`
    while (next !== undefined) {
      const body = JSON.parse((await ask(next, { patienceMs: 10_000 })).text) as Body
      found.push(...idsOf(body))
      pages += 1
      next = body.links.find(({ rel }) => rel === 'next')?.href
    }
    expect(found).toEqual(whole)
    expect(pages).toBe(Math.ceil(whole.length / 700))
    expect(pages).toBeGreaterThan(2)
  })

  it('looks at place and time', async () => {
    const inside = await search({ bbox: '-91,42.8,-88,45.5', filter: `file_type = 'exsa'` })
    expect(inside.features.length).toBeGreaterThan(10)
    const times = (await search({ filter: SITES })).features.map(({ properties }) => properties.datetime).sort()
    const until = await search({ filter: SITES, datetime: `../${times[0] ?? ''}` })
    expect(until.features.map(({ properties }) => properties.datetime)).toContain(times[0])
    expect(until.features.length).toBeLessThan(6)
  })

  it.each([{ datetime: 'P7D' }, { filter: 'file_type =' }, { limit: '0' }, { sight: '1' }])(
    'refuses %j',
    async query => {
      expect((await get(query as unknown as Record<string, string>)).status).toBe(400)
    },
  )

  it('is part of a catalogue', async () => {
    expect((await ask(`${simulator.url}/stac/v0/collections/ratings`)).status).toBe(200)
    expect((await ask(`${simulator.url}/stac/v0/collections`)).status).toBe(200)
  })
})

describe('files', () => {
  it.each([
    ['base', ['INDEP', 'DEP', 'STOR'], ['16N', '16N', '1S']],
    ['exsa', ['INDEP', 'SHIFT', 'DEP', 'STOR'], ['16N', '16N', '16N', '1S']],
    ['corr', ['INDEP', 'CORR', 'CORRINDEP'], ['16N', '16N', '16N']],
  ] as const)('of %s are tables behind remarks', async (type, columns, widths) => {
    const [item] = (await search({ filter: `monitoring_location_id = 'USGS-01000002' AND file_type = '${type}'` }))
      .features
    const reply = await ask(item?.assets.data.href ?? '')
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/plain;charset=UTF-8'])
    const lines = reply.text.replace(/\n$/, '').split('\n')
    const [header, format, ...rows] = lines.filter(line => !line.startsWith('#')).map(line => line.split('\t'))
    expect([header, format]).toEqual([columns, widths])
    expect(rows).toEqual(simulator.truth.rating('USGS-01000002', type)?.rows)
    expect(rows.length).toBeGreaterThan(2)
    expect(lines[0]).toBe('# //UNITED STATES GEOLOGICAL SURVEY       http://water.usgs.gov/')
  })

  it('that are not there are not found', async () => {
    expect((await ask(`${simulator.url}/stac-files/ratings/USGS.99999999.exsa.rdb`)).status).toBe(404)
    expect(simulator.truth.rating('USGS-01000001', 'exsa')).toBeUndefined()
  })

  it('can lie on another host', async () => {
    const other = await startSimulator({ streamflow: { ...NO_QUOTAS, assetOrigin: 'http://localhost:9' } })
    const body = JSON.parse((await ask(`${other.url}/stac/v0/search?limit=1`, { patienceMs: 10_000 })).text) as Body
    await other.close()
    expect(body.features[0]?.assets.data.href).toBe('http://localhost:9/stac-files/ratings/USGS.01000000.base.rdb')
  })
})
