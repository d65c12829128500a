import { describe, expect, it } from 'vitest'
import { killPulls } from './kill-campaign.ts'

describe('R60: a pull that is killed with faults on', () => {
  it(
    'at 20 random moments: the files equal an undisturbed pull, nothing is left behind, nothing done is asked again',
    { timeout: 240_000 },
    async () => {
      const { kills, tasksAtKill } = await killPulls({ kills: 20, seed: 7, format: 'csv' })
      expect(kills).toBe(20)
      // Kills that all come before the first task, or after the last, would show nothing.
      expect(tasksAtKill.filter(done => done > 0 && done < 28).length).toBeGreaterThan(5)
    },
  )
})
