import { describe, expect, it } from 'vitest'
import type { FaultAction } from '../../src/simulator/index.ts'
import { clientOf, listen, simulate } from '../support/emissions.ts'

const DAY_MS = 86_400_000
const QUARTER = { region: 'CAISO_NORTH', start: '2024-01-01T00:00Z', end: '2024-03-30T23:55Z' }

/** Three months, one request at a time, of which the first meets a misfortune. */
async function spansAskedFor(misfortune: FaultAction) {
  const simulator = await simulate({ faults: [{ when: { nth: 1 }, do: misfortune }] })
  const { events, onEvent } = listen()
  const { rows } = await clientOf(simulator, { concurrency: 1 }).getHistorical(QUARTER, { onEvent })
  const days = simulator.requests.flatMap(({ spanMs }) => (spanMs === undefined ? [] : [Math.round(spanMs / DAY_MS)]))
  return { rows: rows.length, days, events: events.map(event => event.type) }
}

describe('a body that falls silent half way', () => {
  it('R4, R30: is asked for in two halves, and teaches no smaller size', async () => {
    const { rows, days, events } = await spansAskedFor({ type: 'silent', at: 0.5 })
    expect(days).toEqual([30, 15, 15, 30, 30])
    expect(events).toContain('split')
    expect(events).not.toContain('learned')
    expect(rows).toBe(90 * 288)
  })

  it.each<[string, FaultAction]>([
    ['no answer', { type: 'hang' }],
    ['headers and nothing after them', { type: 'silent' }],
  ])('R30: while %s teaches the size that answered', async (_name, misfortune) => {
    const { rows, days, events } = await spansAskedFor(misfortune)
    expect(days).toEqual([30, 15, 15, 15, 15, 15, 15])
    expect(events.filter(type => type === 'learned')).toHaveLength(1)
    expect(rows).toBe(90 * 288)
  })
})
