import { Refusal } from '../../refusal.ts'
import { htmlAnswer, jsonAnswer, type Answer } from '../../service.ts'

/** A query that cannot be answered. The shape is one that clients decode; Samples itself was never seen to refuse. */
export function badRequest(description: string): Refusal {
  return new Refusal(jsonAnswer(400, { code: 'BadRequest', description }))
}

export function notFound(description: string): Refusal {
  return new Refusal(jsonAnswer(404, { code: 'NotFound', description }))
}

/** What the gateway says of a key it does not know. */
export function unknownKey(): Answer {
  return jsonAnswer(403, { error: { code: 'API_KEY_INVALID', message: 'An invalid api_key was supplied.' } })
}

/** What the gateway says when too much was asked. */
export function overLimit(): Answer {
  const message = 'You have exceeded your rate limit. Try again later or contact us for assistance'
  return jsonAnswer(429, { error: { code: 'OVER_RATE_LIMIT', message } })
}

const TITLES: Readonly<Record<number, string>> = {
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
}

/** The words of whoever says this status: the gateway, the application, or the edge. */
export function samplesError(status: number): Answer {
  switch (status) {
    case 403:
      return unknownKey()
    case 429:
      return overLimit()
    case 400:
    case 404:
    case 406:
      return jsonAnswer(status, { code: status === 404 ? 'NotFound' : 'BadRequest', description: `status ${status}` })
    default:
      return htmlAnswer(status, `${status} ${TITLES[status] ?? 'Error'}`)
  }
}
