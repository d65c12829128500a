import { describe, expect, it } from 'vitest'
import { warningsIn } from '../../../src/adapters/water-quality/failures.ts'
import { isRequestError, isRetrievalInterrupted, type RequestError } from '../../../src/index.ts'
import type { Fault, MishapAction } from '../../../src/simulator/index.ts'
import type { Retrieval } from '../../../src/retrieval/index.ts'
import { errorOf } from '../../support/field-case.ts'
import { answer, startScripted } from '../../support/scripted-server.ts'
import {
  qualityBody,
  qualityClient,
  simulateQuality,
  SITES,
  targets,
  truthOf,
  YEAR,
} from '../../support/water-quality.ts'

const SENTENCE = 'Something bad happened. Contact us with Reference Number: 1893345127'
const QUERY = { siteId: SITES, ...YEAR } as const
const TRUTH = { siteid: SITES, startDateLo: '01-01-2022', startDateHi: '12-31-2022' }

/** The failure behind an error, whether it stopped a part or the only one. */
function failureIn(error: unknown): RequestError {
  if (isRetrievalInterrupted(error)) return error.failure
  if (isRequestError(error)) return error
  throw error
}

/** Of one site, in a span that is not halved: nothing smaller can be asked for. */
async function failed(faults: readonly Fault[], service: 'wqx3' | 'legacy', query: object = {}) {
  const simulator = await simulateQuality({ faults })
  const client = qualityClient(simulator, { retries: 1, maxSplitDepth: 0 })
  const error = failureIn(
    await errorOf(client.getResults({ ...QUERY, siteId: SITES[1], interface: service, ...query })),
  )
  return { error, simulator }
}

describe.each(['wqx3', 'legacy'] as const)('a success of the %s interface that failed', service => {
  it.each<[string, MishapAction, RegExp]>([
    ['the sentence glued to the last row', { type: 'breakDown', when: 'after-rows' }, new RegExp(SENTENCE)],
    [
      'the sentence right behind the first row',
      { type: 'breakDown', when: 'after-rows', afterRows: 1 },
      /after 0 rows/,
    ],
    ['a line that says so', { type: 'incomplete' }, /ERROR: INCOMPLETE DATA/],
    [
      'the same with as many fields as any other',
      { type: 'incomplete', padded: true, goesOn: true },
      /INCOMPLETE DATA/,
    ],
  ])('%s is asked for once more, then is an error with the service own words', async (_, action, words) => {
    const { error, simulator } = await failed([{ do: action }], service)
    expect(error).toMatchObject({ kind: 'bad_response', attempts: 2 })
    expect(error.message).toMatch(words)
    expect(error.serverMessage).toMatch(/Something bad happened|INCOMPLETE DATA/)
    expect(targets(simulator)).toHaveLength(2)
  })

  it('that passes is no error', async () => {
    const simulator = await simulateQuality({
      faults: [{ when: { attempts: 1 }, do: { type: 'breakDown', when: 'after-rows' } }],
    })
    const truth = truthOf(simulator, { service, query: TRUTH })
    const { rows, meta } = await qualityClient(simulator).getResults({ ...QUERY, interface: service })
    expect(rows).toHaveLength(truth.size)
    expect(meta).toMatchObject([{ attempts: 2 }])
  })

  it('that stays is asked for in halves, and nothing is there twice', async () => {
    const day = 86_400_000
    const simulator = await simulateQuality({
      faults: [{ when: { spanOverMs: 100 * day }, do: { type: 'incomplete' } }],
    })
    const truth = truthOf(simulator, { service, query: TRUTH })
    const { rows, meta } = await qualityClient(simulator).getResults({ ...QUERY, interface: service })
    expect(rows).toHaveLength(truth.size)
    expect(meta.map(({ depth }) => depth)).toEqual([2, 2, 2, 2])
  })

  it.each<[string, Fault['do']]>([
    ['with its own label', { type: 'html' }],
    ['labelled as a table', { type: 'html', label: 'text/csv' }],
  ])('F44: a web page %s is an error with its first words', async (_, action) => {
    const { error } = await failed([{ do: action }], service)
    expect(error).toMatchObject({ kind: 'bad_response', attempts: 1 })
    expect(error.message).toMatch(/a web page.*came where a table was due: <!doctype html>/)
    expect(error.message.length).toBeLessThan(700)
  })
})

describe('refusals', () => {
  it('the words of an empty 400 stand in its headers, and reach the reader', async () => {
    const { error, simulator } = await failed([], 'legacy', { characteristicName: ['Nonsense', 'Phosphorus'] })
    expect(error).toMatchObject({
      kind: 'http_4xx',
      status: 400,
      attempts: 1,
      serverMessage: 'The value of characteristicName=Nonsense is not in the list of enumerated values.',
    })
    expect(error.message).toContain('lists of codes are out of reach')
    expect(targets(simulator)).toHaveLength(1)
  })

  it('reads folded warnings whose texts hold commas and quotes', () => {
    const folded =
      '299 WQP "The value of siteid=a, "b" must match the format [\\w]+\\-.*\\S", 299 WQP "The value of x=1, 2 is not in the list."'
    expect(warningsIn(folded)).toEqual([
      'The value of siteid=a, "b" must match the format [\\w]+\\-.*\\S',
      'The value of x=1, 2 is not in the list.',
    ])
    expect(warningsIn('This query will return in excess of 5 results')).toHaveLength(1)
    expect(warningsIn(undefined)).toEqual([])
  })

  it('a 406 is final, in the words of its body', async () => {
    const { error } = await failed([{ do: { type: 'status', status: 406 } }], 'legacy')
    expect(error).toMatchObject({ kind: 'http_4xx', status: 406, attempts: 1 })
    expect(error.serverMessage).toMatch(/Not Acceptable/)
  })

  it.each<[string, MishapAction]>([
    ['before the first row', { type: 'breakDown', when: 'before-rows' }],
    ['while counting, without a body', { type: 'breakDown', when: 'counting' }],
  ])('F12: a 500 %s is not repeated, and its sentence is told', async (_, action) => {
    const { error, simulator } = await failed([{ do: action }], 'legacy')
    expect(error).toMatchObject({ kind: 'http_5xx', status: 500, attempts: 1, serverMessage: SENTENCE })
    expect(targets(simulator)).toHaveLength(1)
  })

  it('a 500 on a span is asked for in halves: the query was too large', async () => {
    const simulator = await simulateQuality({ waterQuality: { mostResults: 20 } })
    const truth = truthOf(simulator, { service: 'legacy', query: TRUTH })
    const { rows, meta } = await qualityClient(simulator).getResults({ ...QUERY, interface: 'legacy' })
    expect(truth.size).toBeGreaterThan(40)
    expect(rows).toHaveLength(truth.size)
    expect(Math.max(...meta.map(({ depth }) => depth))).toBeGreaterThan(0)
  })

  it('a 413 is asked for with fewer sites at a time', async () => {
    const simulator = await simulateQuality({ waterQuality: { mostSites: 30 } })
    const siteId = Array.from({ length: 90 }, (_, n) => `USGS-${String(5_510_000 + n).padStart(8, '0')}`)
    const { meta } = await qualityClient(simulator).getResults({ siteId, ...YEAR })
    const counts = meta.map(({ url }) => new URL(url).searchParams.getAll('siteid').length)
    expect(counts).toEqual([23, 22, 23, 22])
    expect(meta.flatMap(({ url }) => new URL(url).searchParams.getAll('siteid'))).toEqual(siteId)
  })
})

describe('rows that were announced and did not come', () => {
  it('F33: are asked for once more; when as many come again, both numbers are told', async () => {
    const simulator = await simulateQuality({ faults: [{ do: { type: 'announce', add: 100 } }] })
    const truth = truthOf(simulator, { service: 'legacy', query: TRUTH })
    const { rows, warnings, completeness, meta } = await qualityClient(simulator).getResults({
      ...QUERY,
      interface: 'legacy',
    })
    expect(rows).toHaveLength(truth.size)
    expect(warnings.join('\n')).toContain(`the service announced ${truth.size + 100} rows, and ${truth.size} came`)
    expect(completeness).toMatchObject({ expected: truth.size + 100, received: truth.size })
    expect(meta).toMatchObject([{ attempts: 2 }])
  })

  it('F33: and come the second time, are there', async () => {
    const simulator = await simulateQuality({
      faults: [{ when: { attempts: 1 }, do: { type: 'rows', drop: [0, 5, 9] } }],
    })
    const truth = truthOf(simulator, { service: 'legacy', query: TRUTH })
    const { rows, warnings } = await qualityClient(simulator).getResults({ ...QUERY, interface: 'legacy' })
    expect(rows).toHaveLength(truth.size)
    expect(warnings.join()).not.toContain('announced')
  })
})

describe('a connection that breaks off again and again', () => {
  it('R3: is too much work for the service: after one repeat the span is asked for in halves', async () => {
    const day = 86_400_000
    const simulator = await simulateQuality({
      faults: [{ when: { spanOverMs: 100 * day }, do: { type: 'cut', at: 0.5 } }],
    })
    const truth = truthOf(simulator, { service: 'legacy', query: TRUTH })
    const { rows, meta } = await qualityClient(simulator).getResults({ ...QUERY, interface: 'legacy' })
    expect(rows).toHaveLength(truth.size)
    expect(meta.map(({ depth }) => depth)).toEqual([2, 2, 2, 2])
    expect(targets(simulator)).toHaveLength(3 * 2 + 4)
  })
})

describe('a question in a body', () => {
  it('R13: only asks, and is asked again like any other', async () => {
    const simulator = await simulateQuality({ faults: [{ when: { nth: 1 }, do: { type: 'status', status: 503 } }] })
    const siteId = Array.from({ length: 250 }, (_, n) => `USGS-${String(5_510_000 + n).padStart(8, '0')}`)
    await qualityClient(simulator).getResults({ siteId, ...YEAR, interface: 'legacy', count: false })
    expect(simulator.requests.map(({ method, status }) => [method, status])).toEqual([
      ['POST', 503],
      ['POST', 200],
    ])
  })
})

describe('what the status document says', () => {
  const BODY = qualityBody('wqx3.narrow.csv')
  const ROWS = 7
  const whole = { name: 'usgs', failed: 0, outputRowCount: ROWS }

  /** An answer of seven rows, and what is said about it. */
  async function vouched(status: object) {
    const server = await startScripted(visit =>
      visit.arrival.path.startsWith('/wqx3/status/')
        ? answer(visit, {
            body: { completeOrCancelled: 1, failed: 0, totalRows: ROWS + 1, dataProviders: [whole], ...status },
          })
        : answer(visit, { headers: { 'content-type': 'text/csv', 'wqp-request-id': 'r-1' }, body: BODY }),
    )
    const end = await qualityClient(server, { retries: 1 })
      .getResults({ siteId: 'USGS-1' })
      .catch((thrown: unknown) => thrown)
    return { end, asked: server.arrivals.map(({ path }) => path) }
  }

  it('that the answer failed, though no provider did, is an error', async () => {
    const { end, asked } = await vouched({ failed: true })
    expect(failureIn(end)).toMatchObject({ kind: 'bad_response', attempts: 2 })
    expect((end as Error).message).toContain('the service says that it failed; 7 rows came')
    expect(asked).toHaveLength(4)
  })

  it.each([
    ['that there were more rows: they are asked for once more, then both numbers are told', 20, 4],
    ['that there were fewer rows: both numbers are told', 5, 2],
  ])('F33: %s', async (_, totalRows, requests) => {
    const { end, asked } = await vouched({ totalRows })
    expect(end).toMatchObject({
      length: ROWS,
      completeness: { expected: totalRows - 1, received: ROWS },
      meta: [{ source: { verified: true, announced: totalRows - 1 } }],
    })
    expect((end as Retrieval).warnings.join()).toContain(
      `the service announced ${totalRows - 1} rows, and ${ROWS} came`,
    )
    expect(asked).toHaveLength(requests)
  })
})

describe('providers behind the newer interface', () => {
  it.each(['usgs', 'epa'] as const)('a failure of %s is an error: its rows are not there', async name => {
    const siteId = SITES[name === 'usgs' ? 0 : 1]
    const { error } = await failed([{ do: { type: 'upstream', name, afterRows: 3 } }], 'wqx3', { siteId })
    expect(error).toMatchObject({ kind: 'bad_response' })
    expect(error.message).toContain(`the answer is not whole: '${name}' failed after 3 rows`)
  })

  it('one that recovers is no error', async () => {
    const simulator = await simulateQuality({
      faults: [{ when: { nth: 1 }, do: { type: 'upstream', name: 'usgs' } }],
    })
    const truth = truthOf(simulator, { service: 'wqx3', query: TRUTH })
    const { rows, meta } = await qualityClient(simulator).getResults(QUERY)
    expect(rows).toHaveLength(truth.size)
    expect(meta).toMatchObject([{ attempts: 2, source: { verified: true, announced: truth.size } }])
  })

  it('where nobody can tell any more, the rows count and the record says that nobody vouched for them', async () => {
    const simulator = await simulateQuality({ waterQuality: { statusLifeMs: 0 } })
    const { rows, meta, warnings } = await qualityClient(simulator).getResults(QUERY)
    expect(warnings.join()).toContain('nobody could tell whether an answer was whole')
    expect(rows.length).toBeGreaterThan(40)
    expect(meta).toMatchObject([{ source: { verified: false } }])
    expect(targets(simulator)).toHaveLength(2)
  })
})
