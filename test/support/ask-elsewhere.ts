import { join } from 'node:path'
import { TEST_PASSWORD, TEST_USERNAME } from '../tooling/secrets.ts'
import { runScript } from './run-script.ts'

/** A getter and its query. */
export type Question = readonly ['getHistorical' | 'getHistoricalForecast', object]

/** What a process of another zone or language had to say. */
export interface Elsewhere {
  readonly code: number | null
  readonly stderr: string
  /** Where it believed to be. */
  readonly place: { readonly timeZone: string; readonly locale: string; readonly half: string }
  /** One answer per question: its rows, or its error. */
  readonly answers: readonly {
    readonly rows?: number
    readonly csv?: string
    readonly name?: string
    readonly message?: string
  }[]
}

const SCRIPT = join(import.meta.dirname, '..', 'field-cases', 'scripts', 'ask.ts')

/** Asks a server from a process of its own, with these variables in its environment. */
export async function askElsewhere(
  url: string,
  questions: readonly Question[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Elsewhere> {
  const { code, stderr, stdout } = await runScript(SCRIPT, [url, JSON.stringify(questions)], {
    ...env,
    WATTTIME_USER: TEST_USERNAME,
    WATTTIME_PASSWORD: TEST_PASSWORD,
  })
  const [place, ...answers] = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as object)
  return { code, stderr, place: place as Elsewhere['place'], answers: answers as Elsewhere['answers'] }
}
