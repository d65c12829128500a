import fc from 'fast-check'

/** Schedules of one kind and what runs them. */
export interface Campaign<Schedule> {
  readonly schedules: fc.Arbitrary<Schedule>
  /** Resolves to how the schedule ended; rejects on a third outcome. */
  readonly run: (schedule: Schedule) => Promise<string>
}

/** What a campaign came to. */
export interface Report<Schedule> {
  readonly outcomes: ReadonlyMap<string, number>
  readonly ran: number
  /** The first third outcome, as small as it could be made. */
  readonly third: { readonly schedule: Schedule; readonly reason: string } | undefined
}

/** How much of a campaign is run. */
export interface Extent {
  readonly seed: number
  readonly count: number
  /** Schedules at a time: they spend most of their time waiting. */
  readonly abreast: number
  /** How long to look for a smaller schedule with the same end, real milliseconds. */
  readonly shrinkMs: number
}

/** Runs so many schedules. The first that ends as none may is made smaller and reported; the rest is not begun. */
export async function runCampaign<Schedule>(
  { schedules, run }: Campaign<Schedule>,
  { seed, count, abreast, shrinkMs }: Extent,
): Promise<Report<Schedule>> {
  const drawn = fc.sample(schedules, { seed, numRuns: count })
  const outcomes = new Map<string, number>()
  let next = 0
  let ran = 0
  let third: { readonly place: number; readonly schedule: Schedule; readonly reason: string } | undefined
  const lane = async (): Promise<void> => {
    for (let place = next++; place < count && third === undefined; place = next++) {
      const schedule = drawn[place] as Schedule
      try {
        const outcome = await run(schedule)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        ran += 1
      } catch (thrown) {
        third ??= { place, schedule, reason: reasonOf(thrown) }
      }
    }
  }
  await Promise.all(Array.from({ length: abreast }, lane))
  if (third === undefined) return { outcomes, ran, third }
  const smaller = await shrink({ schedules, run }, seed, third.place, shrinkMs)
  return { outcomes, ran, third: smaller ?? third }
}

/** The same draw once more, then whatever smaller schedule ends as badly. Nothing when it does not come up again. */
async function shrink<Schedule>({ schedules, run }: Campaign<Schedule>, seed: number, place: number, shrinkMs: number) {
  const property = fc.asyncProperty(schedules, async schedule => void (await run(schedule)))
  const details = await fc.check(property, { seed, path: String(place), numRuns: 1, interruptAfterTimeLimit: shrinkMs })
  const [schedule] = details.counterexample ?? []
  return schedule === undefined ? undefined : { schedule, reason: reasonOf(details.errorInstance) }
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}

/** A third outcome as it is printed: what it was, and how to see it again. */
export function tell({ schedule, reason }: { readonly schedule: unknown; readonly reason: string }): string {
  return `a third outcome: ${reason}\n\nreplay it with\n  npm run soak -- --replay '${JSON.stringify(schedule).replaceAll("'", String.raw`'\''`)}'\n`
}
