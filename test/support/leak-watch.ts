import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { onTestFinished } from 'vitest'
import { createEmissions, type EmissionsClient, type EmissionsOptions } from '../../src/adapters/emissions/index.ts'
import { RetrievalInterrupted } from '../../src/errors.ts'
import type { CallOptions, Logger, Retrieval } from '../../src/index.ts'
import { seen, type Channel } from '../tooling/leaks.ts'
import { SECRETS, TEST_PASSWORD, TEST_USERNAME } from '../tooling/secrets.ts'
import { SHORT } from './emissions.ts'

/** What must stand nowhere: the searched secrets, and each by itself in base64. */
const HIDDEN: readonly (readonly [name: string, text: string])[] = [
  ...SECRETS,
  ['user name, base64', Buffer.from(TEST_USERNAME).toString('base64')],
  ['password, base64', Buffer.from(TEST_PASSWORD).toString('base64')],
]

/** Keeps everything that a client shows while it is watched. */
export interface LeakWatch {
  readonly client: EmissionsClient
  /** Runs one call and keeps what it said, returned and threw. Returns how it ended. */
  run(call: (client: EmissionsClient, options: CallOptions) => unknown): Promise<unknown>
  /** Keeps one thing more. */
  shown(channel: Channel, value: unknown): void
  /** Secrets that were shown, and where. */
  leaks(): string[]
  /** How many things each channel showed. */
  counts(): Partial<Record<Channel, number>>
}

/** A client of an account whose every secret is known, and an eye on all that it shows. */
export function watchLeaks(server: { readonly url: string }, options: EmissionsOptions = {}): LeakWatch {
  const kept: { readonly channel: Channel; readonly text: string }[] = []
  const shown = (channel: Channel, value: unknown): void => {
    seen(channel, value)
    for (const text of textsOf(value)) kept.push({ channel, text })
  }
  const line = (message: string): void => shown('log', message)
  const logger: Logger = { debug: line, info: line, warn: line, error: line }
  const published = (event: unknown): void => shown('event', event)
  subscribe('headrace:event', published)
  onTestFinished(() => void unsubscribe('headrace:event', published))
  const credentials = { username: TEST_USERNAME, password: TEST_PASSWORD }
  const client = createEmissions({ ...SHORT, ...credentials, env: {}, baseUrl: server.url, logger, ...options })
  shown('meta', client.describeSettings())

  return {
    client,
    shown,
    async run(call) {
      try {
        const answer = await settled(call(client, { onEvent: event => shown('event', event) }))
        await showResult(shown, answer)
        return answer
      } catch (thrown) {
        showError(shown, thrown)
        return thrown
      }
    },
    leaks: () =>
      HIDDEN.flatMap(([name, text]) =>
        kept.filter(one => one.text.includes(text)).map(one => `${name} in ${one.channel}: ${around(one.text, text)}`),
      ),
    counts: () =>
      Object.fromEntries(
        [...new Set(kept.map(one => one.channel))].map(channel => [
          channel,
          kept.filter(one => one.channel === channel).length,
        ]),
      ),
  }
}

/** A promise's value, or all that a stream hands on. */
async function settled(answer: unknown): Promise<unknown> {
  if (!(Symbol.asyncIterator in Object(answer))) return answer
  const batches: unknown[] = []
  for await (const batch of answer as AsyncIterable<{ checkpoint(): unknown }>) batches.push(batch, batch.checkpoint())
  return batches
}

/** A result in all the forms in which it can be shown or written. */
async function showResult(shown: LeakWatch['shown'], answer: unknown): Promise<void> {
  shown('output', answer)
  if (!(answer instanceof Object) || !('meta' in answer)) return
  const result = answer as Retrieval
  shown('meta', result.meta)
  shown('meta', result.warnings)
  shown('meta', result.withMeta().slice(0, 3))
  shown('file', result.toCsv())
  shown('file', result.toJsonl())
}

/** An error in all the forms in which it can be logged, with everything that hangs on it. */
function showError(shown: LeakWatch['shown'], thrown: unknown): void {
  for (let error = thrown; error !== undefined && error !== null; error = (error as Error).cause) {
    shown('error', error)
    shown('error', String(error))
    shown('error', (error as Error).stack ?? '')
  }
  if (!(thrown instanceof RetrievalInterrupted)) return
  shown('error', thrown.failure)
  shown('error', thrown.failure.params)
  shown('file', thrown.checkpoint())
  shown('meta', (thrown.partial() as Retrieval).meta)
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  const whole = { depth: 10, showHidden: true, maxArrayLength: 50, maxStringLength: null }
  return [JSON.stringify(value) ?? '', inspect(value, whole), inspect(value, { ...whole, customInspect: false })]
}

function around(text: string, secret: string): string {
  const at = text.indexOf(secret)
  return JSON.stringify(text.slice(Math.max(0, at - 80), at + secret.length + 40))
}
