import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runCampaign, tell, type Campaign } from './campaign.ts'
import { PAGES } from './pages.ts'
import { QUALITY } from './quality.ts'
import { SERIES } from './series.ts'
import { WATER } from './water.ts'

/** The seed that never changes, so that what once was found stays found. */
const FIXED_SEED = 20_260_101
/** A seed of today, so that every run looks where none has looked before. */
const FRESH_SEED = randomInt(1, 2 ** 31 - 1)

/** How many schedules run at a time: they spend most of their time waiting. */
const ABREAST = 6
const MINUTES_MS = 60_000

async function insistOnTwoOutcomes<Schedule>(campaign: Campaign<Schedule>, seed: number, count: number): Promise<void> {
  const { ran, third } = await runCampaign(campaign, { seed, count, abreast: ABREAST, shrinkMs: MINUTES_MS })
  if (third) throw new Error(`seed ${seed}: ${tell(third)}`)
  expect(ran).toBe(count)
}

describe('R25, R54, R60: under any schedule of faults there is the truth, or an error that leads to it', () => {
  it.each([
    ['fixed', FIXED_SEED],
    [`fresh (${FRESH_SEED})`, FRESH_SEED],
  ])('60 schedules over a series, %s seed', { timeout: 5 * MINUTES_MS }, (_, seed) =>
    insistOnTwoOutcomes(SERIES, seed, 60),
  )

  it.each([
    ['fixed', FIXED_SEED],
    [`fresh (${FRESH_SEED})`, FRESH_SEED],
  ])('R46-R49: 40 schedules over pages, %s seed', { timeout: 5 * MINUTES_MS }, (_, seed) =>
    insistOnTwoOutcomes(PAGES, seed, 40),
  )

  it.each([
    ['fixed', FIXED_SEED],
    [`fresh (${FRESH_SEED})`, FRESH_SEED],
  ])('R38, R46-R49, R56: 40 schedules over the streamflow services, %s seed', { timeout: 5 * MINUTES_MS }, (_, seed) =>
    insistOnTwoOutcomes(WATER, seed, 40),
  )

  it.each([
    ['fixed', FIXED_SEED],
    [`fresh (${FRESH_SEED})`, FRESH_SEED],
  ])('30 schedules over tables that fail inside a success, %s seed', { timeout: 5 * MINUTES_MS }, (_, seed) =>
    insistOnTwoOutcomes(QUALITY, seed, 30),
  )
})
