import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSimulator, type MishapAction, type Simulator } from '../../../src/simulator/index.ts'
import type { Reply } from '../ask.ts'
import { get, readTable, SMALL, tableOf, type Table } from './table.ts'

const PATH = '/data/Result/search'
const SENTENCE = 'Something bad happened. Contact us with Reference Number: 1893345127'

let simulator: Simulator
let whole: Table
beforeEach(async () => {
  simulator = await startSimulator()
  whole = await tableOf(get(simulator, PATH, SMALL))
})
afterEach(() => simulator.close())

const withMishap = (action: MishapAction, path = PATH, query: Record<string, string> = SMALL): Promise<Reply> => {
  simulator.setFaults([{ do: action }])
  return get(simulator, path, query)
}

describe('a query that breaks down', () => {
  it.each([
    ['half of the rows', {}, (rows: number) => Math.floor(rows / 2)],
    ['ten rows', { afterRows: 10 }, () => 10],
    ['nine tenths', { at: 0.9 }, (rows: number) => Math.floor(rows * 0.9)],
  ])('after %s is a good 200 whose last field has the sentence glued to it', async (_, where, expected) => {
    const { status, text, failure, headers } = await withMishap({ type: 'breakDown', when: 'after-rows', ...where })
    expect({ status, failure }).toEqual({ status: 200, failure: undefined })
    expect(text.endsWith(SENTENCE)).toBe(true)
    const { rows } = readTable(text)
    expect(rows).toHaveLength(expected(whole.rows.length))
    expect(rows.at(-1)?.at(-1)).toMatch(/^(NWIS|STORET)Something bad happened\. Contact us with Reference Number: \d+$/)
    expect(headers['total-result-count']).toBe(String(whole.rows.length))
    expect(headers).not.toHaveProperty('fatal-error')
  })

  it('before the first row is a 500: the header line and the sentence right behind it, and a header', async () => {
    const { status, text, headers } = await withMishap({ type: 'breakDown', when: 'before-rows', reference: -5 })
    const sentence = SENTENCE.replace('1893345127', '-5')
    expect(status).toBe(500)
    expect(text).toBe(whole.columns.join(',') + sentence)
    expect(headers).toMatchObject({ 'fatal-error': sentence, 'content-type': 'text/csv;charset=UTF-8' })
  })

  it('while counting is a 500 without a body, its type and file name already set', async () => {
    const { status, text, headers } = await withMishap({ type: 'breakDown', when: 'counting' })
    expect({ status, text }).toEqual({ status: 500, text: '' })
    expect(headers).toMatchObject({
      'fatal-error': SENTENCE,
      'content-type': 'text/csv;charset=UTF-8',
      'content-disposition': 'attachment; filename=result.csv',
    })
  })

  it('leaves the sentence inside an archive', async () => {
    const action = { type: 'breakDown', when: 'after-rows', afterRows: 2 } as const
    const { status, bytes } = await withMishap(action, PATH, { ...SMALL, zip: 'yes' })
    const { inflateRawSync } = await import('node:zlib')
    expect(status).toBe(200)
    const text = inflateRawSync(bytes.subarray(30 + bytes.readUInt16LE(26))).toString()
    expect(text.endsWith(SENTENCE)).toBe(true)
  })

  it('because it is too large is a 500 by itself', async () => {
    const small = await startSimulator({ waterQuality: { mostResults: 20 } })
    const { status, text, headers } = await get(small, PATH, SMALL)
    expect(status).toBe(500)
    expect(text).toBe(whole.columns.join(',') + SENTENCE)
    expect(headers['fatal-error']).toBe(SENTENCE)
    expect(await get(small, '/wqx3/Result/search', SMALL)).toMatchObject({ status: 500 })
    const day = { ...SMALL, startDateLo: '02-09-2022', startDateHi: '02-09-2022' }
    expect(await get(small, PATH, day)).toMatchObject({ status: 200 })
    await small.close()
  })
})

describe('incomplete data', () => {
  it.each([
    ['a line of its own', {}, /\nERROR: INCOMPLETE DATA$/],
    ['as many fields as any other', { padded: true }, /\nERROR: INCOMPLETE DATA,{62}$/],
  ])('end with %s', async (_, how, end) => {
    const { status, text } = await withMishap({ type: 'incomplete', afterRows: 7, ...how })
    expect(status).toBe(200)
    expect(text).toMatch(end)
    expect(readTable(text.slice(0, text.lastIndexOf('\n'))).rows).toHaveLength(7)
  })

  it('may stand in the middle', async () => {
    const { text } = await withMishap({ type: 'incomplete', afterRows: 7, padded: true, goesOn: true })
    const { rows } = readTable(text)
    expect(rows).toHaveLength(whole.rows.length + 1)
    expect(rows[7]?.[0]).toBe('ERROR: INCOMPLETE DATA')
  })
})

describe('counts that are not met', () => {
  it('in every header', async () => {
    const { headers, text } = await withMishap({ type: 'announce', add: 100 })
    expect(Number(headers['total-result-count'])).toBe(whole.rows.length + 100)
    expect(Number(headers['total-site-count'])).toBe(102)
    expect(readTable(text).rows).toHaveLength(whole.rows.length)
  })

  it('of one kind and provider, and of the total with it', async () => {
    const good = await get(simulator, PATH, SMALL)
    const { headers } = await withMishap({ type: 'announce', add: -2, of: 'Result', provider: 'STORET' })
    const change = (name: string): number => Number(headers[name]) - Number(good.headers[name])
    expect(['total-result-count', 'storet-result-count', 'nwis-result-count', 'total-site-count'].map(change)).toEqual([
      -2, -2, 0, 0,
    ])
  })
})

describe('lists of codes out of reach', () => {
  const query = { ...SMALL, characteristicName: 'Phosphorus' }

  it('look like a mistake of the client', async () => {
    const { status, text, headers } = await withMishap({ type: 'codesDown' }, PATH, query)
    expect({ status, text }).toEqual({ status: 400, text: '' })
    expect(headers.warning).toBe(
      '299 WQP "The value of characteristicName=Phosphorus is not in the list of enumerated values."',
    )
  })

  it('or are admitted', async () => {
    const { status, headers } = await withMishap({ type: 'codesDown', as: 'unavailable' }, PATH, query)
    expect(status).toBe(400)
    expect(headers.warning).toBe(
      '299 WQP "Server error: We cannot access the list of enumerated values to validate your parameter(characteristicName)."',
    )
  })
})

describe('rows changed as for any service', () => {
  const ids = async (query: Record<string, string> = {}): Promise<readonly string[]> =>
    (await tableOf(get(simulator, PATH, { ...SMALL, dataProfile: 'resultPhysChem', sorted: 'yes', ...query }))).column(
      'ResultIdentifier',
    )

  it('reversed, dropped, doubled, beyond the span, spoiled, with a warning', async () => {
    const good = await ids()
    const changed = async (fault: Parameters<Simulator['setFaults']>[0][number]['do']): Promise<readonly string[]> => {
      simulator.setFaults([{ do: fault }])
      return ids()
    }
    expect(await changed({ type: 'rows', order: 'reversed' })).toEqual(good.toReversed())
    expect(await changed({ type: 'rows', drop: [0, 2, -1] })).toEqual(
      good.filter((_, n) => ![0, 2, good.length - 1].includes(n)),
    )
    const doubled = await changed({ type: 'rows', duplicate: 4 })
    expect(doubled).toHaveLength(good.length + 4)
    expect(new Set(doubled)).toEqual(new Set(good))
    const beyond = await changed({ type: 'rows', beyond: 2 })
    expect(beyond.slice(2, -2)).toEqual(good)
    expect([...beyond.slice(0, 2), ...beyond.slice(-2)].some(id => good.includes(id))).toBe(false)
    simulator.setFaults([{ do: { type: 'rows', nan: true, warn: true } }])
    const reply = await get(simulator, PATH, SMALL)
    expect(readTable(reply.text).column('ResultMeasureValue')).toContain('NaN')
    expect(reply.headers.warning).toMatch(/in excess of/)
  })

  it('dropped by their day', async () => {
    simulator.setFaults([{ do: { type: 'rows', drop: [{ from: '2022-01-01', to: '2022-06-30' }] } }])
    const dates = (await tableOf(get(simulator, PATH, SMALL))).column('ActivityStartDate')
    expect(dates.length).toBeGreaterThan(0)
    expect([...dates].sort()[0]?.slice(0, 7)).not.toBe('2022-02')
    expect(dates.filter(date => date !== '' && date <= '2022-06-30')).toEqual([])
  })
})

describe('faults of any service', () => {
  it.each([
    [{ type: 'status', status: 400 } as const, 400, /^$/],
    [{ type: 'status', status: 406 } as const, 406, /"status":406/],
    [{ type: 'status', status: 413 } as const, 413, /<h1>413 Request Entity Too Large/],
    [{ type: 'status', status: 500 } as const, 500, /^Something bad happened/],
    [{ type: 'status', status: 503, headers: { 'Retry-After': '7' } } as const, 503, /<h1>503 /],
    [{ type: 'status', status: 504 } as const, 504, /<h1>504 Gateway Time-out/],
    [{ type: 'html' } as const, 200, /^<!doctype html>/],
  ])('%j in the words of the Portal', async (action, status, body) => {
    simulator.setFaults([{ do: action }])
    const reply = await get(simulator, PATH, SMALL)
    expect(reply.status).toBe(status)
    expect(reply.text).toMatch(body)
  })

  it('strike by the span of days, whole ones, in whatever the method', async () => {
    const day = 86_400_000
    simulator.setFaults([{ when: { spanOverMs: 15 * day }, do: { type: 'status', status: 504 } }])
    const status = async (first: string, last: string): Promise<number | undefined> =>
      (await get(simulator, PATH, { ...SMALL, startDateLo: first, startDateHi: last })).status
    expect(await status('01-01-2022', '01-15-2022')).toBe(200)
    expect(await status('01-01-2022', '01-16-2022')).toBe(504)
    const body = JSON.stringify({ siteid: ['USGS-1'], startDateLo: '01-01-2022', startDateHi: '01-16-2022' })
    const headers = { 'content-type': 'application/json' }
    expect(await get(simulator, PATH, 'mimeType=csv', { method: 'POST', body, headers })).toMatchObject({ status: 504 })
    const samples = { activityStartDateLower: '2022-01-01', activityStartDateUpper: '2022-01-16' }
    expect(await get(simulator, '/samples-data/results/narrow', samples)).toMatchObject({ status: 504 })
    const { spanMs } = simulator.requests.at(-1) ?? {}
    expect(spanMs).toBe(16 * day - 1)
  })

  it('know the same question in another spelling', async () => {
    simulator.setFaults([{ when: { attempts: 1 }, do: { type: 'status', status: 503 } }])
    const [first, second] = SMALL.siteid.split(';')
    const rest = new URLSearchParams({ ...SMALL, siteid: '' }).toString()
    expect(await get(simulator, PATH, SMALL)).toMatchObject({ status: 503 })
    expect(await get(simulator, PATH, `siteid=${second}&siteid=${first}&${rest}`)).toMatchObject({ status: 200 })
    const { siteid, mimeType, ...dates } = SMALL
    const body = JSON.stringify({ ...dates, siteid: siteid.split(';') })
    const headers = { 'content-type': 'application/json' }
    const posted = await get(simulator, PATH, `mimeType=${mimeType}`, { method: 'POST', body, headers })
    expect(posted).toMatchObject({ status: 200 })
  })
})
