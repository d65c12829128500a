import { describe, expect, it, vi } from 'vitest'
import type * as Logging from '../src/logger.ts'

describe('silentLogger', () => {
  it('R63: says nothing, whatever it is told, and cannot be given a voice', async () => {
    // The suite puts a listening logger in its place; this is about the real one.
    const { silentLogger } = await vi.importActual<typeof Logging>('../src/logger.ts')
    const writes = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
    for (const level of ['debug', 'info', 'warn', 'error'] as const)
      expect(silentLogger[level]('hello')).toBeUndefined()
    for (const write of writes) {
      expect(write).not.toHaveBeenCalled()
      write.mockRestore()
    }
    expect(Object.isFrozen(silentLogger)).toBe(true)
  })
})
