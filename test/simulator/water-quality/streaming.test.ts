import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { startSimulator, type CutLie, type Simulator, type SimulatorOptions } from '../../../src/simulator/index.ts'
import { createWorld } from '../../../src/simulator/water-quality/world/world.ts'
import { LEGACY_SCOPE } from '../../../src/simulator/water-quality/select/filter.ts'
import { createSelection } from '../../../src/simulator/water-quality/select/selection.ts'
import { dayOf } from '../../../src/simulator/water-quality/world/calendar.ts'
import { get, readTable, SMALL, tableOf } from './table.ts'

const PATH = '/data/Result/search'
/** A state of 300 sites sampled every day of the year. */
const YEAR = { statecode: 'US:19', startDateLo: '01-01-2023', startDateHi: '12-31-2023', mimeType: 'csv', sorted: 'no' }

let simulator: Simulator
const start = async (options: SimulatorOptions = {}): Promise<void> => {
  simulator = await startSimulator(options)
}
afterEach(() => simulator.close())

/** Counts what comes, and keeps nothing of it. */
function drink(
  query: Record<string, string>,
  stopAfter = Infinity,
): Promise<{ bytes: number; lines: number; rss: number }> {
  const url = `${simulator.url}${PATH}?${new URLSearchParams(query)}`
  return new Promise((resolve, reject) => {
    let [bytes, lines, rss] = [0, 0, 0]
    const sent = request(url, { agent: false }, response => {
      response.on('data', (part: Buffer) => {
        bytes += part.length
        for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) lines += 1
        rss = Math.max(rss, process.memoryUsage.rss())
        if (bytes >= stopAfter) {
          sent.destroy()
          resolve({ bytes, lines, rss })
        }
      })
      response.on('end', () => resolve({ bytes, lines, rss }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('large answers', () => {
  it('a year of the dense state is 1.2 million results, counted without writing them', async () => {
    await start()
    const { headers, status } = await get(simulator, PATH, YEAR, { method: 'HEAD' })
    expect(status).toBe(200)
    expect(Number(headers['total-result-count'])).toBeGreaterThan(1_200_000)
    const counts = simulator.truth.waterQuality.counts({ service: 'legacy', query: YEAR })
    const total = Object.values(counts).reduce((sum, { results }) => sum + results, 0)
    expect(total).toBe(Number(headers['total-result-count']))
  })

  it('begin before they are made: a client that leaves early costs no more than it took', async () => {
    await start()
    const { bytes } = await drink({ ...YEAR, counts: 'no' }, 1_000_000)
    expect(bytes).toBeLessThan(30_000_000)
    while (simulator.requests.some(({ endedAt }) => endedAt === undefined)) await sleep(1)
    expect(simulator.requests).toMatchObject([{ status: 'aborted', abortedByClient: true }])
  })

  it('250,000 lines cost bounded memory, and are as many as announced', { timeout: 120_000 }, async () => {
    await start()
    const quarter = { ...YEAR, startDateLo: '01-01-2023', startDateHi: '03-17-2023' }
    const before = process.memoryUsage.rss()
    const announced = simulator.truth.waterQuality.counts({ service: 'legacy', query: quarter })
    const total = Object.values(announced).reduce((sum, { results }) => sum + results, 0)
    const { bytes, lines, rss } = await drink({ ...quarter })
    expect(total).toBeGreaterThan(250_000)
    expect(lines).toBeGreaterThan(250_000)
    expect(bytes).toBeGreaterThan(100_000_000)
    expect(rss - before).toBeLessThan(250 * 2 ** 20)
  })

  it('rows are made one at a time', () => {
    const world = createWorld(systemClock)
    const days = { first: dayOf('2023-01-01') ?? 0, last: dayOf('2023-12-31') ?? 0 }
    const selection = createSelection(world, { areas: new Set(['19']), days }, LEGACY_SCOPE)
    let taken = 0
    for (const result of selection.results({ sorted: true, turn: 0 })) {
      taken += 1
      expect(result.activity.site.place.fips).toBe('19')
      if (taken === 1000) break
    }
    expect(taken).toBe(1000)
    simulator = { close: () => Promise.resolve() } as unknown as Simulator
  })
})

describe('silence before the first byte', () => {
  const slow = { silenceMsPerThousand: 2000, longestSilenceMs: 400 }
  /** Some thousand results. */
  const wide = { countycode: 'US:55:025', mimeType: 'csv', startDateLo: '01-01-2021', startDateHi: '12-31-2022' }

  it('grows with the results; a query that is silent too long loses its connection', async () => {
    await start({ waterQuality: slow })
    const began = performance.now()
    const small = await get(simulator, PATH, SMALL)
    const rows = readTable(small.text).rows.length
    expect(performance.now() - began).toBeGreaterThanOrEqual((rows / 1000) * 2000 - 5)
    const lost = await get(simulator, PATH, wide)
    expect(lost).toMatchObject({ status: undefined, failure: 'ECONNRESET' })
    expect(simulator.requests.at(-1)).toMatchObject({ status: 'cut' })
  })

  it('is none without counts, however much there is', async () => {
    await start({ waterQuality: slow })
    const { status, text } = await get(simulator, PATH, { ...wide, counts: 'no' })
    expect(status).toBe(200)
    expect(readTable(text).rows.length).toBeGreaterThan(1000)
  })

  it.each(['/wqx3/Result/search', '/samples-data/results/narrow'])('is met in %s, too', async path => {
    await start({ waterQuality: slow })
    const query = path.startsWith('/wqx3') ? wide : { countyFips: 'US:55:025' }
    expect(await get(simulator, path, query)).toMatchObject({ status: undefined, failure: 'ECONNRESET' })
  })

  it('may end as a 504', async () => {
    await start({ waterQuality: { ...slow, silenceEndsAs: 'gateway-timeout' } })
    expect(await get(simulator, PATH, wide)).toMatchObject({ status: 504 })
  })
})

describe('mistreated streams', () => {
  const sorted = { ...SMALL, sorted: 'yes' }

  it.each<[CutLie, string | undefined]>([
    ['length', 'ECONNRESET'],
    ['chunked', 'ECONNRESET'],
    ['clean', undefined],
    ['close', undefined],
  ])('a body cut in the middle, looking like %s', async (lie, failure) => {
    await start()
    const whole = await get(simulator, PATH, sorted)
    simulator.setFaults([{ do: { type: 'cut', at: 0.5, lie } }])
    const reply = await get(simulator, PATH, sorted)
    expect(reply.failure).toBe(failure)
    expect(reply.bytes).toEqual(whole.bytes.subarray(0, Math.floor(whole.bytes.length / 2)))
    expect(reply.headers['content-length']).toBe(lie === 'length' ? String(whole.bytes.length) : undefined)
  })

  it('F34, R50: compressed, and cut after that', async () => {
    await start({ gzip: true })
    const headers = { 'accept-encoding': 'gzip' }
    const whole = await get(simulator, PATH, sorted, { headers })
    expect(whole.headers['content-encoding']).toBe('gzip')
    const text = gunzipSync(whole.bytes).toString()
    expect(text).toBe((await get(simulator, PATH, sorted)).text)
    simulator.setFaults([{ do: { type: 'cut', at: 0.5, lie: 'gzip' } }])
    const cut = await get(simulator, PATH, sorted, { headers })
    expect(cut.failure).toBeUndefined()
    expect(cut.bytes.length).toBe(Number(cut.headers['content-length']))
    expect(() => gunzipSync(cut.bytes)).toThrow('unexpected end of file')
  })

  it('an archive cut short', async () => {
    await start()
    simulator.setFaults([{ do: { type: 'cut', at: 0.8, lie: 'clean' } }])
    const { bytes, failure } = await get(simulator, PATH, { ...sorted, zip: 'yes' })
    expect(failure).toBeUndefined()
    expect(bytes.readUInt32LE(0)).toBe(0x04034b50)
    expect(bytes.includes(Buffer.of(0x50, 0x4b, 0x05, 0x06))).toBe(false)
  })

  it('in drops, with silence, reset', async () => {
    await start()
    const whole = await get(simulator, PATH, sorted)
    simulator.setFaults([{ do: { type: 'drip', pieces: 5, everyMs: 30 } }])
    const drops = await get(simulator, PATH, sorted)
    expect(drops.text).toBe(whole.text)
    expect(drops.pieces.length).toBeGreaterThanOrEqual(5)
    simulator.setFaults([{ do: { type: 'silent', afterBytes: 500 } }])
    const silent = await get(simulator, PATH, sorted, { patienceMs: 200 })
    expect(silent).toMatchObject({ status: 200, failure: 'silence' })
    expect(silent.bytes).toEqual(whole.bytes.subarray(0, 500))
    simulator.setFaults([{ do: { type: 'silent', at: 0.5, forMs: 100 } }])
    expect((await get(simulator, PATH, sorted)).text).toBe(whole.text)
    simulator.setFaults([{ do: { type: 'reset', at: 0.5 } }])
    const reset = await get(simulator, PATH, sorted)
    expect(reset.failure).toBe('ECONNRESET')
    simulator.setFaults([{ do: { type: 'reset', at: 'before-headers' } }])
    expect(await get(simulator, PATH, sorted)).toMatchObject({ status: undefined, failure: 'ECONNRESET' })
    simulator.setFaults([])
    expect((await tableOf(get(simulator, PATH, sorted))).rows).toHaveLength(readTable(whole.text).rows.length)
  })
})
