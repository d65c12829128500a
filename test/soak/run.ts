/**
 * Runs fault schedules until the time is over: `npm run soak -- --minutes 20 [--seed 7]`. One that ended as none may is
 * printed, and played again with `--replay '<json>'`. Exits with 1 at the first such schedule.
 */
import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runCampaign, tell, type Campaign } from '../schedules/campaign.ts'
import { PAGES } from '../schedules/pages.ts'
import type { PagedSchedule } from '../schedules/paged-schedule.ts'
import { QUALITY } from '../schedules/quality.ts'
import type { QualitySchedule } from '../schedules/quality-schedule.ts'
import { SERIES } from '../schedules/series.ts'
import type { SeriesSchedule } from '../schedules/series-schedule.ts'
import { WATER } from '../schedules/water.ts'
import type { WaterSchedule } from '../schedules/water-schedule.ts'

type AnySchedule = SeriesSchedule | PagedSchedule | WaterSchedule | QualitySchedule

/** Schedules between two looks at the clock. */
const ROUND = 60
const ABREAST = 6
const SHRINK_MS = 120_000
const MINUTE_MS = 60_000
/** Time for the last connections to close. */
const GRACE_MS = 500

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' }, replay: { type: 'string' } },
})

process.on('unhandledRejection', thrown => {
  console.log('a third outcome: a rejection that nobody handled')
  console.log(thrown)
  process.exit(1)
})

if (values.replay === undefined)
  await soak(Number(values.minutes) * MINUTE_MS, Number(values.seed ?? randomInt(1, 2 ** 30)))
else await replay(JSON.parse(values.replay) as AnySchedule)

async function soak(ms: number, firstSeed: number): Promise<void> {
  const begun = Date.now()
  const outcomes = new Map<string, number>()
  let ran = 0
  for (let seed = firstSeed; Date.now() - begun < ms; seed++) {
    ran +=
      (await round(SERIES, seed, outcomes)) +
      (await round(PAGES, seed, outcomes)) +
      (await round(WATER, seed, outcomes)) +
      (await round(QUALITY, seed, outcomes))
    console.log(
      `${ran} schedules in ${Math.round((Date.now() - begun) / 1000)} s, seeds ${firstSeed} to ${seed}, no third outcome`,
    )
  }
  for (const [outcome, count] of [...outcomes].sort(([, one], [, other]) => other - one))
    console.log(`${String(count).padStart(6)}  ${outcome}`)
  await insistNothingOpen()
}

/** R62: after all schedules the process has no timer and no connection. */
async function insistNothingOpen(): Promise<void> {
  await setTimeout(GRACE_MS)
  const open = process.getActiveResourcesInfo().filter(name => /^(?:Timeout|TCP)/.test(name))
  if (open.length === 0) return
  console.log(`a third outcome: the process still holds ${open.join(', ')}`)
  process.exitCode = 1
}

async function round<Schedule>(
  campaign: Campaign<Schedule>,
  seed: number,
  outcomes: Map<string, number>,
): Promise<number> {
  const report = await runCampaign(campaign, { seed, count: ROUND, abreast: ABREAST, shrinkMs: SHRINK_MS })
  for (const [outcome, count] of report.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count)
  if (report.third === undefined) return report.ran
  console.log(`seed ${seed}: ${tell(report.third)}`)
  process.exit(1)
}

async function replay(schedule: AnySchedule): Promise<void> {
  try {
    console.log(await played(schedule))
  } catch (thrown) {
    console.log(thrown)
    process.exitCode = 1
  }
}

function played(schedule: AnySchedule): Promise<string> {
  switch (schedule.kind) {
    case 'series':
      return SERIES.run(schedule)
    case 'pages':
      return PAGES.run(schedule)
    case 'water':
      return WATER.run(schedule)
    case 'quality':
      return QUALITY.run(schedule)
  }
}
