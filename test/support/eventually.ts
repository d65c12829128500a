import { expect } from 'vitest'

/** Expects something to come true that somebody else brings about, however slow the machine is. */
export function eventually<T>(look: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look, { timeout: 12_000, interval: 2 })
}
