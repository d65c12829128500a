import { defineConfig } from 'vitest/config'

/** The tests that mutants of the transport must not survive: those of the transport itself, which are quick. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/transport/**/*.test.ts'],
    testTimeout: 5_000,
    hookTimeout: 5_000,
  },
})
