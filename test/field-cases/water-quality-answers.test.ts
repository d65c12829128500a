import { describe, expect, it } from 'vitest'
import { isRetrievalInterrupted, type RequestError } from '../../src/index.ts'
import { errorOf } from '../support/field-case.ts'
import { answer, inTurn, startScripted, type Script } from '../support/scripted-server.ts'
import { qualityBody, qualityClient } from '../support/water-quality.ts'

const BODY = qualityBody('wqx3.narrow.csv')
const ROWS = 7
const QUERY = { siteId: 'USGS-1', start: '1960-01-01', end: '1960-12-31' } as const
const HEADERS = { 'content-type': 'text/csv;charset=UTF-8' }

/** Rows of the fixture lie in other years: asked for without a span, so that none is outside of it. */
const ALL = { siteId: 'USGS-1' } as const

async function failureOf(script: Script, query: object = QUERY): Promise<{ error: RequestError; asked: number }> {
  const server = await startScripted(script)
  const error = await errorOf(qualityClient(server, { retries: 1, maxSplitDepth: 0 }).getResults(query as typeof QUERY))
  return {
    error: isRetrievalInterrupted(error) ? error.failure : (error as RequestError),
    asked: server.arrivals.length,
  }
}

const whole: Script = visit => answer(visit, { body: BODY, headers: HEADERS })

describe('F34: answers that are cut', () => {
  it.each<[string, Script]>([
    [
      '(a) shorter than their length',
      ({ response, socket }) => {
        response.writeHead(200, { ...HEADERS, 'content-length': String(BODY.length) })
        response.write(BODY.slice(0, 900), () => socket.end())
      },
    ],
    [
      '(b) chunks without their end mark',
      ({ response, socket }) => {
        response.writeHead(200, HEADERS)
        response.write(BODY.slice(0, 900), () => socket.end())
      },
    ],
  ])('F34: %s are repeated; what stays is a typed error', async (_, script) => {
    const { error, asked } = await failureOf(script)
    expect(error).toMatchObject({ kind: 'connection', attempts: 2 })
    expect(asked).toBe(2)
    const server = await startScripted(inTurn(script, whole))
    expect((await qualityClient(server).getResults(ALL)).rows).toHaveLength(ROWS)
  })

  it('F34: (c) without a length, closed in the middle of a line: the last record has too few fields', async () => {
    const cut = BODY.slice(0, BODY.lastIndexOf('\n') + 100)
    const { error } = await failureOf(({ response, socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\nconnection: close\r\n\r\n${cut}`, () => socket.end())
      response.destroy()
    })
    expect(error).toMatchObject({ kind: 'bad_response', attempts: 2 })
    expect(error.message).toMatch(/breaks off after \d rows: row \d has \d+ fields, and there are 63 columns/)
  })
})

describe('F42, F43: nothing', () => {
  it('F42: a line of names alone is no row and no error, with the columns as ever', async () => {
    const server = await startScripted(visit => answer(visit, { body: BODY.split('\n', 1)[0], headers: HEADERS }))
    const none = await qualityClient(server).getResults(ALL)
    const some = await qualityClient(await startScripted(whole)).getResults(ALL)
    expect(none.rows).toEqual([])
    // What there is not has no unit.
    expect(none.columns).toEqual(some.columns.map(({ unit: _unit, ...column }) => column))
    expect(some.columns.flatMap(({ name, unit }) => (unit === undefined ? [] : [name]))).toEqual(['value'])
    expect(none.meta).toHaveLength(1)
  })

  it('F43: (a) no bytes at all are an error: even no rows have a line of names', async () => {
    const { error } = await failureOf(visit => answer(visit, { body: '', headers: HEADERS }))
    expect(error).toMatchObject({ kind: 'bad_response', attempts: 1 })
    expect(error.message).toContain('an empty answer where a table was due')
  })

  it('F43: (b) 204 is no rows', async () => {
    const server = await startScripted(({ response }) => void response.writeHead(204).end())
    const { rows, meta } = await qualityClient(server).getResults(ALL)
    expect(rows).toEqual([])
    expect(meta).toMatchObject([{ status: 204, rows: 0 }])
  })

  it('F43: (c) a 404 with a message is a typed error', async () => {
    const { error } = await failureOf(visit => answer(visit, { status: 404, body: { message: 'no such thing' } }))
    expect(error).toMatchObject({ kind: 'http_4xx', status: 404, serverMessage: 'no such thing' })
  })
})

describe('F44: a page in place of a table', () => {
  const page = `<!DOCTYPE html><html><head><title>Down</title></head><body>${'We are working on it. '.repeat(50)}</body></html>`

  it.each(['text/html', 'text/csv', 'application/json'])(
    'F44: labelled %s is an error with its first words',
    async type => {
      const { error, asked } = await failureOf(visit =>
        answer(visit, { body: page, headers: { 'content-type': type } }),
      )
      expect(error).toMatchObject({ kind: 'bad_response' })
      expect(error.message).toContain('<!DOCTYPE html><html><head><title>Down</title>')
      expect(error.message.length).toBeLessThan(500)
      expect(asked).toBe(1)
    },
  )
})

describe('F12: a 500 with a text body', () => {
  it('F12: (b) is asked once, and its first line is told', async () => {
    const { error, asked } = await failureOf(visit =>
      answer(visit, { status: 500, body: 'query too large\nsecond line' }),
    )
    expect(error).toMatchObject({ kind: 'http_5xx', status: 500, attempts: 1, serverMessage: 'query too large' })
    expect(asked).toBe(1)
  })
})
