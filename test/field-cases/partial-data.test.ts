import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { RetrievalInterrupted } from '../../src/index.ts'
import type { CutLie, Fault } from '../../src/simulator/index.ts'
import { createManualClock } from '../support/clocks.ts'
import { drive } from '../support/drive.ts'
import { features, page } from '../support/feature-pages.ts'
import {
  asTruth,
  clientFor,
  DAY_MS,
  dataRequests,
  errorOf,
  hung,
  PATIENT,
  REGION,
  simulateCase,
} from '../support/field-case.ts'
import { createPaged } from '../support/page-adapter.ts'
import { answer, inTurn, startScripted, type Script } from '../support/scripted-server.ts'

const TEXT = JSON.stringify(page(features(1, 50)))
const ONE_DAY = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-02T00:00Z' } as const
const wholePage: Script = visit => answer(visit, { headers: { 'content-type': 'application/json' }, body: TEXT })

/** Sends the first half of the page under these headers, then closes. */
const cutShort =
  (headers: Readonly<Record<string, string>>): Script =>
  ({ response, socket }) => {
    if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined)
      response.useChunkedEncodingByDefault = false
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.write(TEXT.slice(0, TEXT.length / 2), () => socket.destroySoon())
  }

const CUTS: [string, Script][] = [
  ['a length header that promises more', cutShort({ 'content-length': String(TEXT.length) })],
  ['chunks without their end mark', cutShort({ 'transfer-encoding': 'chunked' })],
  ['no length, and an end in the middle of a value', cutShort({ connection: 'close' })],
]

describe('F34: a body that ends early', () => {
  it.each(CUTS)('F34: %s is repeated like a dropped connection', async (_, cut) => {
    const server = await startScripted(inTurn(cut, wholePage))
    const { rows, meta } = await createPaged(server, PATIENT).getItems()
    expect(rows).toHaveLength(50)
    expect(meta).toMatchObject([{ attempts: 2 }])
    expect(server.arrivals.map(({ target }) => target)).toEqual(Array(2).fill(server.arrivals[0]?.target))
  })

  it.each(CUTS)('F34: %s, time after time, is a typed error', async (_, cut) => {
    const server = await startScripted(cut)
    const error = await errorOf(createPaged(server, { ...PATIENT, retries: 2 }).getItems())
    expect(error).toMatchObject({ name: 'RequestError', kind: 'connection', attempts: 3 })
    expect((error as Error).message).toMatch(/incomplete answer|lost before the answer was whole/)
    expect(server.arrivals).toHaveLength(3)
  })

  it.each<CutLie>(['length', 'chunked', 'close', 'gzip', 'clean'])(
    'F34: a span cut short (%s) is repeated whole, not split',
    async lie => {
      const simulator = await simulateCase({ faults: [{ when: { upTo: 1 }, do: { type: 'cut', at: 0.75, lie } }] })
      const { rows } = await clientFor(simulator, PATIENT).getHistorical(ONE_DAY)
      expect(asTruth(rows)).toEqual(simulator.truth.historical(ONE_DAY))
      expect(dataRequests(simulator).map(({ search }) => search)).toEqual(
        Array(2).fill(dataRequests(simulator)[0]?.search),
      )
    },
  )

  it.each<CutLie>(['length', 'chunked', 'close', 'gzip', 'clean'])(
    'F34: a span cut short (%s) time after time is an error, never fewer rows',
    async lie => {
      const simulator = await simulateCase({ faults: [{ do: { type: 'cut', at: 0.75, lie } }] })
      const error = await errorOf(clientFor(simulator, PATIENT).getHistorical(ONE_DAY))
      expect(error).toMatchObject({
        name: 'RetrievalInterrupted',
        kind: 'connection',
        done: [],
        failure: { attempts: 4 },
      })
      expect((error as RetrievalInterrupted<{ rows: unknown[] }>).partial().rows).toEqual([])
    },
  )
})

describe('F35: a compressed body without its last quarter', () => {
  const packed = gzipSync(TEXT)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const cut: Script = visit => answer(visit, { headers, body: packed.subarray(0, Math.floor(packed.length * 0.75)) })

  it('F35: is repeated, though its length header agrees', async () => {
    const server = await startScripted(inTurn(cut, visit => answer(visit, { headers, body: packed })))
    const { rows, meta } = await createPaged(server, PATIENT).getItems()
    expect(rows).toHaveLength(50)
    expect(meta).toMatchObject([{ attempts: 2, bytes: packed.length }])
    expect(server.arrivals).toHaveLength(2)
  })

  it('F35: speaks of an incomplete answer, not of bad JSON, when it persists', async () => {
    const server = await startScripted(cut)
    const error = await errorOf(createPaged(server, { ...PATIENT, retries: 1 }).getItems())
    expect(error).toMatchObject({ kind: 'connection', attempts: 2 })
    expect((error as Error).message).toContain('incomplete answer: the gzip body does not unpack to its end')
    expect((error as Error).message).not.toMatch(/JSON/i)
  })
})

describe('F36: a chunk that hangs however small it is cut', () => {
  const THREE_CHUNKS = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-03-30T23:55Z' } as const
  const faults: Fault[] = [
    { when: { startsFrom: '2024-01-31T00:00Z', startsBefore: '2024-03-01T00:00Z' }, do: { type: 'hang' } },
  ]

  it.each([8, 2, 1])('F36: fails the call, with %i at a time', async concurrency => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults })
    const client = clientFor(simulator, { clock, concurrency })
    const error = await drive(clock, () => errorOf(client.getHistorical(THREE_CHUNKS)), { held: () => hung(simulator) })
    expect(error).toMatchObject({
      name: 'RetrievalInterrupted',
      kind: 'timeout',
      failure: { kind: 'timeout', span: { start: new Date('2024-01-31T00:00Z') } },
    })
    const { left, done } = error as RetrievalInterrupted
    expect(left[0]?.start).toEqual(new Date('2024-01-31T00:00Z'))
    expect(done[0]).toEqual({ start: new Date('2024-01-01T00:00Z'), end: new Date('2024-01-30T23:55Z') })
    // First leaf, earlier part first: 30, 15, 7.5 days.
    const asked = dataRequests(simulator).filter(({ status }) => status === 'hung')
    expect(asked.map(({ spanMs = 0 }) => Math.round((spanMs / DAY_MS) * 10) / 10)).toEqual([30, 15, 7.5])
    expect(simulator.stats.repeats).toBe(0)
  })

  it('F36: what had come is kept apart, with the hole in it, and the rest can be asked for', async () => {
    const clock = createManualClock()
    const simulator = await simulateCase({ clock, faults })
    const client = clientFor(simulator, { clock })
    const error = await drive(clock, () => errorOf(client.getHistorical(THREE_CHUNKS)), { held: () => hung(simulator) })
    const { left, partial } = error as RetrievalInterrupted<{
      completeness: unknown
      rows: { point_time: Date; value: number }[]
    }>
    expect(left).toEqual([{ start: new Date('2024-01-31T00:00Z'), end: new Date('2024-02-29T23:55Z') }])
    expect(partial.call(error).completeness).toMatchObject({ missing: left })
    simulator.setFaults([])
    simulator.reset()
    const whole = await drive(clock, () =>
      (error as RetrievalInterrupted<{ rows: { point_time: Date; value: number }[] }>).resume(),
    )
    expect(asTruth(whole.rows)).toEqual(simulator.truth.historical(THREE_CHUNKS))
    expect(
      dataRequests(simulator).every(
        ({ query }) => (query['start'] ?? '') >= '2024-01-31' && (query['end'] ?? '') < '2024-03-01',
      ),
    ).toBe(true)
  })
})
