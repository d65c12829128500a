import { describe, expect, it } from 'vitest'
import { QueryError } from '../../../src/index.ts'
import { errorOf } from '../../support/field-case.ts'
import { answer, startScripted } from '../../support/scripted-server.ts'
import { simulateWater, targets, waterClient } from '../../support/streamflow.ts'

/** Path and decoded query of the requests that reached a server. */
const sent = (simulator: Awaited<ReturnType<typeof simulateWater>>): string[] =>
  targets(simulator).map(decodeURIComponent)

describe('getWaterUse', () => {
  const query = {
    model: 'wu-public-supply-wd',
    variable: ['pswdtot', 'pswdgw'],
    start: '2020-01',
    end: '2020-06',
    resolution: 'monthly',
  } as const

  it('asks for each place in a walk of its own', async () => {
    const simulator = await simulateWater()
    const { rows, columns } = await waterClient(simulator).getWaterUse({
      ...query,
      state: ['RI', 'Connecticut'],
      pageSize: 25,
    })
    expect(
      sent(simulator)
        .filter(target => !target.includes('skip'))
        .sort(),
    ).toEqual(
      ['CT', 'RI'].map(
        code =>
          `/nwaa-data/data?format=csv&model=wu-public-supply-wd&variable=pswdtot,pswdgw&location=stateCd:${code}&timeres=monthly&startdate=2020-01&enddate=2020-06&intersection=overlap&limit=25`,
      ),
    )
    expect(rows).toHaveLength(2 * 40 * 6)
    expect(columns.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'location text',
      'huc12_id text',
      'year_month text',
      'pswdtot_mgd number',
      'pswdgw_mgd number',
    ])
    expect(rows[0]).toMatchObject({
      location: 'stateCd:RI',
      huc12_id: expect.stringMatching(/^\d{12}$/) as string,
      year_month: '2020-01',
    })
  })

  it('F50: derives the level of a hydrologic unit from its length', async () => {
    const simulator = await simulateWater()
    await waterClient(simulator).getWaterUse({ ...query, huc: ['04', '010900020502'] })
    expect(sent(simulator).map(target => /location=([^&]*)/.exec(target)?.[1])).toEqual(
      expect.arrayContaining(['huc2:04', 'huc12:010900020502']),
    )
  })

  it.each<[string, string]>([
    ['its former name', 'https://water.usgs.gov/nwaa-data/data?skip=1'],
    ['plain http', 'http://api.water.usgs.gov:80/nwaa-data/data?skip=1'],
    ['a relative reference', '/nwaa-data/data?skip=1'],
  ])('follows a link that names the host by %s', async (_what, href) => {
    const server = await startScripted(visit =>
      answer(visit, {
        headers: {
          'content-type': 'text/csv',
          ...(visit.arrival.query.has('skip') ? {} : { link: `<${href}>; rel="next"` }),
        },
        body: `huc12_id,year\n${visit.arrival.n}0900020502,2020\n`,
      }),
    )
    const { rows } = await waterClient(server).getWaterUse({
      model: 'm',
      variable: 'v',
      huc: '010900020502',
      resolution: 'annualcy',
    })
    expect(rows.map(({ huc12_id, year }) => [huc12_id, year])).toEqual([
      ['10900020502', 2020],
      ['20900020502', 2020],
    ])
  })

  it('R46: refuses a link to any other host', async () => {
    const server = await startScripted(visit =>
      answer(visit, {
        headers: { link: '<https://example.org/nwaa-data/data?skip=1>; rel="next"' },
        body: 'huc12_id,year\n1,2020\n',
      }),
    )
    const error = await errorOf(waterClient(server).getWaterUse({ model: 'm', variable: 'v', huc: '04' }))
    expect(error).toMatchObject({ kind: 'pagination' })
    expect((error as Error).message).toContain('example.org')
    expect(server.arrivals).toHaveLength(1)
  })

  it('R8: a refused query is final, in the words of the service', async () => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getWaterUse({ ...query, model: 'nothing', state: 'RI' }))
    expect(error).toMatchObject({ status: 400, serverMessage: 'Invalid model name: nothing' })
    expect(simulator.requests).toHaveLength(1)
  })

  it.each<[string, string]>([
    ['huc12_id,year\n1\n', 'fields'],
    ['', 'empty'],
    ['<html>gone</html>', 'no table'],
    ['{"detail":"x"}', 'no table'],
  ])('R11: refuses a body of %j', async (body, help) => {
    const server = await startScripted(visit => answer(visit, { body }))
    const error = await errorOf(waterClient(server).getWaterUse({ model: 'm', variable: 'v', huc: '04' }))
    expect(error).toMatchObject({ kind: 'bad_response' })
    expect((error as Error).message).toContain(help)
  })

  it('F42: a line of names alone is no rows', async () => {
    const server = await startScripted(visit => answer(visit, { body: 'huc12_id,year_month,pswdtot_mgd\n' }))
    const { rows, columns } = await waterClient(server).getWaterUse({ ...query, state: 'RI' })
    expect(rows).toEqual([])
    expect(columns.map(({ name }) => name)).toEqual(['location', 'huc12_id', 'year_month'])
  })

  it.each<[object, string]>([
    [{}, 'one of them'],
    [{ state: 'RI', huc: '04' }, 'one of them'],
    [{ huc: '041' }, '2, 4, 6, 8, 10 or 12 digits'],
    [{ county: '25' }, 'five digits'],
    [{ state: 'XX' }, 'is not known'],
    [{ state: 'RI', start: '2020-1' }, 'a year or a month'],
  ])('refuses %j', async (more, help) => {
    const simulator = await simulateWater()
    const error = await errorOf(waterClient(simulator).getWaterUse({ ...query, ...more } as never))
    expect(error).toBeInstanceOf(QueryError)
    expect((error as Error).message).toContain(help)
    expect(simulator.requests).toEqual([])
  })
})
