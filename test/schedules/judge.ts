import { sleep } from '../../src/clock.ts'
import { isRetrievalInterrupted, type Checkpoint, type Retrieval, type RetrievalInterrupted } from '../../src/index.ts'
import { PAUSE_OVER_MS, type CallPlan } from './call-plan.ts'
import { insistNothingLeft, settles, within } from './leftovers.ts'
import { insistApart, insistSame, sum, without, type Places } from './places.ts'
import { pull, type Held, type PullEnd } from './pull.ts'
import { insistCompleteness, insistExact, inFront } from './received.ts'
import { insist, must } from './third-outcome.ts'
import type { Puller, World } from './world.ts'

/** Longer than any schedule takes that does not hang, milliseconds of its own clock. */
const WATCHDOG_MS = 1_200_000

/**
 * Plays a call on its stage, and judges how it ended: with the truth, or with an error that says what is missing and
 * leads to the truth.
 *
 * @returns which of the ends it was
 * @throws ThirdOutcome for any other
 */
export async function judge(world: World, plan: CallPlan): Promise<string> {
  try {
    return await within(world.clock, WATCHDOG_MS, play(world, plan), () => world.open())
  } finally {
    await world.close()
  }
}

async function play(world: World, plan: CallPlan): Promise<string> {
  const puller = world.puller()
  const impatient = new AbortController()
  const reason = new Error('the caller lost patience')
  const disarm = plan.abortMs === null ? () => {} : world.clock.after(plan.abortMs, () => impatient.abort(reason))
  const { held, end } = await pull(puller, plan, impatient.signal)
  disarm()
  await insistNothingLeft(world, puller.clock, impatient.signal)
  if (end.how === 'threw' && end.thrown === reason) {
    insistHeld(world, plan, held)
    return 'aborted'
  }
  return judgeEnd(world, plan, puller, held, end)
}

async function judgeEnd(world: World, plan: CallPlan, puller: Puller, held: Held, end: PullEnd): Promise<string> {
  if (end.how === 'returned') return judgeResult(world, plan, end.result)
  const answered = insistHeld(world, plan, held)
  const enough = held.rows.length === plan.maxRows
  if (end.how === 'streamed') {
    insist(answered.every(count => count === 1) || enough, 'R61: a stream ended as if it were whole')
    world.insistRecord(held.meta, plan.maxRows !== null)
    return 'whole'
  }
  if (end.how === 'left') {
    world.insistRecord(held.meta, true)
    if (enough) return 'whole'
    await takeUpElsewhere(world, must(held.checkpoint, 'a batch without a checkpoint'), without(world.size, answered))
    return 'left, taken up'
  }
  const { thrown } = end
  if (!isRetrievalInterrupted(thrown)) throw thrown
  await takeUp(world, plan, puller, { held, answered }, thrown as RetrievalInterrupted<Retrieval>)
  return `interrupted (${thrown.kind}), taken up`
}

/** A result is whole, or it was agreed that it need not be, and then it says what is missing and why. */
function judgeResult(world: World, plan: CallPlan, result: Retrieval): string {
  const answered = insistExact(world, result, 'the result', plan.maxRows ?? Number.POSITIVE_INFINITY)
  world.insistRecord(result.meta, plan.maxRows !== null || plan.deadlineMs !== null)
  const enough = inFront(world, result, answered) === plan.maxRows
  if (!enough) insistCompleteness(world, result, 'the result', without(world.size))
  if (enough || answered.every(count => count === 1)) return 'whole'
  insist(plan.onFailure === 'collect', 'F36: a shorter result was returned as if it were whole')
  insist(
    result.warnings.some(warning => warning.startsWith('a part is missing: ')),
    'R61: nothing says why a part is missing',
    result.warnings,
  )
  return 'collected'
}

/** R60: what the error says of itself is true, and it leads to the whole. */
async function takeUp(
  world: World,
  plan: CallPlan,
  puller: Puller,
  before: { readonly held: Held; readonly answered: Places },
  error: RetrievalInterrupted<Retrieval>,
): Promise<void> {
  const { size } = world
  const most = (plan.maxRows ?? Number.POSITIVE_INFINITY) - inFront(world, before.held, before.answered)
  const partial = error.partial()
  const received = insistExact(world, partial, 'the partial result', most)
  const notHandedOn = without(size, before.answered)
  insistCompleteness(world, partial, 'the partial result', notHandedOn)
  insistApart(received, before.answered, 'R60: the partial result repeats what had been handed on')
  const done = sum(received, before.answered)
  const { checkpoint } = JSON.parse(JSON.stringify({ checkpoint: error.checkpoint() })) as { checkpoint: Checkpoint }
  // Of what lies behind a cap that was reached, the rows do not tell whether it was received.
  const missing = without(size, done)
  const left =
    partial.length < most ? missing : missing.map((count, place) => (place < done.lastIndexOf(1) ? count : 0))
  const said = world.inSpans(error.left)
  insistApart(without(size, said, world.inSpans(error.done)), without(size), 'R60: something is neither done nor left')
  insistApart(without(size, said), left, 'R60: something is missing that is not said to be left')
  if (world.spansTellAll) insistSame(said, missing, 'R60: something is said to be left that had been received')
  if (world.spansTellAll) insistSame(world.inSpans(error.done), done, 'R60: done is not what was received')
  world.insistRecord([...before.held.meta, ...partial.meta], true)
  const kept = world.leftBy(checkpoint)
  insistApart(without(size, kept), left, 'R60: the checkpoint leaves out what is missing')
  const toGo = plan.how === 'stream' ? notHandedOn : partial.length < most ? left : kept
  insistSame(kept, toGo, 'R60: the checkpoint does not say what is missing')
  if (plan.takeUp === 'checkpoint') return takeUpElsewhere(world, checkpoint, toGo)

  const since = await lift(world)
  const whole = await error.resume()
  const answered = insistExact(world, whole, 'the resumed result', most)
  insistApart(answered, before.answered, 'R60: the resumed result repeats what had been handed on')
  if (whole.length < most) {
    insistCompleteness(world, whole, 'the resumed result', notHandedOn)
    insistSame(answered, notHandedOn, 'R60: the resumed result is not the whole')
  }
  insistApart(world.askedSince(since), done, 'R60: something was asked for again that had been received')
  await settles(
    world.clock,
    () => puller.clock.pending === 0,
    () => 'timers after resuming',
  )
}

/** R60: another process, which knows nothing but the checkpoint, gets what is missing and asks for nothing else. */
async function takeUpElsewhere(world: World, checkpoint: Checkpoint, missing: Places): Promise<void> {
  insistSame(world.leftBy(checkpoint), missing, 'R60: the checkpoint does not say what is missing')
  const since = await lift(world)
  const other = world.puller()
  const { signal } = new AbortController()
  const rest = await other.resumeFrom(checkpoint, { signal })
  const answered = insistExact(world, rest, 'the rest', Number.POSITIVE_INFINITY)
  insistCompleteness(world, rest, 'the rest', missing)
  insistSame(answered, missing, 'R60: the rest is not what was missing')
  insistApart(
    world.askedSince(since),
    without(world.size, missing),
    'R60: something was asked for again that had been received',
  )
  await insistNothingLeft(world, other.clock, signal)
}

/** Faults are over, and so is every pause that the server asked for. Returns how many requests there were before. */
async function lift(world: World): Promise<number> {
  world.lift()
  if (world.paused) await sleep(world.clock, PAUSE_OVER_MS)
  return world.requests
}

/** What a consumer of batches holds: without a hole, unless it asked for what there is. */
function insistHeld(world: World, plan: CallPlan, held: Held): Places {
  const answered = insistExact(world, held, 'what was handed on', plan.maxRows ?? Number.POSITIVE_INFINITY)
  const end = answered.indexOf(0)
  const hole = end >= 0 && answered.indexOf(1, end) >= 0
  insist(!hole || plan.onFailure === 'collect', 'R54: batches were handed on with a hole between them')
  return answered
}
