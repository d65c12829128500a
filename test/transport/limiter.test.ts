import { describe, expect, it } from 'vitest'
import { createLimiter } from '../../src/transport/limiter.ts'

const soon = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

describe('createLimiter', () => {
  it('R34: runs so many tasks at a time, in the order in which they were given', async () => {
    const limiter = createLimiter(2)
    const started: number[] = []
    const ends: (() => void)[] = []
    const tasks = [0, 1, 2, 3].map(task =>
      limiter.run(async () => {
        started.push(task)
        await new Promise<void>(resolve => ends.push(resolve))
        return task
      }),
    )
    await soon()
    expect([started, limiter.pending]).toEqual([[0, 1], 4])
    ends[1]?.()
    await soon()
    expect([started, limiter.pending]).toEqual([[0, 1, 2], 3])
    ends[0]?.()
    ends[2]?.()
    await soon()
    ends[3]?.()
    await expect(Promise.all(tasks)).resolves.toEqual([0, 1, 2, 3])
    expect(limiter.pending).toBe(0)
  })

  it('R34: a task that fails makes room like any other', async () => {
    const limiter = createLimiter(1)
    const failed = limiter.run(async () => {
      throw new Error('no')
    })
    const next = limiter.run(async () => 'yes')
    await expect(failed).rejects.toThrow('no')
    await expect(next).resolves.toBe('yes')
  })
})
