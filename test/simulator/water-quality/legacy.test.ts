import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { get, readTable, SITES, SMALL, tableOf } from './table.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator()
})
afterAll(() => simulator.close())

const AREA = { countycode: 'US:55:025', startDateLo: '01-01-2022', startDateHi: '12-31-2022', mimeType: 'csv' }

describe('tables of the older interface', () => {
  it.each([
    ['/data/Station/search', '', 37, 'station', ['site']],
    ['/data/Result/search', '', 63, 'result', ['site', 'activity', 'result']],
    ['/data/Result/search', 'biological', 156, 'biologicalresult', ['site', 'activity', 'result']],
    ['/data/Result/search', 'narrowResult', 78, 'narrowresult', ['site', 'activity', 'result']],
    ['/data/Result/search', 'resultPhysChem', 81, 'resultphyschem', ['site', 'activity', 'result']],
    ['/data/Result/search', 'resultPrimary', 101, 'resultprimary', ['site', 'activity', 'result']],
    ['/data/Result/search', 'resultBroad', 162, 'resultbroad', ['site', 'activity', 'result']],
    ['/data/Activity/search', '', 73, 'activity', ['site', 'activity']],
    ['/data/Activity/search', 'activityAll', 77, 'activityall', ['site', 'activity']],
    ['/data/ActivityMetric/search', '', 21, 'activitymetric', ['site', 'activity', 'activitymetric']],
    ['/data/BiologicalMetric/search', '', 18, 'biologicalmetric', ['site', 'biologicalmetric']],
    ['/data/Organization/search', '', 32, 'organization', ['organization']],
    ['/data/Project/search', '', 10, 'project', ['project']],
    [
      '/data/ProjectMonitoringLocationWeighting/search',
      '',
      19,
      'projectmonitoringlocationweighting',
      ['projectmonitoringlocationweighting'],
    ],
    [
      '/data/ResultDetectionQuantitationLimit/search',
      '',
      10,
      'resdetectqntlmt',
      ['site', 'activity', 'result', 'resultdetectionquantitationlimit'],
    ],
    ['/data/summary/monitoringLocation/search', 'periodOfRecord', 19, 'periodofrecord', ['site']],
  ])(
    '%s %s has %i columns, a name and its counts, which the rows meet',
    async (path, profile, columns, stem, counts) => {
      const query = { ...AREA, ...(profile === '' ? {} : { dataProfile: profile }) }
      const { status, headers, text } = await get(simulator, path, query)
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'text/csv;charset=UTF-8',
        'content-disposition': `attachment; filename=${stem}.csv`,
        'transfer-encoding': 'chunked',
      })
      expect(headers).not.toHaveProperty('content-length')
      expect(headers).not.toHaveProperty('etag')
      const table = readTable(text)
      expect(table.columns).toHaveLength(columns)
      expect(table.rows.length).toBeGreaterThan(0)
      expect(text.endsWith('\n')).toBe(false)
      expect(text).not.toContain('\r')
      const announced = Object.keys(headers).flatMap(name => /^total-(.+)-count$/.exec(name)?.[1] ?? [])
      expect(announced).toEqual(counts)
      if (stem === 'periodofrecord') return
      expect(Number(headers[`total-${counts.at(-1)}-count`])).toBe(table.rows.length)
      for (const kind of counts) {
        const shares = ['nwis', 'storet', 'stewards'].map(name => Number(headers[`${name}-${kind}-count`] ?? 0))
        expect(shares.reduce((sum, share) => sum + share)).toBe(Number(headers[`total-${kind}-count`]))
      }
    },
  )

  it('nothing found is the header line alone, and counts of zero for nobody', async () => {
    const { status, text, headers } = await get(simulator, '/data/Result/search', { siteid: 'USGS-0', mimeType: 'csv' })
    expect(status).toBe(200)
    expect(text).toMatch(/^OrganizationIdentifier,[^\n]*ProviderName$/)
    expect(headers['total-result-count']).toBe('0')
    expect(Object.keys(headers).filter(name => /^(nwis|storet)/.test(name))).toEqual([])
  })

  it('two columns have the same name, and both have their own text', async () => {
    const table = await tableOf(get(simulator, '/data/ProjectMonitoringLocationWeighting/search', AREA))
    const places = table.columns.flatMap((name, index) => (name === 'ResourceSubjectText' ? [index] : []))
    expect(places).toEqual([12, 14])
    expect(table.rows[0]?.[12]).not.toBe(table.rows[0]?.[14])
  })

  it('limits are several to a result, so that a join multiplies rows', async () => {
    const table = await tableOf(get(simulator, '/data/ResultDetectionQuantitationLimit/search', AREA))
    const ids = table.column('ResultIdentifier')
    expect(new Set(ids).size).toBeLessThan(ids.length)
  })
})

describe('dates', () => {
  const days = async (query: Record<string, string>): Promise<readonly string[]> =>
    (
      await tableOf(get(simulator, '/data/Activity/search', { siteid: 'USGS-01910007', mimeType: 'csv', ...query }))
    ).column('ActivityStartDate')

  it.each([
    ['both ends are inside', { startDateLo: '03-01-2023', startDateHi: '03-05-2023' }, 5],
    ['one day is one day', { startDateLo: '03-01-2023', startDateHi: '03-01-2023' }, 1],
    ['an end before the start finds nothing', { startDateLo: '03-02-2023', startDateHi: '03-01-2023' }, 0],
  ])('%s', async (_, query, count) => {
    const dates = [...(await days(query))].sort()
    expect(dates).toHaveLength(count)
    if (count > 0) expect(dates[0]).toBe('2023-03-01')
  })

  it('adjacent spans hold every row once', async () => {
    const whole = await days({ startDateLo: '01-01-2023', startDateHi: '12-31-2023' })
    const parts = await Promise.all([
      days({ startDateLo: '01-01-2023', startDateHi: '06-30-2023' }),
      days({ startDateLo: '07-01-2023', startDateHi: '12-31-2023' }),
    ])
    expect(whole).toHaveLength(365)
    expect(parts.flat().sort()).toEqual([...whole].sort())
  })

  it('rows without a date meet no filter by date, however wide', async () => {
    const path = '/data/Result/search'
    const query = { siteid: 'SPECIMEN_WQX-UNDATED', mimeType: 'csv' }
    expect((await tableOf(get(simulator, path, query))).rows).toHaveLength(3)
    const wide = { ...query, startDateLo: '01-01-1800', startDateHi: '12-31-2199' }
    expect((await tableOf(get(simulator, path, wide))).rows).toHaveLength(0)
    expect((await tableOf(get(simulator, path, { ...query, startDateLo: '01-01-1800' }))).rows).toHaveLength(0)
  })

  it("the Survey's rows stop on 2024-03-11", async () => {
    const site = { siteid: 'USGS-05510007', mimeType: 'csv' }
    const after = await tableOf(get(simulator, '/data/Result/search', { ...site, startDateLo: '03-12-2024' }))
    expect(after.rows).toEqual([])
    const newer = await tableOf(get(simulator, '/wqx3/Result/search', { ...site, startDateLo: '03-12-2024' }))
    expect(newer.rows.length).toBeGreaterThan(0)
  })
})

describe('ways to ask', () => {
  it('HEAD has the same headers and no body', async () => {
    const whole = await get(simulator, '/data/Result/search', SMALL)
    const head = await get(simulator, '/data/Result/search', SMALL, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, text: '' })
    for (const name of ['content-type', 'content-disposition', 'total-result-count', 'nwis-site-count']) {
      expect(head.headers[name]).toBe(whole.headers[name])
    }
  })

  it('POST as a form or in JSON, lists in the body, the form of the answer in the address', async () => {
    const plain = (await get(simulator, '/data/Result/search', { ...SMALL, sorted: 'yes' })).text
    const { mimeType, siteid, ...rest } = SMALL
    const json = { ...rest, siteid: siteid.split(';'), sorted: 'yes', mimeType: 'xml' }
    const post = (type: string, body: string): Promise<string> =>
      get(simulator, '/data/Result/search', `mimeType=${mimeType}`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      }).then(({ text }) => text)
    expect(await post('application/json', JSON.stringify(json))).toBe(plain)
    const form = new URLSearchParams({ ...rest, siteid, sorted: 'yes' })
    expect(await post('application/x-www-form-urlencoded', String(form))).toBe(plain)
  })

  it('counts alone, as texts', async () => {
    const body = JSON.stringify({ siteid: [SITES[0]], startDateLo: '01-01-2022', startDateHi: '12-31-2022' })
    const headers = { 'content-type': 'application/json' }
    const reply = await get(simulator, '/data/Result/search/count', 'mimeType=json', { method: 'POST', body, headers })
    const truth = simulator.truth.waterQuality.counts({
      service: 'legacy',
      query: JSON.parse(body) as Record<string, string>,
    })
    expect(reply.headers['content-type']).toBe('application/json')
    expect(reply.headers).not.toHaveProperty('content-disposition')
    expect(JSON.parse(reply.text)).toEqual({
      'Total-Site-Count': '1',
      'NWIS-Site-Count': '1',
      'Total-Activity-Count': String(truth['NWIS']?.activities),
      'NWIS-Activity-Count': String(truth['NWIS']?.activities),
      'Total-Result-Count': String(truth['NWIS']?.results),
      'NWIS-Result-Count': String(truth['NWIS']?.results),
    })
  })

  it.each(['counts', 'count'])('%s=no leaves all counts out', async name => {
    const { headers } = await get(simulator, '/data/Result/search', { ...SMALL, [name]: 'no' })
    expect(Object.keys(headers).filter(header => header.endsWith('-count'))).toEqual([])
  })

  it('zip holds one entry with the same text', async () => {
    const plain = (await get(simulator, '/data/Result/search', { ...SMALL, sorted: 'yes' })).text
    const { headers, bytes } = await get(simulator, '/data/Result/search', { ...SMALL, sorted: 'yes', zip: 'yes' })
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename=result.zip',
    })
    expect(bytes.readUInt32LE(0)).toBe(0x04034b50)
    const nameLength = bytes.readUInt16LE(26)
    expect(bytes.subarray(30, 30 + nameLength).toString()).toBe('result.csv')
    expect(inflateRawSync(bytes.subarray(30 + nameLength)).toString()).toBe(plain)
    const end = bytes.subarray(bytes.length - 22)
    expect(end.readUInt32LE(0)).toBe(0x06054b50)
    const directory = end.readUInt32LE(16)
    expect(bytes.readUInt32LE(directory)).toBe(0x02014b50)
    expect(bytes.readUInt32LE(directory + 24)).toBe(Buffer.byteLength(plain))
  })

  it('tsv has no quotes: line breaks and tabs become blanks', async () => {
    const query = { siteid: 'SPECIMEN_WQX-TEXTS', mimeType: 'tsv' }
    const { headers, text } = await get(simulator, '/data/Result/search', query)
    expect(headers['content-type']).toBe('text/tab-separated-values;charset=UTF-8')
    const lines = text.split('\n')
    expect(lines).toHaveLength(9)
    expect(new Set(lines.map(line => line.split('\t').length))).toEqual(new Set([63]))
    expect(text).toContain('\the said "yes"\t')
  })

  it('what is known and not made here says so', async () => {
    for (const mimeType of ['xml', 'xlsx']) {
      expect(await get(simulator, '/data/Result/search', { ...SMALL, mimeType })).toMatchObject({ status: 501 })
    }
  })
})

describe('order', () => {
  it('is another one each time, the rows being the same; sorted=yes is always one', async () => {
    const ask = (more: Record<string, string>): Promise<string> =>
      get(simulator, '/data/Result/search', { ...AREA, ...more }).then(({ text }) => text)
    const [first, second] = [await ask({}), await ask({})]
    expect(first).not.toBe(second)
    const rows = (text: string): string[] =>
      readTable(text)
        .rows.map(row => row.join('|'))
        .sort()
    expect(rows(first)).toEqual(rows(second))
    expect(await ask({ sorted: 'yes' })).toBe(await ask({ sorted: 'yes' }))
  })

  it('above the limit of rows is none, and a warning without a number says so', async () => {
    const small = await startSimulator({ waterQuality: { rowLimit: 10 } })
    const { status, headers } = await get(small, '/data/Result/search', SMALL)
    expect(status).toBe(200)
    expect(headers.warning).toBe('This query will return in excess of 10 results, the data will not be sorted.')
    const refused = await get(small, '/data/Result/search', { ...SMALL, mimeType: 'xml' })
    expect(refused).toMatchObject({ status: 400, text: '' })
    expect(refused.headers.warning).toBe('This query will return in excess of 10 results, please refine your query.')
    await small.close()
  })
})
