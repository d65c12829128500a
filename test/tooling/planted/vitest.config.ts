import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// A suite of its own, run by leaks.test.ts: files that show secrets on purpose, under the real set-up.
export default defineConfig({
  cacheDir: join(import.meta.dirname, '../../../node_modules/.vite'),
  test: {
    root: import.meta.dirname,
    include: ['*.planted.ts'],
    pool: 'forks',
    setupFiles: ['../../setup.ts'],
    globalSetup: ['../../setup-suite.ts'],
    disableConsoleIntercept: true,
  },
})
