import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { get, SITES, SMALL, tableOf } from './table.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator()
})
afterAll(() => simulator.close())

/** Texts of the warnings, which come folded into one header. */
const warningsOf = async (query: string): Promise<{ status: number | undefined; body: string; warnings: string[] }> => {
  const { status, text, headers } = await get(simulator, '/data/Result/search', query)
  const folded = String(headers.warning ?? '')
  const warnings = folded
    .split(/(?:, )?299 WQP "/)
    .slice(1)
    .map(part => part.replace(/"$/, ''))
  return { status, body: text, warnings }
}

const listed = (name: string, value: string): string =>
  `The value of ${name}=${value} is not in the list of enumerated values.`
const formed = (name: string, value: string, format: string): string =>
  `The value of ${name}=${value} must match the format ${format}`
const dated = (name: string, value: string): string =>
  `The value of ${name}=${value} must be a valid date in the format MM-dd-yyyy.`

describe('the older interface refuses', () => {
  it.each<[query: string, ...warnings: string[]]>([
    ['siteid=040851385', formed('siteid', '040851385', String.raw`[\w]+\-.*\S`)],
    ['siteid=COE/ISU-10001', formed('siteid', 'COE/ISU-10001', String.raw`[\w]+\-.*\S`)],
    ['siteid=USGS-1;bad;USGS-2', formed('siteid', 'bad', String.raw`[\w]+\-.*\S`)],
    ['statecode=US:123', formed('statecode', 'US:123', '(?:([A-Z]{2}):)?([0-9]{1,2})')],
    ['statecode=us:17', formed('statecode', 'us:17', '(?:([A-Z]{2}):)?([0-9]{1,2})')],
    ['countycode=US:17', formed('countycode', 'US:17', '(?:([A-Z]{2}):)?([0-9]{1,2}):([0-9]{3}|N/A)')],
    ['pCode=665', formed('pCode', '665', '[0-9]{5}')],
    ['startDateLo=09-31-2011', dated('startDateLo', '09-31-2011')],
    ['startDateLo=1-2-2011', dated('startDateLo', '1-2-2011')],
    ['startDateHi=2011-01-02', dated('startDateHi', '2011-01-02')],
    ['startDateHi=02-29-2023', dated('startDateHi', '02-29-2023')],
    ['bBox=-88,44,-92,46', 'The value of bBox=-88,44,-92,46 is not a valid bounding box.'],
    ['bBox=-92,44,-88', 'The value of bBox=-92,44,-88 is not a valid bounding box.'],
    ['lat=91&long=0&within=1', 'The value of lat=91 is not between -90 and 90.'],
    ['lat=1&long=181&within=1', 'The value of long=181 is not between -180 and 180.'],
    ['lat=44.2', 'Parameter(s) [lat] require(s) [long, within].'],
    ['lat=44.2&within=1', 'Parameter(s) [lat, within] require(s) [long].'],
    ['lat=1&long=1&within=-1', 'The value of within=-1 must be a number greater than or equal to 0.'],
    ['characteristicName=phosphorus', listed('characteristicName', 'phosphorus')],
    ['siteType=Stream;River', listed('siteType', 'River')],
    ['providers=USGS', listed('providers', 'USGS')],
    ['organization=NOBODY', listed('organization', 'NOBODY')],
    ['zip=maybe&siteid=USGS-1', formed('zip', 'maybe', 'yes|no')],
    ['dataProfile=pcResult&siteid=USGS-1', listed('dataProfile', 'pcResult')],
    ['siteid=a&startDateLo=x', formed('siteid', 'a', String.raw`[\w]+\-.*\S`), dated('startDateLo', 'x')],
  ])('%s, with an empty body and every reason in a header of its own words', async (query, ...warnings) => {
    expect(await warningsOf(query)).toEqual({ status: 400, body: '', warnings })
  })

  it('a list of more than a thousand, and no list of sites for its length', async () => {
    const states = Array.from({ length: 1001 }, () => 'US:55').join(';')
    const body = (query: string): Parameters<typeof get>[3] => ({
      method: 'POST',
      body: query,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const refused = await get(simulator, '/data/Station/search', '', body(`statecode=${states}`))
    expect(refused).toMatchObject({ status: 400, text: '' })
    expect(refused.headers.warning).toBe('299 WQP "The statecode is not between 0 and 1000 occurances"')
    const sites = Array.from({ length: 2000 }, (_, n) => `USGS-${n}`).join(';')
    const taken = await get(simulator, '/data/Station/search', 'mimeType=csv', body(`siteid=${sites};${SITES[0]}`))
    expect(taken).toMatchObject({ status: 200 })
    expect(taken.headers['total-site-count']).toBe('1')
  })

  it.each(['', 'provider=NWIS', 'siteid=;;'])('nothing asked at all: %j', async query => {
    expect(await warningsOf(query)).toEqual({ status: 400, body: '', warnings: [] })
  })

  it.each([
    ['/data/Result/search', 'geojson'],
    ['/data/Result/search', 'pdf'],
    ['/data/Station/search', 'json'],
    ['/data/summary/organization/search', 'csv'],
  ])('with 406 what %s cannot make: %s', async (path, mimeType) => {
    expect(await get(simulator, path, { siteid: SITES[0], mimeType })).toMatchObject({ status: 406 })
  })

  it('a body that cannot be read', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const body of ['{"siteid":', '[1]']) {
      const reply = await get(simulator, '/data/Result/search', 'mimeType=csv', { method: 'POST', headers, body })
      expect(reply).toMatchObject({ status: 400 })
      expect(JSON.parse(reply.text)).toMatchObject({ status: 400, error: 'Bad Request' })
    }
  })

  it('an address that is too long', async () => {
    const sites = Array.from({ length: 900 }, (_, n) => `USGS-${n}`).join(';')
    expect(await get(simulator, '/data/Station/search', { siteid: sites })).toMatchObject({ status: 414 })
  })
})

describe('the older interface takes', () => {
  it('names it does not know without a word, and gives everything: `provider=` is one', async () => {
    const all = await tableOf(get(simulator, '/data/Result/search', SMALL))
    const misspelt = await tableOf(get(simulator, '/data/Result/search', { ...SMALL, provider: 'STORET', Siteid: 'x' }))
    expect(misspelt.rows).toHaveLength(all.rows.length)
    const right = await tableOf(get(simulator, '/data/Result/search', { ...SMALL, providers: 'STORET' }))
    expect(new Set(right.column('ProviderName'))).toEqual(new Set(['STORET']))
    expect(right.rows.length).toBeLessThan(all.rows.length)
  })

  it('lists with semicolons, repeated, or both; never with commas', async () => {
    const rest = { startDateLo: SMALL.startDateLo, startDateHi: SMALL.startDateHi, mimeType: 'csv', sorted: 'yes' }
    const ask = (query: string): Promise<string> =>
      get(simulator, '/data/Result/search', `${new URLSearchParams(rest)}&${query}`).then(({ text }) => text)
    const name = 'characteristicName=Temperature,%20water'
    const joined = await ask(`siteid=${SITES.join(';')}`)
    expect(await ask(SITES.map(site => `siteid=${site}`).join('&'))).toBe(joined)
    expect(await ask(`siteid=${SITES[0]};;&siteid=${SITES[1]};`)).toBe(joined)
    expect(await ask(`siteid=${SITES.join(';')}&${name}`)).toContain('"Temperature, water"')
    expect((await get(simulator, '/data/Result/search', `siteid=${SITES.join(',')}&mimeType=csv`)).text).not.toContain(
      '\n',
    )
  })

  it('a state without its country, and finds nothing', async () => {
    const bare = await get(simulator, '/data/Station/search', { statecode: '55', mimeType: 'csv' })
    expect(bare).toMatchObject({ status: 200 })
    expect(bare.headers['total-site-count']).toBe('0')
    const full = await get(simulator, '/data/Station/search', { statecode: 'US:55', mimeType: 'csv', counts: 'yes' })
    expect(Number(full.headers['total-site-count'])).toBeGreaterThan(300)
  })

  it('a county in place of its state, and a state in place of its country', async () => {
    const count = async (query: Record<string, string>): Promise<number> => {
      const { headers } = await get(
        simulator,
        '/data/Station/search',
        { ...query, mimeType: 'csv' },
        { method: 'HEAD' },
      )
      return Number(headers['total-site-count'])
    }
    const county = await count({ countycode: 'US:55:025' })
    expect(county).toBeGreaterThan(20)
    expect(await count({ countycode: 'US:55:025', statecode: 'US:55', countrycode: 'US' })).toBe(county)
    const both = await count({ countycode: 'US:55:025', statecode: 'US:44' })
    expect(both).toBe(county + (await count({ statecode: 'US:44' })))
  })

  it('capitals in paths as they come', async () => {
    for (const path of ['/data/result/search', '/data/Result/Search', '/DATA/RESULT/SEARCH']) {
      expect(await get(simulator, path, SMALL, { method: 'HEAD' })).toMatchObject({ status: 200 })
    }
    expect(await get(simulator, '/data/Nothing/search', SMALL)).toMatchObject({ status: 404 })
  })
})
