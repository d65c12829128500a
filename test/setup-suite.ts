import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Channel } from './tooling/leaks.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder in which each test file leaves what it searched. */
    leakTally: string
  }
}

/** Where the whole suite must have shown something: a search that was handed nothing finds nothing. */
const MUST_BE_SEARCHED: readonly Channel[] = ['error', 'log', 'event', 'meta', 'file', 'simulator']

/** Runs once around the suite and, when all of it ran, fails it if a channel was never searched for leaks. */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'leak-tally-'))
  project.provide('leakTally', folder)

  return async () => {
    const tallies = readdirSync(folder).map(name => readTally(join(folder, name)))
    rmSync(folder, { recursive: true })
    const { testFiles } = await project.globTestFiles()
    const ran = new Set(project.vitest.state.getPaths())
    const partly = testFiles.some(file => !ran.has(file)) || project.config.testNamePattern !== undefined
    if (partly) return

    const counts = MUST_BE_SEARCHED.map(channel => [channel, sum(tallies.map(tally => tally[channel] ?? 0))] as const)
    console.log(`searched for secrets: ${counts.map(([channel, count]) => `${count} ${channel}`).join(', ')}`)
    const never = counts.filter(([, count]) => count === 0).map(([channel]) => channel)
    if (never.length > 0) {
      console.error(`R44: the suite never showed the leak search: ${never.join(', ')}`)
      // An error thrown here is printed, and the exit code stays 0.
      process.exitCode = 1
    }
  }
}

function readTally(path: string): Partial<Record<Channel, number>> {
  return JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<Channel, number>>
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
