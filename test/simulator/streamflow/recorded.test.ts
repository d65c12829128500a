import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, type Reply } from '../ask.ts'
import { itemsPath, NO_QUOTAS, page, type Feature, type PageBody } from './pages.ts'

const folder = join(import.meta.dirname, '../../../fixtures/streamflow')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const bodies = readdirSync(folder).filter(name => !name.endsWith('.meta.json'))

/** Where the sample bodies lie that are too many to keep; not everybody has them. */
const recorded = join(import.meta.dirname, '../../../../shared/recorded/usgs')
const filesIn = (name: string): string[] =>
  existsSync(join(recorded, name)) ? readdirSync(join(recorded, name)).map(file => join(recorded, name, file)) : []

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ streamflow: NO_QUOTAS })
})
afterAll(() => simulator.close())

const get = (path: string): Promise<Reply> => ask(simulator.url + path, { patienceMs: 10_000 })

describe('the fixtures', () => {
  it.each(bodies)('say where they come from: %s', name => {
    const meta = JSON.parse(read(name.replace(/\.[a-z]+$/, '.meta.json'))) as Record<string, unknown>
    expect(meta).toMatchObject({
      source: expect.stringMatching(/^https:\/\/github\.com\//) as string,
      request: expect.any(String) as string,
      recorded: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      status: expect.any(Number) as number,
      kind: expect.any(String) as string,
      cut: expect.any(String) as string,
    })
  })
})

const SITE = 'USGS-01000002'
const one = { monitoring_location_id: SITE }
const stac = '/stac/v0/search?limit=2'
const stats = `monitoring_location_id=${SITE}&parameter_code=00060`

describe('the simulator answers in the shape that was recorded', () => {
  it.each<[string, number, string]>([
    ['daily.cursor-page.json', 200, itemsPath('daily', { ...one, limit: 300 }, 'v0')],
    ['daily.offset-page.json', 200, sorted({ limit: 2 })],
    [
      'daily.single-page.json',
      200,
      itemsPath('daily', { ...one, ...SHORT(), parameter_code: '00060', time: '2024-01-01' }, 'v0'),
    ],
    ['daily.empty.json', 200, itemsPath('daily', { ...one, ...SHORT(), approval_status: 'None' }, 'v0')],
    ['daily.odd-values.json', 200, itemsPath('daily', { ...one, limit: 50_000, time: '2025-01-01/2025-12-31' }, 'v0')],
    ['continuous.page.json', 200, itemsPath('continuous', { ...one, time: '2024-04-01T00:00:00Z' }, 'v0')],
    ['latest-continuous.page.json', 200, itemsPath('latest-continuous', one, 'v0')],
    ['latest-daily.page.json', 200, itemsPath('latest-daily', one, 'v0')],
    [
      'field-measurements.page.json',
      200,
      itemsPath('field-measurements', { ...one, parameter_code: '00060', time: '2023-01-01/2023-06-30' }, 'v0'),
    ],
    ['field-measurements-metadata.page.json', 200, itemsPath('field-measurements-metadata', one, 'v0')],
    [
      'channel-measurements.page.json',
      200,
      itemsPath('channel-measurements', { ...one, time: '2023-01-01/2023-06-30' }, 'v0'),
    ],
    ['peaks.page.json', 200, itemsPath('peaks', { ...one, water_year: '1990,1991,1992,1993' }, 'v0')],
    ['monitoring-locations.cursor-page.json', 200, itemsPath('monitoring-locations', { limit: 2 }, 'v0')],
    ['time-series-metadata.cursor-page.json', 200, itemsPath('time-series-metadata', { ...one, limit: 2 }, 'v0')],
    ['combined-metadata.page.json', 200, itemsPath('combined-metadata', { ...one, limit: 50 }, 'v0')],
    ['parameter-codes.offset-page.json', 200, itemsPath('parameter-codes', { limit: 2 }, 'v0')],
    ['statistics.normals.json', 200, `/statistics/v0/observationNormals?${stats}&start_date=01-01&end_date=01-01`],
    [
      'statistics.intervals.json',
      200,
      `/statistics/v0/observationIntervals?${stats}&start_date=2024-01-01&end_date=2024-01-31&computation_type=maximum`,
    ],
    ['ratings.search.json', 200, stac],
    ['nldi.sources.json', 200, '/nldi/linked-data'],
    ['nldi.features.json', 200, `/nldi/linked-data/nwissite/${SITE}/navigation/UM/nwissite?distance=1`],
    [
      'nldi.flowlines.json',
      200,
      `/nldi/linked-data/nwissite/${SITE}/navigation/UM/flowlines?distance=1&trimStart=false`,
    ],
    ['nldi.position.json', 200, '/nldi/linked-data/comid/13290002'],
    ['nldi.basin.json', 200, `/nldi/linked-data/nwissite/${SITE}/basin?simplified=true&splitCatchment=false`],
    [
      'streamstats.watershed.json',
      200,
      '/streamstatsservices/watershed.geojson?rcode=NY&xlocation=-74.524&ylocation=43.939',
    ],
    ['ngwmn.water-levels.json', 200, '/ngwmn/ogcapi/collections/waterLevelObs/items?limit=2'],
    ['error.application.json', 400, itemsPath('daily', { sight: 1 })],
    ['error.not-found.json', 404, itemsPath('hourly')],
    ['error.water-use.json', 400, '/nwaa-data/data?model=wu-tea'],
  ])('%s', async (name, status, path) => {
    const reply = await get(path)
    expect(reply.status).toBe(status)
    const [ours, theirs] = [JSON.parse(reply.text), JSON.parse(read(name))] as [unknown, unknown]
    expect(shapeOf(ours)).toEqual(shapeOf(theirs))
    if (isPage(ours) && isPage(theirs)) expect(linksOf(ours)).toEqual(linksOf(theirs))
    if (name.startsWith('error.')) expect(ours).toEqual(theirs)
  })

  it.each([
    ['error.gateway.json', 429],
    ['error.key.json', 403],
    ['error.edge.html', 414],
  ])('%s', async (name, status) => {
    simulator.setFaults([{ do: { type: 'status', status } }])
    const reply = await get(itemsPath('daily'))
    simulator.setFaults([])
    if (name.endsWith('.html')) expect(reply.text).toBe(read(name))
    else expect(JSON.parse(reply.text)).toEqual(JSON.parse(read(name)))
  })

  it.each(['base', 'exsa', 'corr'])('rating.%s.rdb', async type => {
    const kinds = (text: string): string[] =>
      text
        .split('\n')
        .filter(line => line !== '' && !line.startsWith('#'))
        .slice(0, 2)
    const reply = await get(`/stac-files/ratings/USGS.01000002.${type}.rdb`)
    expect(kinds(reply.text)).toEqual(kinds(read(`rating.${type}.rdb`)))
    expect(reply.text.split('\n', 1)).toEqual(read(`rating.${type}.rdb`).split('\n', 1))
  })

  it('water-use.monthly.csv', async () => {
    const path =
      '/nwaa-data/data?format=csv&model=wu-public-supply-wd&variable=pswdgw,pswdsw,pswdtot&location=stateCd:RI&timeres=monthly'
    expect((await get(path)).text.split('\n', 1)).toEqual(read('water-use.monthly.csv').split('\n', 1))
  })

  it('daily.queryables.json', async () => {
    const ours = JSON.parse((await get('/ogcapi/v0/collections/daily/queryables')).text) as Record<string, object>
    const theirs = JSON.parse(read('daily.queryables.json')) as Record<string, object>
    expect(Object.keys(ours)).toEqual(Object.keys(theirs))
    expect(ours['properties']).toMatchObject(theirs['properties'] as object)
  })
})

// What follows compares with the bodies themselves, file by file, where they are at hand.
describe.skipIf(filesIn('ogc-pages').length === 0)('whole pages of the service', () => {
  const pages = filesIn('ogc-pages').map(file => [file, JSON.parse(readFileSync(file, 'utf8')) as PageBody] as const)

  it.each(pages.filter(([, body]) => 'links' in body))('%s', async (_, theirs) => {
    const self = new URL(theirs.links.find(({ rel }) => rel === 'self')?.href ?? '')
    // Its series, places and sites are not ours: the question stays, what it names is replaced.
    const query = new URLSearchParams(self.search)
    for (const name of ['time_series_id', 'bbox']) query.delete(name)
    if (query.has('monitoring_location_id')) query.set('monitoring_location_id', SITE)
    query.delete('f')
    const ours = await page(`${simulator.url}${self.pathname}?${query}`)
    expect(Object.keys(ours)).toEqual(Object.keys(theirs))
    const [feature] = ours.features
    const [recordedFeature] = theirs.features
    if (feature && recordedFeature) {
      expect(Object.keys(feature)).toEqual(Object.keys(recordedFeature))
      expect(new Set(Object.keys(feature.properties))).toEqual(
        new Set([...Object.keys(recordedFeature.properties), ...(/codes/.test(self.pathname) ? ['id'] : [])]),
      )
    }
    // Whether there is a next page depends on how much there is. CSV has been an alternate since 2026.
    const plain = (body: PageBody): string[] =>
      linksOf(body).filter(link => !link.startsWith('next') && !link.includes('CSV'))
    expect(plain(ours)).toEqual(plain(theirs))
    const [a, b] = [ours, theirs].map(linksOf).map(links => links.find(link => link.startsWith('next'))) as [
      string,
      string,
    ]
    if (a && b) expect(a).toBe(b)
  })

  it('have cursors that are the last identifier, as ours', () => {
    const cursors = pages.flatMap(([, body]) => {
      const href = body.links?.find(({ rel }) => rel === 'next')?.href
      const cursor = href === undefined ? null : new URL(href).searchParams.get('cursor')
      return cursor === null ? [] : [[Buffer.from(cursor, 'base64url').toString(), body.features.at(-1)?.id]]
    })
    expect(cursors.length).toBeGreaterThan(3)
    for (const [decoded, last] of cursors) expect(decoded).toBe(last)
  })
})

describe.skipIf(filesIn('ogc/by-collection').length === 0)('records of the service', () => {
  it.each(filesIn('ogc/by-collection'))('%s', async file => {
    const theirs = JSON.parse(readFileSync(file, 'utf8')) as PageBody
    const name = file.replace(/^.*\/|\.json$/g, '')
    const ours = await page(simulator.url + itemsPath(name, { limit: 3000 }, 'v0'))
    const [first] = theirs.features
    expect(new Set(Object.keys(ours.features[0]?.properties ?? {}))).toEqual(
      new Set(Object.keys(first?.properties ?? {})),
    )
    const types = typesOf(ours.features)
    for (const feature of theirs.features) {
      for (const [field, value] of Object.entries(feature.properties)) {
        if (value !== null) expect([field, ...(types.get(field) ?? [])]).toContain(typeof value)
      }
    }
    expect(typeof ours.features[0]?.id).toBe(typeof first?.id)
    expect(String(ours.features[0]?.id).length > 30).toBe(String(first?.id).length > 30)
  })
})

describe.skipIf(filesIn('ogc').length === 0)('what the service says of itself', () => {
  const digest = (): Record<
    string,
    { title: string; filters: Record<string, { multi_value?: string; prefix_match?: boolean }> }
  > =>
    (
      JSON.parse(readFileSync(join(recorded, 'ogc/openapi-0.56.0-digest.json'), 'utf8')) as {
        collections: ReturnType<typeof digest>
      }
    ).collections

  it('names the collections, titles and filters that are here, and which of them split lists', async () => {
    for (const [name, { title, filters }] of Object.entries(digest())) {
      const { title: ours, properties } = JSON.parse((await get(`/ogcapi/v1/collections/${name}/queryables`)).text) as {
        title: string
        properties: Record<string, { description?: string }>
      }
      expect(ours).toBe(title)
      for (const [filter, { multi_value: split, prefix_match: prefix = false }] of Object.entries(filters)) {
        const { description = '' } = properties[filter] ?? {}
        expect([name, filter, filter in properties]).toEqual([name, filter, true])
        expect([name, filter, description.includes('Split parameters')]).toEqual([name, filter, split === 'comma'])
        expect([name, filter, description.includes('prefix')]).toEqual([name, filter, prefix])
      }
    }
  })
})

/** Names and types in their order, values left out; nothing is a type that fits all. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value))
    return value.every(entry => typeof entry !== 'object') ? 'list' : [merge(value.map(shapeOf))]
  if (typeof value !== 'object' || value === null) return value === null ? 'nothing' : typeof value
  return Object.entries(value).map(([name, field]) => [name, name === 'links' ? 'links' : loose(name, shapeOf(field))])
}

/** What may be missing in one record and present in another, and what differs by what is described. */
function loose(name: string, shape: unknown): unknown {
  const free = ['geometry', 'properties', 'feature', 'data', 'features', 'featurecollection', 'values', 'assets']
  return free.includes(name) || (Array.isArray(shape) && shape.length > 0) ? shape : 'any'
}

function merge(shapes: readonly unknown[]): unknown {
  return shapes.find(shape => shape !== 'nothing') ?? 'nothing'
}

function isPage(body: unknown): body is PageBody {
  return typeof body === 'object' && body !== null && 'links' in body && 'features' in body
}

/** Each link as its relation, its title, the order of its members and that of the parameters every address has. */
function linksOf({ links }: PageBody): string[] {
  return links.map(link => {
    const { rel, href, title = '' } = link as { rel: string; href: string; title?: string }
    const names = [...new URL(href).searchParams.keys()].filter(name =>
      ['f', 'offset', 'cursor', 'lang', 'limit'].includes(name),
    )
    return `${rel} ${title}: ${Object.keys(link).join()} ${rel === 'next' ? names.filter(name => name !== 'f').join() : names.join()}`
  })
}

function typesOf(features: readonly Feature[]): Map<string, Set<string>> {
  const types = new Map<string, Set<string>>()
  for (const { properties } of features) {
    for (const [name, value] of Object.entries(properties)) {
      if (value !== null) types.set(name, (types.get(name) ?? new Set()).add(typeof value))
    }
  }
  return types
}

function SHORT(): Record<string, string> {
  return { properties: 'time,value,unit_of_measure,approval_status', skipGeometry: 'true' }
}

function sorted(more: Record<string, number>): string {
  return itemsPath('daily', { ...one, ...SHORT(), ...more, sortby: 'time' }, 'v0')
}
