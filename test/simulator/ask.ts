import { request, type Agent, type IncomingHttpHeaders } from 'node:http'
import type { Simulator } from '../../src/simulator/index.ts'

/** What came back, and how it ended. */
export interface Reply {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** When each piece arrived, milliseconds since the request was sent. */
  readonly pieces: readonly number[]
  /** How it broke, if it did: Node's code, or `silence` when nothing came for `patienceMs`. */
  readonly failure: string | undefined
}

export interface AskOptions {
  readonly token?: string
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly body?: string
  readonly agent?: Agent
  /** Gives up after so long without a byte. @defaultValue 1000 */
  readonly patienceMs?: number
}

/** Asks with plain `node:http`, and tells the end of the connection as it was. Never rejects. */
export function ask(url: string, options: AskOptions = {}): Promise<Reply> {
  const { token, agent = false, method = 'GET', patienceMs = 1000 } = options
  const headers = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...options.headers }
  const started = performance.now()
  const parts: Buffer[] = []
  const pieces: number[] = []
  return new Promise(resolve => {
    let status: number | undefined
    let received: IncomingHttpHeaders = {}
    const finish = (failure?: string): void => {
      const bytes = Buffer.concat(parts)
      resolve({ status, headers: received, bytes, text: bytes.toString('utf8'), pieces, failure })
    }
    const sent = request(url, { method, headers, agent, timeout: patienceMs }, response => {
      status = response.statusCode
      received = response.headers
      response.on('data', (part: Buffer) => {
        parts.push(part)
        pieces.push(performance.now() - started)
      })
      response.on('end', () => finish())
      response.on('error', error => finish(codeOf(error)))
    })
    sent.on('timeout', () => {
      finish('silence')
      sent.destroy()
    })
    sent.on('error', error => finish(codeOf(error)))
    sent.end(options.body)
  })
}

/** A good token for one of the accounts that are always there. */
export async function logIn(simulator: Simulator, account = 'demo:demo-pass-1!'): Promise<string> {
  const { text } = await ask(`${simulator.url}/login`, { headers: basic(account) })
  return (JSON.parse(text) as { token: string }).token
}

export function basic(account: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(account).toString('base64')}` }
}

/** Path and query of a span of the region that everybody may read. */
export function historicalPath(start: string, end: string, more: Record<string, string> = {}): string {
  return `/v3/historical?${new URLSearchParams({ region: 'CAISO_NORTH', signal_type: 'co2_moer', start, end, ...more })}`
}

/** A row as it comes. */
export interface WireRow {
  readonly point_time: string
  readonly value: number
  readonly last_updated?: string
  readonly imputed_data_used?: boolean
}

export interface WireBody<Row = WireRow> {
  readonly data: Row[]
  readonly meta: Record<string, unknown> & { warnings: unknown; model: { date: string; type?: string } | null }
}

/** The body of an answer that is expected to be good. */
export function bodyOf<Row = WireRow>(reply: Reply): WireBody<Row> {
  return JSON.parse(reply.text) as WireBody<Row>
}

/** Rows in the form in which the truth is told. */
export function truthOf(rows: readonly WireRow[]): { point_time: number; value: number }[] {
  return rows.map(({ point_time, value }) => ({ point_time: Date.parse(point_time), value }))
}

function codeOf(error: Error): string {
  return (error as { code?: string }).code ?? error.message
}
