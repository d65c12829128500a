import { Refusal } from '../refusal.ts'
import { jsonAnswer, type Answer } from '../service.ts'

/** A query that the application cannot answer: its own shape of error. */
export function invalid(description: string): Refusal {
  return new Refusal(applicationError(400, 'InvalidParameterValue', description))
}

export function notFound(description: string): Refusal {
  return new Refusal(applicationError(404, 'NotFound', description))
}

/** What the application makes of a number without quotes: an accident, always the same. */
export function queryFailed(): Refusal {
  return new Refusal(applicationError(500, 'NoApplicableCode', 'query error (check logs)'))
}

export function applicationError(status: number, code: string, description: string): Answer {
  return jsonAnswer(status, { code, type: code, description })
}

const SIGN_UP = 'https://api.waterdata.usgs.gov/signup/'

const GATEWAY: Readonly<Record<string, readonly [status: number, message: string]>> = {
  API_KEY_MISSING: [403, `No api_key was supplied. Get one at ${SIGN_UP}`],
  API_KEY_INVALID: [403, `An invalid api_key was supplied. Get one at ${SIGN_UP}`],
  OVER_RATE_LIMIT: [
    429,
    `You have exceeded your rate limit. Get an api_key at ${SIGN_UP}, try again later or contact support for assistance`,
  ],
}

/** What the gateway says before the application is reached, in the format that was asked for. */
export function gatewayError(code: keyof typeof GATEWAY, format: string | null): Answer {
  const [status, message] = GATEWAY[code] ?? [500, '']
  if (format === 'csv') return text(status, 'text/csv', `Error Code,Error Message\n${code},"${message}"\n`)
  if (format === 'html') {
    return text(status, 'text/html', `<html><body><h1>${code}</h1><p>${message}</p></body></html>\n`)
  }
  return jsonAnswer(status, { error: { code, message } })
}

/** What the edge says, before even the gateway is reached. */
export function edgeError(status: number): Answer {
  const title = TITLES[status] ?? 'Error'
  const body =
    status === 403
      ? 'Access Denied. The request was blocked. If you believe this is in error, contact support.\n'
      : `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n</body>\r\n</html>\r\n`
  return text(status, status === 403 ? 'text/plain' : 'text/html', body)
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
}

/** The words of whoever says this status: edge, gateway or application. */
export function errorAnswer(status: number, format: string | null): Answer {
  switch (status) {
    case 403:
      return gatewayError('API_KEY_INVALID', format)
    case 429:
      return gatewayError('OVER_RATE_LIMIT', format)
    case 413:
    case 414:
    case 502:
    case 504:
      return edgeError(status)
    case 400:
      return applicationError(400, 'InvalidParameterValue', 'unknown query parameter')
    case 404:
      return applicationError(404, 'NotFound', 'Collection not found')
    case 503:
      return applicationError(503, 'ServiceUnavailable', 'The service is not available, please try again later')
    default:
      return applicationError(status, 'NoApplicableCode', 'query error (check logs)')
  }
}

function text(status: number, type: string, body: string): Answer {
  return { status, headers: { 'content-type': type }, body }
}
