import { describe, expect, it } from 'vitest'
import { ask, says, whole } from '../support/paged-replay.ts'
import { inTurn } from '../support/scripted-server.ts'

/** Design W again: how long it waits between attempts. */

describe('W, R17, R18: every wait has jitter, and a named wait is kept', () => {
  it.each([0, 0.5, 0.999])('full jitter on ordinary waits: %d of the ceiling that doubles', async chance => {
    const { only } = await ask(says(503), { random: () => chance })
    const waits = only('retry').map(({ waitMs }) => waitMs)
    expect(waits).toEqual([500, 1000, 2000, 4000].map(ceiling => ceiling * chance))
  })

  it('the ceiling has a ceiling', async () => {
    const { only } = await ask(says(503), { random: () => 0.999, retries: 9, stallMs: 0 })
    expect(Math.max(...only('retry').map(({ waitMs }) => waitMs))).toBe(0.999 * 30_000)
  })

  it.each([
    ['5', 5_000],
    [' 5 ', 5_000],
    ['1.5', 1_500],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
    ['Thursday, 01-Jan-26 00:00:05 GMT', 5_000],
    ['Thu Jan  1 00:00:05 2026', 5_000],
  ])('a wait of %j is kept, and up to a second is added', async (value, ms) => {
    for (const chance of [0, 0.25, 0.999]) {
      const { only, arrivals } = await ask(inTurn(says(429, { 'retry-after': value, date: '' }), whole), {
        random: () => chance,
      })
      expect(only('retry').map(({ waitMs }) => waitMs)).toEqual([ms + chance * 1000])
      expect((arrivals[1]?.at ?? 0) - (arrivals[0]?.at ?? 0)).toBeGreaterThanOrEqual(ms)
    }
  })

  it.each([
    ['a date in the past', 'Wed, 31 Dec 2025 23:59:55 GMT'],
    ['a date of the very moment', 'Thu, 01 Jan 2026 00:00:00 GMT'],
    ['a date without its zone', 'Thu, 01 Jan 2026 00:00:05'],
    ['a negative', '-5'],
    ['a word', 'soon'],
    ['nothing', ''],
    ['two values', '10, 20'],
    ['Infinity', 'Infinity'],
  ])('%s is no hint: the ordinary wait with jitter, never at once', async (_what, value) => {
    const { only, end } = await ask(inTurn(says(429, { 'retry-after': value, date: '' }), whole))
    expect(end).toMatchObject({ rows: { length: 3 } })
    expect(only('retry').map(({ waitMs }) => waitMs)).toEqual([250])
  })

  it("a date is read against the server's own clock: ours may be wrong", async () => {
    const headers = { date: 'Thu, 01 Jan 2026 03:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 03:00:05 GMT' }
    const { only } = await ask(inTurn(says(429, headers), whole), { random: () => 0 })
    expect(only('retry').map(({ waitMs }) => waitMs)).toEqual([5_000])
  })

  it('a wait above the cap is not waited for: it is on the error', async () => {
    const { end, hits } = await ask(says(429, { 'retry-after': '3600' }))
    expect(end).toMatchObject({ kind: 'rate_limited', status: 429, retryAfterMs: 3_600_000, attempts: 1 })
    expect(hits).toBe(1)
  })
})
