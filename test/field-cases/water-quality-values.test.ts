import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ResultRow, ResultsQuery } from '../../src/adapters/water-quality/index.ts'
import { createTableReader } from '../../src/adapters/water-quality/csv.ts'
import { errorOf } from '../support/field-case.ts'
import { runScript } from '../support/run-script.ts'
import { answer, startScripted, type Script } from '../support/scripted-server.ts'
import { qualityBody, qualityClient, simulateQuality, SITES, targets } from '../support/water-quality.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const HEADER = qualityBody('wqx3.narrow.csv').split('\n', 1)[0] ?? ''
const NAMES = HEADER.split(',')
const DAY: ResultsQuery = { siteId: 'USGS-1', start: '2023-07-15', end: '2023-07-15' }

/** A table of the newer interface in which these cells are filled. */
function table(rows: readonly Readonly<Record<string, string>>[], lineEnd = '\n'): string {
  const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return [HEADER, ...rows.map(row => NAMES.map(name => quoted(row[name] ?? '')).join(','))].join(lineEnd)
}

const BASE = { Location_Identifier: 'USGS-1', Activity_StartDate: '2023-07-15', ProviderName: 'USGS' }
const row = (n: number, cells: Readonly<Record<string, string>>): Record<string, string> => ({
  ...BASE,
  Result_MeasureIdentifier: `r${n}`,
  ...cells,
})
const csv =
  (body: string | Buffer): Script =>
  visit =>
    answer(visit, { body, headers: { 'content-type': 'text/csv;charset=UTF-8' } })

async function resultsOf(body: string | Buffer, query: ResultsQuery = DAY) {
  const server = await startScripted(csv(body))
  return qualityClient(server).getResults(query)
}

const byId = (rows: readonly ResultRow[]): ResultRow[] =>
  [...rows].sort((a, b) => (String(a['Result_MeasureIdentifier']) < String(b['Result_MeasureIdentifier']) ? -1 : 1))

describe('F08: zone codes', () => {
  const zones = ['UTC', 'EST', 'EDT', 'XYZ', '']
  const cells = zones.map((zone, n) => row(n, { Activity_StartTime: '10:30:00', Activity_StartTimeZone: zone }))
  const expected = ['2023-07-15T10:30:00.000Z', '2023-07-15T15:30:00.000Z', '2023-07-15T14:30:00.000Z', null, null]

  it('F08: say themselves whether they are standard or daylight time; what means nothing gives no instant', async () => {
    const { rows, warnings } = await resultsOf(table(cells))
    const sorted = byId(rows)
    expect(sorted.map(one => (one.Activity_StartDateTime as Date | null)?.toISOString() ?? null)).toEqual(expected)
    expect(
      sorted.map(one => [one['Activity_StartDate'], one['Activity_StartTime'], one['Activity_StartTimeZone']]),
    ).toEqual(zones.map(zone => ['2023-07-15', '10:30:00', zone || null]))
    expect(warnings.join()).toContain('2 of 5 rows have no instant')
    expect(warnings.join()).toContain('XYZ')
  })

  it('F08: the same under three settings of TZ', { timeout: 60_000 }, async () => {
    const file = join(tempFolder(), 'zones.csv')
    const more = row(9, {
      Activity_StartDate: '2023-03-12',
      Activity_StartTime: '02:30',
      Activity_StartTimeZone: 'CST',
    })
    writeFileSync(file, table([...cells, more]))
    const script = join(import.meta.dirname, 'scripts/quality-instants.ts')
    for (const TZ of ['UTC', 'America/Chicago', 'Pacific/Auckland']) {
      const { code, stdout, stderr } = await runScript(script, [file], { TZ })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      // Half past two does not exist on that morning in Chicago; with its code it does.
      expect(JSON.parse(stdout)).toEqual({ timeZone: TZ, instants: [...expected, '2023-03-12T08:30:00.000Z'] })
    }
  })

  it('F08: a code that is doubtful here can be told', async () => {
    const one = row(0, { Activity_StartTime: '10:30:00', Activity_StartTimeZone: 'SST' })
    const told = await resultsOf(table([one]), { ...DAY, zones: { SST: -11 } })
    expect(told.rows[0]?.Activity_StartDateTime).toEqual(new Date('2023-07-15T21:30:00Z'))
    expect((await resultsOf(table([one]))).rows[0]?.Activity_StartDateTime).toBeNull()
  })
})

describe('F47: values', () => {
  it('F47: numbers where the text is a plain one, else nothing; the text stays, and one odd value changes no other', async () => {
    const texts = ['<0.5', 'ND', '1,200', '1e-3', '8.0', '', '>2,420', '*Non-detect', 'NaN', '0x10', ' 5']
    const { rows, warnings } = await resultsOf(table(texts.map((text, n) => row(n, { Result_Measure: text }))))
    const said = [...rows]
      .sort(
        (a, b) =>
          Number(String(a['Result_MeasureIdentifier']).slice(1)) -
          Number(String(b['Result_MeasureIdentifier']).slice(1)),
      )
      .map(one => [one['Result_Measure'], one.value, one.censored, one.limit])
    expect(said).toEqual([
      ['<0.5', null, 'below', 0.5],
      ['ND', null, null, null],
      ['1,200', null, null, null],
      ['1e-3', 0.001, null, null],
      ['8.0', 8, null, null],
      [null, null, null, null],
      ['>2,420', null, 'above', null],
      ['*Non-detect', null, 'below', null],
      ['NaN', null, null, null],
      ['0x10', null, null, null],
      [' 5', null, null, null],
    ])
    expect(warnings.join()).toMatch(/5 values are no plain number, such as '.+'; their text is in Result_Measure/)
  })
})

describe('F48: codes', () => {
  it('F48: stay text with their zeros in rows, in files and when they are asked for', async () => {
    const result = await resultsOf(table([row(0, { Location_HUCEightDigitCode: '07090002', USGSpcode: '00665' })]))
    expect(result.rows[0]).toMatchObject({ Location_HUCEightDigitCode: '07090002', USGSpcode: '00665' })
    expect(result.toCsv()).toContain(',07090002,')
    expect(result.toJsonl()).toContain('"USGSpcode":"00665"')
    const simulator = await simulateQuality()
    await qualityClient(simulator).getResults({
      parameterCode: '00665',
      huc: '07090002',
      stateCode: '06',
      ...DAY,
      siteId: SITES[0],
    })
    expect(targets(simulator)[0]).toMatch(/statecode=US:06.*huc=07090002.*pCode=00665/)
    const error = await errorOf(qualityClient(simulator).getResults({ parameterCode: 665 as never }))
    expect(error).toMatchObject({ argument: 'parameterCode' })
  })
})

describe('F53, F54: the dialect', () => {
  it('F53: line breaks, commas and quotes inside fields', async () => {
    const comment = 'first line\nsecond, "quoted" line'
    const { rows } = await resultsOf(table([row(0, { DataQuality_ResultComment: comment }), row(1, {})]))
    expect(rows).toHaveLength(2)
    expect(byId(rows)[0]?.['DataQuality_ResultComment']).toBe(comment)
  })

  it('F53: a quote in an unquoted name stays; one that is never closed is an error that names its line', async () => {
    const plain = table([row(0, { Location_Name: 'X' })]).replace(',X,', ',A 5" PIPE,')
    expect((await resultsOf(plain)).rows[0]?.['Location_Name']).toBe('A 5" PIPE')
    const open = table([row(0, {}), row(1, { Location_Name: 'X' }), row(2, {})]).replace(',X,', ',"X,')
    const server = await startScripted(csv(open))
    const error = await errorOf(qualityClient(server, { retries: 1, maxSplitDepth: 0 }).getResults(DAY))
    expect((error as Error).message).toMatch(/breaks off after 1 rows: quoted field unterminated, near line 3/)
  })

  it('F54: a byte-order mark, other line ends, a blank last line', async () => {
    const body = `\uFEFF${table([row(0, {}), row(1, { USGSpcode: '00010' })], '\r\n')}\r\n\r\n`
    const { rows, columns } = await resultsOf(body)
    expect(columns[0]?.name).toBe('Org_Identifier')
    expect(rows).toHaveLength(2)
    expect(byId(rows)[1]?.['USGSpcode']).toBe('00010')
    expect(JSON.stringify(rows)).not.toContain('\\r')
  })

  it('F54: two columns of one name are both kept', () => {
    const seen: string[][] = []
    const reader = createTableReader({ header: () => {}, row: fields => void seen.push(fields) })
    reader.take(Buffer.from('Name,Value,Name\n1,2,3\n'))
    reader.end()
    expect(seen).toEqual([['1', '2', '3']])
  })
})

describe('a window of UTC', () => {
  const at = (n: number, day: string, time: string, zone: string): Record<string, string> =>
    row(n, { Activity_StartDate: day, Activity_StartTime: time, Activity_StartTimeZone: zone })

  it('asks for a day more on each side, leaves out what lies outside, and keeps by its day what has no instant', async () => {
    const body = table([
      at(0, '2023-07-14', '23:30:00', 'CST'),
      at(1, '2023-07-15', '10:00:00', 'UTC'),
      at(2, '2023-07-15', '23:30:00', 'CST'),
      at(3, '2023-07-16', '00:30:00', 'UTC'),
      at(4, '2023-07-15', '', ''),
      at(5, '2023-07-14', '', ''),
    ])
    const server = await startScripted(csv(body))
    const { rows, meta } = await qualityClient(server).getResults({
      siteId: 'USGS-1',
      start: '2023-07-15T00:00Z',
      end: '2023-07-15T23:59:59Z',
    })
    expect(byId(rows).map(one => one['Result_MeasureIdentifier'])).toEqual(['r0', 'r1', 'r4'])
    expect(meta).toMatchObject([{ rows: 3, rowsOutside: 3 }])
    expect(server.arrivals[0]?.query.get('startDateLo')).toBe('07-14-2023')
    expect(server.arrivals[0]?.query.get('startDateHi')).toBe('07-16-2023')
  })

  it('needs the derived instants', async () => {
    const server = await startScripted(csv(HEADER))
    const error = await errorOf(
      qualityClient(server).getResults({
        siteId: 'USGS-1',
        start: '2023-07-15T00:00Z',
        end: '2023-07-16',
        derive: false,
      }),
    )
    expect(error).toMatchObject({ argument: 'derive' })
    expect(server.arrivals).toEqual([])
  })
})

describe('the same measurement from several providers', () => {
  const cells = {
    Result_Characteristic: 'pH',
    Result_Measure: '7.1',
    Activity_StartTime: '10:00:00',
    Activity_StartTimeZone: 'UTC',
  }
  const body = table([
    row(0, cells),
    row(1, { ...cells, ProviderName: 'STORET', Org_Identifier: 'STATE', Activity_ActivityIdentifier: 'x' }),
    row(2, { ...cells, ProviderName: 'STORET', Result_Measure: '7.2' }),
  ])

  it('is kept and counted, and merged only on request', async () => {
    const kept = await resultsOf(body)
    expect(kept.rows).toHaveLength(3)
    expect(kept.warnings.join()).toContain('1 rows say the same as a row of another provider; all are kept')
    const merged = await resultsOf(body, { ...DAY, repeats: 'merge' })
    expect(merged.rows).toHaveLength(2)
    expect(merged.meta).toMatchObject([{ rows: 2, rowsMerged: 1 }])
    expect(merged.withMeta()).toHaveLength(2)
  })

  it('R56: a result that comes twice under one number is there once', async () => {
    const { rows, meta } = await resultsOf(table([row(0, cells), row(1, cells), row(0, cells)]))
    expect(rows).toHaveLength(2)
    expect(meta).toMatchObject([{ rows: 2, rowsMerged: 1 }])
  })
})
