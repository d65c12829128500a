import { randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeEach, inject, vi } from 'vitest'
import { HeadraceError } from '../src/errors.ts'
import type * as Logging from '../src/logger.ts'
import { currentSearch } from './tooling/leaks.ts'

/**
 * Runs before each test file. Every error of ours that is made, every event and metadata row, every log line that
 * no logger was given for, and everything that is printed, is searched for the test credentials without a test
 * having to ask for it. The rest (lines of a logger of its own, files, the simulator's log) a test hands in with
 * `seen`. R44: one secret in any of it, and the file fails.
 */
const search = currentSearch()

searchStream(process.stdout)
searchStream(process.stderr)
searchErrors()

subscribe('headrace:event', event => {
  search.seen('event', event)
  const { meta } = event as { meta?: unknown }
  if (meta !== undefined) search.seen('meta', meta)
})

vi.mock('../src/logger.ts', async importOriginal => {
  const line = (message: string): void => void search.seen('log', message)
  const silentLogger: Logging.Logger = Object.freeze({ debug: line, info: line, warn: line, error: line })
  return { ...(await importOriginal<typeof Logging>()), silentLogger }
})

beforeEach(({ task }) => {
  search.during = task.name
})

// Registered first, so it runs last.
afterAll(async () => {
  await setImmediate()
  writeFileSync(join(inject('leakTally'), `${randomUUID()}.json`), JSON.stringify(search.searched))
  if (search.leaks.length > 0) throw new Error(`R44: secrets were shown\n${search.report()}`)
})

function searchStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    search.seen('output', typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
    return write(chunk, ...rest)
  }
}

/**
 * Slips a class between `Error` and ours: `super(...)` looks its parent up when it runs, so every error
 * made from here on passes through. It is searched one microtask later, when its fields are filled.
 */
function searchErrors(): void {
  // Kept before a test can put a fake in its place.
  const soon = queueMicrotask
  class SearchedError extends Error {
    constructor(...given: ConstructorParameters<typeof Error>) {
      super(...given)
      soon(() => search.seen('error', this))
    }
  }
  Object.setPrototypeOf(HeadraceError, SearchedError)
}
