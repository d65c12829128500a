import {
  isHeadraceError,
  isRetrievalInterrupted,
  type AnyRow,
  type Checkpoint,
  type Completeness,
  type Retrieval,
} from '../../src/index.ts'
import type { Campaign } from './campaign.ts'
import { settles, within } from './leftovers.ts'
import { pull } from './pull.ts'
import { insist, must } from './third-outcome.ts'
import { isLossy, waterSchedules, type WaterSchedule } from './water-schedule.ts'
import { keyOf, openWaterWorld, valueOf, type WaterWorld } from './water-world.ts'
import type { Puller } from './world.ts'

const WATCHDOG_MS = 1_800_000
/** So often a run may be stopped by its quota before it must have got somewhere. */
const MOST_TURNS = 60
/** Longer than any pause, and than the window of a quota. */
const AN_HOUR_MS = 3_610_000

/** Schedules over the streamflow client and the simulator. */
export const WATER: Campaign<WaterSchedule> = { schedules: waterSchedules, run: judgeWater }

/**
 * Plays a schedule, and judges how it ended: with the truth, with an error that leads to the truth, or, where rows were
 * left out without a sign, with a word about what is missing.
 */
async function judgeWater(schedule: WaterSchedule): Promise<string> {
  const world = await openWaterWorld(schedule)
  try {
    return await within(world.clock, WATCHDOG_MS, play(world, schedule), () => world.simulator.requests.at(-1))
  } finally {
    await world.simulator.close()
  }
}

async function play(world: WaterWorld, schedule: WaterSchedule): Promise<string> {
  const { call: plan } = schedule
  const puller = world.puller()
  const impatient = new AbortController()
  const reason = new Error('the caller lost patience')
  const disarm = plan.abortMs === null ? () => {} : world.clock.after(plan.abortMs, () => impatient.abort(reason))
  const { held, end } = await pull(puller, plan, impatient.signal)
  disarm()
  await insistQuiet(world, puller)
  insistTrue(world, held.rows, 'what was handed on')
  if (end.how === 'returned') return judgeResult(world, schedule, end.result)
  if (end.how === 'streamed') {
    insist(held.rows.length === world.truth.size, 'R61: a stream ended as if it were whole')
    return 'whole'
  }
  if (end.how === 'left') {
    await takeUp(world, schedule, held.rows, must(held.checkpoint, 'a batch without a checkpoint'))
    return 'left, taken up'
  }
  const { thrown } = end
  if (thrown === reason) return 'aborted'
  if (!isRetrievalInterrupted(thrown)) {
    insist(isHeadraceError(thrown) && held.rows.length === 0, 'an error without a type', thrown)
    lift(world)
    insistWhole(world, schedule, await again(world, schedule, () => world.puller().get({})), 'asked again')
    return `failed (${(thrown as { kind?: string }).kind}), asked again`
  }
  const partial = thrown.partial() as Retrieval
  insistTrue(world, partial.rows, 'the partial result')
  if (plan.takeUp === 'checkpoint' || plan.how === 'stream') {
    const checkpoint = JSON.parse(JSON.stringify(thrown.checkpoint())) as Checkpoint
    // A collected result was never in anybody's hands: its checkpoint covers all of it that was not whole.
    const kept = plan.how === 'stream' ? held.rows : partial.rows
    await takeUp(world, schedule, kept, checkpoint)
  } else {
    lift(world)
    const whole = await again(world, schedule, () => thrown.resume() as Promise<Retrieval>)
    insistWhole(world, schedule, whole, 'the resumed result')
  }
  return `interrupted (${thrown.kind}), taken up`
}

/** A result is whole, or says what is missing. */
function judgeResult(world: WaterWorld, schedule: WaterSchedule, result: Retrieval): string {
  if (
    schedule.call.onFailure === 'collect' &&
    result.warnings.some(warning => warning.startsWith('a part is missing'))
  ) {
    insistTrue(world, result.rows, 'the collected result')
    return 'collected'
  }
  insistWhole(world, schedule, result, 'the result')
  return result.length === world.truth.size ? 'whole' : 'less, and it says what is missing'
}

/** R60: another process, which knows nothing but the checkpoint, gets what is missing. */
async function takeUp(
  world: WaterWorld,
  schedule: WaterSchedule,
  before: readonly AnyRow[],
  checkpoint: Checkpoint,
): Promise<void> {
  lift(world)
  const rest = await again(world, schedule, () => world.puller().resumeFrom(checkpoint, {}))
  insistTrue(world, rest.rows, 'the rest')
  const keys = new Set([...before, ...rest.rows].map(keyOf))
  const lossy = schedule.faults.some(isLossy)
  insist(lossy || keys.size === world.truth.size, 'R60: what was kept and the rest are not the whole', {
    kept: before.length,
    rest: rest.length,
    of: world.truth.size,
  })
}

/** Faults are over, and so is every pause and every window of a quota. */
function lift({ simulator, skip }: WaterWorld): void {
  simulator.setFaults([])
  skip(AN_HOUR_MS)
}

/** Asks until it ends whole: a quota may stop it again and again. */
async function again(
  { skip }: WaterWorld,
  { quota }: WaterSchedule,
  first: () => Promise<Retrieval>,
): Promise<Retrieval> {
  let ask = first
  for (let turn = 0; ; turn++) {
    try {
      return await ask()
    } catch (thrown) {
      const isQuota = quota !== null && isHeadraceError(thrown) && (thrown as { kind?: string }).kind === 'rate_limited'
      insist(isQuota && turn < MOST_TURNS, 'R60: without faults it fails again', thrown)
      skip(AN_HOUR_MS)
      if (isRetrievalInterrupted(thrown)) ask = () => thrown.resume() as Promise<Retrieval>
    }
  }
}

/** Every row is one of the truth, no sample comes twice, and all stand in order. */
function insistTrue({ truth, simulator }: WaterWorld, rows: readonly AnyRow[], about: string): void {
  const seen = new Set<string>()
  for (const row of rows) {
    const key = keyOf(row)
    insist(truth.has(key), `${about}: a row that is none of the truth`, row)
    insist(!seen.has(key), `R56: ${about}: a sample came twice`, row)
    insist(valueOf(row) === truth.get(key), `${about}: a wrong value`, row, truth.get(key))
    seen.add(key)
  }
  insist(
    simulator.requests.every(({ headers }) => String(headers['host']).startsWith('127.0.0.1')),
    'R46: a link to another host was followed',
  )
}

function insistWhole(world: WaterWorld, schedule: WaterSchedule, result: Retrieval, about: string): void {
  const { truth } = world
  insistTrue(world, result.rows, about)
  const keys = result.rows.map(keyOf)
  const order = new Set(keys)
  insist(
    [...truth.keys()].filter(key => order.has(key)).every((key, at) => key === keys[at]),
    `R54: ${about}: rows out of order`,
  )
  const missing = [...truth.keys()].filter(key => !order.has(key))
  if (missing.length === 0) return
  insist(schedule.faults.some(isLossy), `R61: ${about}: a shorter result as if it were whole`, missing.slice(0, 3))
  const series = new Set(keys.map(key => key.split(' ')[0]))
  const untold = missing.filter(key => series.has(key.split(' ')[0]) && !isTold(key, result.completeness))
  insist(untold.length === 0, `R57: ${about}: something is missing without a word`, untold.slice(0, 3))
}

function isTold(key: string, completeness: Completeness | undefined): boolean {
  const [name, time = ''] = key.split(' ')
  const at = Date.parse(time.length > 10 ? `${time}Z` : time)
  return (completeness?.missing ?? []).some(
    ({ start, end, series }) => series === name && start.getTime() <= at && at <= end.getTime(),
  )
}

/** R59, R62: a call that is over leaves no timer and no request behind. */
async function insistQuiet({ clock, simulator }: WaterWorld, puller: Puller): Promise<void> {
  const open = (): unknown[] => simulator.requests.filter(({ endedAt }) => endedAt === undefined)
  await settles(
    clock,
    () => puller.clock.pending === 0 && open().length === 0,
    () => ({ timers: puller.clock.pending, open: open() }),
  )
}
