import { createWaterQuality } from '../../src/adapters/water-quality/index.ts'
import type { ResponseMeta } from '../../src/index.ts'
import { startSimulator, type Simulator, type SimulatorRequest, type TruthResult } from '../../src/simulator/index.ts'
import { clientOptions, HASTE } from './call-plan.ts'
import { seededRandom } from './chance.ts'
import { createGrid, type Stretch } from './grid.ts'
import type { Places } from './places.ts'
import { DAY_MS, type QualitySchedule } from './quality-schedule.ts'
import { insist } from './third-outcome.ts'
import { countTimers, createTurnClock, type CountedClock } from './turn-clock.ts'
import type { Puller, World } from './world.ts'

/** A value that is none: comparable, as no number is. */
const NOTHING = -1
const NUMBER = { legacy: 'ResultIdentifier', wqx3: 'Result_MeasureIdentifier' } as const
const DATE = { legacy: 'ActivityStartDate', wqx3: 'Activity_StartDate' } as const

/** The water-quality client and the simulator. Places are days; several results share one. */
export async function openQualityWorld(schedule: QualitySchedule): Promise<World> {
  const { seed, service, start, end, gzip, faults } = schedule
  const clock = createTurnClock(HASTE, Date.UTC(2026, 10, 30))
  const simulator = await startSimulator({ seed, clock, gzip, faults })
  const site = denseSite(simulator, service)
  const grid = createGrid(start, end, DAY_MS)
  const placeOf = (date: string): number => grid.placeOf(Date.parse(date))
  const cover = (stretches: Iterable<Stretch>): Places => {
    const places = new Uint8Array(grid.size)
    for (const stretch of stretches) {
      const { from, to } = grid.within(stretch)
      for (let place = from; place <= to; place++) places[place] = (places[place] ?? 0) + 1
    }
    return places
  }
  const truth = [...simulator.truth.waterQuality.results({ service, query: daysOf(site, start, end) })].sort(inOrder)
  const values = new Map(truth.map(({ id, value }) => [id, value ?? NOTHING]))
  return {
    clock,
    size: grid.size,
    puller: () => createPuller(schedule, site, simulator.url, countTimers(clock)),
    truth: () => truth.map(({ id, date }) => ({ key: id, place: placeOf(date) })),
    samples: ({ rows }) =>
      rows.map(row => {
        const key = String(row[NUMBER[service]])
        return {
          key,
          place: placeOf(String(row[DATE[service]])),
          value: (row['value'] as number | null) ?? NOTHING,
          expected: values.get(key) ?? Number.NaN,
          mayBeNull: false,
        }
      }),
    answered: ({ meta }) =>
      cover(meta.flatMap(({ span, source }) => (span && source['superseded'] !== true ? span : []))),
    gaps: new Uint8Array(grid.size),
    inSpans: cover,
    leftBy: ({ left }) => cover(left.map(piece => ({ start: piece.start ?? '', end: piece.end ?? '' }))),
    // What is expected is what the service announced, and it may lie.
    tellsCompleteness: false,
    spansTellAll: true,
    get requests() {
      return simulator.requests.length
    },
    askedSince: n => cover(dataSince(simulator, n).map(askedBy)),
    insistRecord: meta => insistQualityRecord(simulator, schedule, meta),
    open: () => simulator.requests.filter(request => request.endedAt === undefined),
    lift: () => simulator.setFaults([]),
    get paused() {
      return simulator.requests.some(request => request.status === 429)
    },
    close: () => simulator.close(),
  }
}

function createPuller(
  { service, start, end, chunkMs, call, seed }: QualitySchedule,
  siteId: string,
  url: string,
  clock: CountedClock,
): Puller {
  const client = createWaterQuality({
    baseUrl: url,
    samplesUrl: url,
    env: {},
    clock,
    random: seededRandom(seed),
    chunk: chunkMs,
    ...clientOptions(call),
  })
  const query = { siteId, interface: service, start: dayText(start), end: dayText(end) } as const
  return {
    clock,
    get: options => client.getResults(query, options),
    stream: options => client.streamResults(query, options) as AsyncGenerator<never, void, void>,
    resumeFrom: (checkpoint, options) => client.resumeFrom(checkpoint, options),
  }
}

/** One that is sampled every day, by providers of which the service knows. */
function denseSite({ truth }: Simulator, service: QualitySchedule['service']): string {
  const query = { statecode: 'US:19', startDateLo: '03-01-2023', startDateHi: '03-02-2023' }
  const counts = new Map<string, number>()
  for (const { site, date } of truth.waterQuality.results({ service, query }))
    if (date !== '') counts.set(site, (counts.get(site) ?? 0) + 1)
  const [first] = [...counts].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
  return first?.[0] ?? ''
}

function daysOf(siteid: string, start: number, end: number) {
  const [startDateLo, startDateHi] = [start, end].map(ms => {
    const [year, month, day] = dayText(ms).split('-')
    return `${month}-${day}-${year}`
  }) as [string, string]
  return { siteid, startDateLo, startDateHi }
}

/** The order in which the rows of one site stand. */
function inOrder(a: TruthResult, b: TruthResult): number {
  return (
    compare(a.date, b.date) ||
    compare(a.instant ?? Number.POSITIVE_INFINITY, b.instant ?? Number.POSITIVE_INFINITY) ||
    compare(a.activity, b.activity) ||
    compare(a.characteristic, b.characteristic) ||
    compare(a.id, b.id)
  )
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function dataSince({ requests }: Simulator, n: number): SimulatorRequest[] {
  return requests.filter(request => request.n > n && request.path.endsWith('/Result/search'))
}

function askedBy({ query }: SimulatorRequest): Stretch {
  const dayIn = (name: string): number => {
    const [month, day, year] = (query[name] ?? '').split('-')
    return Date.parse(`${year}-${month}-${day}`)
  }
  return { start: dayIn('startDateLo'), end: dayIn('startDateHi') }
}

function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Whole days of what was wanted, none more often than agreed, and no record of another request. */
function insistQualityRecord(simulator: Simulator, schedule: QualitySchedule, meta: readonly ResponseMeta[]): void {
  const counts = new Map<string, number>()
  for (const request of dataSince(simulator, 0)) {
    const { start, end } = askedBy(request) as { start: number; end: number }
    insist(
      start >= schedule.start && end <= schedule.end && start <= end,
      'R25: more was asked for than was wanted',
      request.search,
    )
    const count = (counts.get(request.search) ?? 0) + 1
    counts.set(request.search, count)
    insist(count <= 1 + schedule.call.retries, 'R16: sent more often than agreed', request.search)
  }
  for (const { url, status } of meta) {
    insist(status === 200 && counts.has(new URL(url).search), 'R55: a metadata row for no request of this call', url)
  }
}
