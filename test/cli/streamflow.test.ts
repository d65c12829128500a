import { describe, expect, it } from 'vitest'
import { NO_QUOTAS } from '../support/streamflow.ts'
import { inside, simulated } from './headrace.ts'

const DAYS = ['--start', '2024-01-01', '--end', '2024-01-04']

/** Asks a simulator, and returns how it was asked beside what came. */
async function asked(args: readonly string[]) {
  const { simulator, env } = await simulated({ streamflow: NO_QUOTAS })
  const { url } = simulator
  const left = await inside(['streamflow', ...args, '--base-url', url, '--water-url', url, '--format', 'json', '-q'], {
    env,
  })
  const rows = left.code === 0 ? (JSON.parse(left.stdout) as Record<string, unknown>[]) : []
  return { ...left, rows, requests: simulator.requests }
}

describe('headrace streamflow', () => {
  it('takes lists with commas, and codes with their zeros', async () => {
    const sites = 'USGS-01000000,USGS-01000001'
    const { rows, requests } = await asked([
      'daily',
      '--monitoring-location-id',
      sites,
      '--parameter-code',
      '00060',
      ...DAYS,
    ])
    expect(requests[0]?.query).toMatchObject({ monitoring_location_id: sites, parameter_code: '00060' })
    expect(new Set(rows.map(row => row['monitoring_location_id'])).size).toBeGreaterThan(0)
    expect(rows.every(row => row['parameter_code'] === '00060')).toBe(true)
  })

  it('takes a stretch of time where a filter is one', async () => {
    const modified = ['--last-modified', '2020-01-01/2030-01-01']
    const { requests } = await asked(['daily', '--monitoring-location-id', 'USGS-01000000', ...modified, ...DAYS])
    expect(requests[0]?.query['last_modified']).toBe('2020-01-01T00:00:00Z/2030-01-01T00:00:00Z')
  })

  it('takes corners that begin with a minus', async () => {
    const { requests, code } = await asked(['monitoring-locations', '--bbox', '-90,42,-89.5,43', '--max-rows', '5'])
    expect(requests[0]?.query['bbox']).toBe('-90,42,-89.5,43')
    expect(code).toBe(0)
  })

  it('takes any field of a collection that is named, several times and with commas', async () => {
    const where = ['--where', 'monitoring_location_id=USGS-01000000,USGS-01000001', '--where', 'parameter_code=00060']
    const { requests, rows } = await asked(['collection', 'daily', ...where, ...DAYS])
    expect(requests[0]?.path).toContain('/collections/daily/items')
    expect(requests[0]?.query).toMatchObject({
      monitoring_location_id: 'USGS-01000000,USGS-01000001',
      parameter_code: '00060',
    })
    expect(rows.length).toBeGreaterThan(0)
  })

  it('says yes and no', async () => {
    const feature = ['--feature-source', 'nwissite', '--feature-id', 'USGS-01000000']
    const { requests } = await asked(['basin', ...feature, '--no-simplified', '--split-catchment'])
    expect(requests[0]?.query).toMatchObject({ simplified: 'false', splitCatchment: 'true' })
  })

  it.each<[what: string, args: string[], message: string]>([
    [
      'a choice that is none',
      ['flowlines', '--comid', '1', '--navigation', 'UP'],
      '--navigation must be one of UM, UT, DM, DD',
    ],
    ['a table nobody knows', ['reference-table', 'parameter-cods'], "did you mean 'parameter-codes'?"],
    ['a field without a value', ['collection', 'daily', '--where', 'state'], '--where must be name=value'],
    [
      'a secret among the fields',
      ['collection', 'things', '--where', 'api_key=hunter2hunter2'],
      'looks like a credential',
    ],
    ['a name that is missing', ['collection'], '<name> is missing'],
  ])('refuses %s', async (_, args, message) => {
    const { stderr, code, requests } = await asked(args)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('hunter2')
    expect(requests).toEqual([])
    expect(code).toBe(2)
  })
})

describe('headrace codes', () => {
  it('lists the tables, and shows one by what is looked for', async () => {
    const { simulator } = await simulated()
    const list = await inside(['codes', '--search', 'parameter', '--format', 'csv'])
    expect(list.stdout).toContain('parameter-codes,streamflow\n')
    const types = ['codes', 'site-types', '--base-url', simulator.url, '--format', 'csv', '-q']
    const all = await inside(types)
    const wells = await inside([...types, '--search', 'WELL'])
    expect(all.stdout.split('\n').length).toBeGreaterThan(wells.stdout.split('\n').length)
    expect(wells.stdout).toMatch(/^site_type,.*\nGW,/)
    expect((await inside([...types, '--search', 'nothing of the kind', '--fail-empty'])).code).toBe(4)
  })
})
