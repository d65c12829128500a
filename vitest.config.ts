import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    globalSetup: ['test/setup-suite.ts'],
    setupFiles: ['test/setup.ts'],
    // What a test prints goes to the real streams, where the leak search reads it.
    disableConsoleIntercept: true,
    testTimeout: 15_000,
    hookTimeout: 15_000,
    teardownTimeout: 5_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // Doors hold re-exports only; the programs are run as child processes, where nothing is counted.
      exclude: ['src/**/index.ts', 'src/simulator/main.ts', 'src/cli/main.ts'],
      reporter: ['text-summary', 'html', 'json-summary'],
      thresholds: { lines: 90, branches: 85, functions: 90 },
    },
  },
})
