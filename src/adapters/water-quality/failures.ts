import { excerpt, Failure, serverWords, type Reply } from '../../transport/index.ts'

/** Statuses whose words do not stand in the body. */
export const SPOKEN_IN_HEADERS: readonly number[] = [400, 500]

/** What stands before each violation when several are folded into one header. */
const WARNING = /299 WQP "((?:[^"\\]|\\.|"(?!\s*(?:,\s*299 WQP "|$)))*)"/g

/**
 * Finds a failure in an answer: in the headers of a refusal, whose body is empty, and of a query that broke down before
 * its first row.
 */
export function inspectPortal(reply: Reply): Failure | undefined {
  const { status, headers, body } = reply
  if (status === 400) {
    const words = warningsIn(headers['warning'])
    const hint = words.some(isAboutCodes)
      ? ' (the service says this of good values, too, while its lists of codes are out of reach)'
      : ''
    return new Failure(`the service refuses the query (400)${hint}`, {
      class: 'status',
      status,
      headers,
      serverMessage: words.length > 0 ? words.join(' ') : serverWords(body),
    })
  }
  if (status === 500) {
    return new Failure('the service could not carry out the query (500): it may be too large, or wrong', {
      class: 'status',
      status,
      headers,
      serverMessage: headers['fatal-error'] ?? sentenceIn(body) ?? serverWords(body),
    })
  }
  return undefined
}

/** The texts of a warning header: messages hold commas, so only the server's own mark parts them. */
export function warningsIn(header: string | undefined): string[] {
  if (header === undefined || header === '') return []
  const found = [...header.matchAll(WARNING)].map(([, text = '']) => text)
  return found.length > 0 ? found : [excerpt(header)]
}

function isAboutCodes(words: string): boolean {
  return /enumerated values/.test(words)
}

/** Behind a header line that would fill the whole excerpt. */
function sentenceIn(body: Buffer): string | undefined {
  return /Something bad happened\. Contact us with Reference Number: -?\d+/.exec(body.toString('utf8'))?.[0]
}
