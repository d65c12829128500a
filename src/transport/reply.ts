import { constants } from 'node:buffer'
import { Failure } from './failure.ts'

/** A successful answer as an adapter reads it. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Address that answered, without secrets. */
  readonly url: string
  /** Where it was read while it arrived, what the reader left. */
  readonly body: Buffer
  /** What was read while it arrived. */
  readonly streamed?: unknown
  /** Oddities that were put right on the way, for the metadata row. */
  readonly warnings: string[]
  /** The JSON value; see `readJson`. Read once, however often asked. */
  json(): unknown
}

/** @param raw - the answer as it came */
export function createReply(raw: Pick<Reply, 'status' | 'headers' | 'url' | 'body' | 'streamed'>): Reply {
  let parsed: { readonly value: unknown } | undefined
  const reply: Reply = {
    ...raw,
    warnings: [],
    json: () => (parsed ??= { value: readJson(reply) }).value,
  }
  return reply
}

const EXCERPT_LENGTH = 200
/** Behind so much, nobody says what went wrong. */
const MOST_WORDS_BYTES = 2 ** 20

/**
 * The JSON value of an answer; `undefined` for status 204.
 *
 * JSON that ends early is an answer cut short and deserves a repeat; JSON that is wrong is not JSON. Bare `NaN` and
 * `Infinity`, which some servers write, become `null` with a warning.
 *
 * @throws Failure of class `lost` or `bad_response`; never returns text in place of data
 */
function readJson(reply: Reply): unknown {
  if (reply.status === 204) return undefined
  if (reply.body.length > constants.MAX_STRING_LENGTH)
    throw new Failure(`an answer of ${reply.body.length} bytes is more than can be read as one JSON value`, {
      ...facts(reply),
      class: 'too_large',
    })
  const text = reply.body.toString('utf8')
  if (text.trim() === '')
    throw new Failure(`empty answer: status ${reply.status} with no bytes where JSON was due`, facts(reply))
  if (looksLikeMarkup(text)) throw new Failure(`a web page came where JSON was due: ${excerpt(text)}`, facts(reply))
  try {
    return JSON.parse(text) as unknown
  } catch (thrown) {
    return readOddJson(text, reply, thrown)
  }
}

/** The first characters of a text on one line, for an error. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line
}

/** Whether a text is a web page, whatever its label says. */
export function looksLikeMarkup(text: string): boolean {
  return /^\uFEFF?\s*<(?:!doctype|html|head|body|\?xml|[a-z]+[\s>])/i.test(text)
}

/**
 * What a service says about a failure, from any of the shapes in use: `message`, `msg`, `error`, `description`,
 * `detail` (text or a list of findings), the title of a page, or the first line of a text.
 */
export function serverWords(body: Buffer): string | undefined {
  const text = body.toString('utf8', 0, MOST_WORDS_BYTES).trim()
  if (text === '') return undefined
  if (looksLikeMarkup(text)) return excerpt(/<title[^>]*>([^<]*)</i.exec(text)?.[1] ?? text)
  try {
    const words = wordsIn(JSON.parse(text))
    return words === undefined ? excerpt(text) : excerpt(words)
  } catch {
    return excerpt(text.split('\n', 1)[0] ?? text)
  }
}

function wordsIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined
  if (Array.isArray(value)) return value.map(wordsIn).filter(Boolean).join('; ') || undefined
  if (typeof value !== 'object' || value === null) return undefined
  const { message, msg, error, error_description, description, detail, title, code } = value as Record<string, unknown>
  return [message, msg, error_description, description, detail, error, title, code]
    .map(wordsIn)
    .find(words => words !== undefined)
}

function readOddJson(text: string, reply: Reply, thrown: unknown): unknown {
  if (endsEarly(text)) {
    throw new Failure(`incomplete answer: the JSON ends in the middle of a value`, {
      ...facts(reply),
      class: 'lost',
    })
  }
  const { clean, replaced } = withoutBareNumbers(text)
  if (replaced > 0) {
    try {
      const value = JSON.parse(clean) as unknown
      reply.warnings.push(
        `${replaced} ${replaced === 1 ? 'value' : 'values'} NaN or Infinity, which JSON does not have, read as null`,
      )
      return value
    } catch {
      // Not the only thing wrong with it: report the text as it came.
    }
  }
  // Without the parser's own excerpt, which may begin and end inside a secret: ours can be redacted.
  const reason =
    thrown instanceof Error ? thrown.message.replace(/, (?:\.\.\.)?".*$/s, '').slice(0, EXCERPT_LENGTH) : ''
  throw new Failure(`not JSON (${reason}): ${excerpt(text)}`, facts(reply))
}

/** Whether a JSON text breaks off: a string or a bracket is open at its end. */
function endsEarly(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
  }
  return inString || depth > 0
}

function withoutBareNumbers(text: string): { clean: string; replaced: number } {
  let replaced = 0
  const clean = text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, token => {
    if (token.startsWith('"')) return token
    replaced += 1
    return 'null'
  })
  return { clean, replaced }
}

function facts(reply: Reply) {
  return { class: 'bad_response' as const, status: reply.status, headers: reply.headers }
}
