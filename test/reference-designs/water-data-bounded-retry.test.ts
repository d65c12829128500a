import { describe, expect, it } from 'vitest'
import { environmentLayer, resolveSettings, type ServicePolicy } from '../../src/transport/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { features, page, servePages } from '../support/feature-pages.ts'
import { errorOf, PATIENT } from '../support/field-case.ts'
import { troubleLookups } from '../support/lookups.ts'
import { createNeutral } from '../support/neutral-client.ts'
import { ask, DEFAULTS, says, silent, whole } from '../support/paged-replay.ts'
import { createPaged, STREAMFLOW_POLICY } from '../support/page-adapter.ts'
import { answer, drop, inTurn, startScripted, type Script } from '../support/scripted-server.ts'
import { plainly, rowsOf, serve } from '../support/toy-service.ts'

/**
 * Design W, the water-data client's bounded retry over an API-neutral layer: a budget of silence rather than of time,
 * statuses as each service means them, jitter on every wait, and what cannot change fails at once.
 */

const WATER_QUALITY: ServicePolicy = {
  retryStatuses: [502, 503],
  slowStatuses: [504],
  splitStatuses: [500],
  onTimeout: 'retry',
}

describe('W, R6: statuses mean what the service means by them', () => {
  it.each<[string, number, ServicePolicy, number]>([
    ['streamflow', 500, STREAMFLOW_POLICY, 2],
    ['streamflow', 502, STREAMFLOW_POLICY, 2],
    ['streamflow', 503, STREAMFLOW_POLICY, 2],
    ['streamflow', 504, STREAMFLOW_POLICY, 2],
    ['streamflow', 429, STREAMFLOW_POLICY, 2],
    ['streamflow', 400, STREAMFLOW_POLICY, 1],
    ['streamflow', 404, STREAMFLOW_POLICY, 1],
    ['streamflow', 501, STREAMFLOW_POLICY, 1],
    ['water quality', 500, WATER_QUALITY, 1],
    ['water quality', 502, WATER_QUALITY, 2],
    ['water quality', 503, WATER_QUALITY, 2],
    ['water quality', 429, WATER_QUALITY, 2],
  ])('%s, %d once: asked so many times', async (_service, status, policy, hits) => {
    const { end, hits: asked, arrivals } = await ask(inTurn(says(status), whole), { policy })
    expect(asked).toBe(hits)
    if (hits === 2) expect(end).toMatchObject({ rows: { length: 3 } })
    else expect(end).toMatchObject({ name: 'RequestError', status })
    expect(new Set(arrivals.map(({ target }) => target)).size).toBe(1)
  })

  it('a 500 of water quality for a span halves it, and fails where there is nothing to halve', async () => {
    const server = await serve(request =>
      request.end - request.start > 50 ? { status: 500, body: 'too much' } : plainly(request),
    )
    const client = createNeutral(server, { ...PATIENT, policy: WATER_QUALITY })
    const { rows } = await client.getSeries(0, 100)
    expect(rows).toEqual(rowsOf(0, 100))
    expect(server.spans()).toEqual([
      [0, 100],
      [0, 40],
      [50, 100],
    ])
    const error = await errorOf(client.getSeries(0, 100, { maxSplitDepth: 0, learnSpans: false }))
    expect(error).toMatchObject({ kind: 'http_5xx', status: 500, failure: { attempts: 1, serverMessage: 'too much' } })
  })

  it('R13: a POST that only asks is repeated when its connection is lost, one that changes something is not', async () => {
    const server = await serve(({ n }) => (n % 2 === 1 ? { reset: true } : { body: { ok: true } }))
    const client = createNeutral(server, {
      ...PATIENT,
      backoff: { baseDelayMs: 1, maxDelayMs: 2 },
      policy: WATER_QUALITY,
    })
    expect(await client.send('POST', true)).toEqual({ ok: true })
    expect(server.requests).toHaveLength(2)
    expect(await errorOf(client.send('POST', false))).toMatchObject({ kind: 'connection', attempts: 1 })
    expect(server.requests).toHaveLength(3)
  })
})

describe('W, R19: the budget bounds silence, not time', () => {
  it('a dead service costs about two read time-outs, not five', async () => {
    const { end, hits, elapsedMs } = await ask(silent)
    expect(end).toMatchObject({ kind: 'stalled', attempts: 2 })
    expect((end as Error).message).toMatch(
      /nothing received for 1[23]\d{4} ms.*stallMs \(now 60000; 0 waits without end\)/,
    )
    expect(hits).toBe(2)
    expect(elapsedMs).toBeGreaterThanOrEqual(120_000)
    expect(elapsedMs).toBeLessThan(122_000)
  })

  it('0 switches it off: all five attempts', async () => {
    const { end, hits, elapsedMs } = await ask(silent, { stallMs: 0 })
    expect(end).toMatchObject({ kind: 'timeout', attempts: 5 })
    expect(hits).toBe(5)
    expect(elapsedMs).toBeGreaterThanOrEqual(300_000)
  })

  it('a larger one allows more: 150 s of silence are three attempts', async () => {
    const { end, hits } = await ask(silent, { stallMs: 150_000 })
    expect(end).toMatchObject({ kind: 'stalled', attempts: 3 })
    expect(hits).toBe(3)
  })

  it('the first repeat is never withheld, however small the budget', async () => {
    const { end, hits } = await ask(inTurn(silent, whole), { stallMs: 1 })
    expect(end).toMatchObject({ rows: { length: 3 } })
    expect(hits).toBe(2)
  })

  it('an attempt in flight is never cut by it: half a minute for each byte, for five minutes', async () => {
    const clock = createManualClock()
    let waiting = 0
    const server = await startScripted(async visit => {
      const bytes = Buffer.from(JSON.stringify(page(features(1, 3))))
      const { response } = visit
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
      for (let part = 0; part < 10; part++) {
        waiting = 1
        await new Promise<void>(resolve => clock.after(30_000, resolve))
        waiting = 0
        const size = Math.ceil(bytes.length / 10)
        response.write(bytes.subarray(part * size, (part + 1) * size))
        // The clock stands still until the client has it.
        await new Promise(resolve => setTimeout(resolve, 20))
      }
      response.end()
    }, clock)
    const client = createPaged(server, { ...DEFAULTS, clock, stallMs: 1_000 })
    const { meta } = await drive(clock, () => client.getItems(), { held: () => waiting, stepMs: 1_000 })
    expect(meta).toMatchObject([{ attempts: 1, rows: 3 }])
    expect(clock.monotonic()).toBeGreaterThanOrEqual(300_000)
  })

  it('every page starts it anew: ten pages that are silent for a time-out each, and then answer', async () => {
    const seen = new Set<string>()
    const pages = servePages(10)
    const script: Script = visit => {
      const first = !seen.has(visit.arrival.target)
      seen.add(visit.arrival.target)
      return first ? undefined : pages(visit)
    }
    const { end, hits, elapsedMs } = await ask(script)
    expect(end).toMatchObject({ rows: { length: 100 } })
    expect(hits).toBe(20)
    expect(elapsedMs).toBeGreaterThanOrEqual(600_000)
  })

  it('R20: a wait that the service named is not silence', async () => {
    const patient = says(429, { 'retry-after': '50' })
    const { end, elapsedMs, hits } = await ask(inTurn(patient, patient, patient, whole), { stallMs: 1_000 })
    expect(end).toMatchObject({ rows: { length: 3 } })
    expect(hits).toBe(4)
    expect(elapsedMs).toBeGreaterThanOrEqual(150_000)
  })

  it('R20: time in a queue is not silence', async () => {
    const clock = createManualClock()
    let waiting = 0
    let failed = false
    const server = await startScripted(visit => {
      waiting += 1
      clock.after(100, () => {
        waiting -= 1
        const trouble = visit.arrival.n === 15 && !failed
        failed ||= trouble
        answer(visit, trouble ? { status: 503 } : { body: page(features(1, 3)) })
      })
    }, clock)
    const client = createPaged(server, { ...DEFAULTS, clock, concurrency: 1, stallMs: 500 })
    const sites = Array.from({ length: 20 }, (_, at) => `USGS-${at}`)
    const calls = (): Promise<unknown[]> => Promise.all(sites.map(site => client.getItems({ sites: [site] })))
    expect(await drive(clock, calls, { held: () => waiting })).toHaveLength(20)
    expect(server.arrivals).toHaveLength(21)
  })

  it('the names that people have for it are read, seconds as milliseconds', () => {
    const names = {
      retries: [{ name: 'API_USGS_RETRIES' }],
      stallMs: [{ name: 'API_USGS_STALL_TIMEOUT', scale: 1000 }],
    }
    const read = (env: Record<string, string>) => resolveSettings(environmentLayer(env, names)).options
    expect(read({ API_USGS_RETRIES: '0', API_USGS_STALL_TIMEOUT: '90' })).toMatchObject({ retries: 0, stallMs: 90_000 })
    expect(read({ API_USGS_RETRIES: '', API_USGS_STALL_TIMEOUT: '0' })).toMatchObject({ retries: 4, stallMs: 0 })
    expect(() => read({ API_USGS_STALL_TIMEOUT: 'never' })).toThrow(/API_USGS_STALL_TIMEOUT/)
  })
})

describe('W, R2: what cannot change fails at once', () => {
  it.each(['EAI_AGAIN', 'ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])(
    '%s may pass: repeated',
    async code => {
      const server = await startScripted(whole)
      const lookup = troubleLookups(code, 1)
      const { meta } = await createPaged({ url: `http://localhost:${server.port}` }, PATIENT).getItems()
      expect(meta).toMatchObject([{ attempts: 2 }])
      expect(lookup).toHaveBeenCalledTimes(2)
    },
  )

  it.each([
    'ENOTFOUND',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('%s is settled: one try', async code => {
    const lookup = troubleLookups(code, Number.POSITIVE_INFINITY)
    const error = await errorOf(createPaged({ url: 'http://localhost:9' }, PATIENT).getItems())
    expect(error).toMatchObject({ kind: 'connection', attempts: 1, cause: { code } })
    expect(lookup).toHaveBeenCalledTimes(1)
  })

  it('a server that speaks no TLS is settled: one connection', async () => {
    const server = await startScripted(whole)
    const error = await errorOf(createPaged({ url: `https://127.0.0.1:${server.port}` }, PATIENT).getItems())
    expect(error).toMatchObject({ kind: 'connection', attempts: 1 })
    expect(server.connections).toBe(1)
  })

  it('another scheme is settled before any attempt', async () => {
    expect(await errorOf(createPaged({ url: 'ftp://127.0.0.1/' }, PATIENT).getItems())).toMatchObject({
      kind: 'connection',
      attempts: 0,
    })
  })
})

describe('W, R16: repeats are counted per request', () => {
  it('four by default, and the last failure is told with what was tried', async () => {
    const { end, hits } = await ask(drop)
    expect(end).toMatchObject({ kind: 'connection', attempts: 5 })
    expect((end as Error).message).toMatch(/sent 5 times.*retries \(now 4\)/)
    expect(hits).toBe(5)
  })

  it('R48: a page that fails is repeated at its own address, with all its repeats', async () => {
    const pages = servePages(4)
    const { end, arrivals } = await ask(visit =>
      visit.arrival.query.get('page') === '3' ? answer(visit, { status: 503 }) : pages(visit),
    )
    expect(end).toMatchObject({ kind: 'http_5xx', failure: { pagesRead: 2, attempts: 5 } })
    expect(arrivals.map(({ query }) => query.get('page') ?? '1')).toEqual(['1', '2', '3', '3', '3', '3', '3'])
  })
})
