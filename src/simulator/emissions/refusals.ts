import { Refusal } from '../refusal.ts'
import { htmlAnswer, jsonAnswer, type Answer } from '../service.ts'
import { FREE_REGION } from './catalogue.ts'

const DOCS = 'https://docs.watttime.org/'

/** A query that cannot be answered. */
export function invalidQuery(msg: string): Refusal {
  return new Refusal(jsonAnswer(400, { error: 'INVALID_QUERY_PARAMS', msg, docs: DOCS }))
}

/** A parameter found wrong before the service itself is reached: another shape, kept by account and region paths. */
export function invalidParameter(parameter: string, msg: string, type: string): Refusal {
  return new Refusal(jsonAnswer(422, { detail: [{ loc: ['query', parameter], msg, type }] }))
}

/** A region, signal or endpoint that the plan does not include. */
export function invalidScope(): Refusal {
  const message =
    'Invalid scope. You do not have sufficient access to this resource. See https://watttime.org/docs-dev/data-plans/ for more information. ' +
    `Please note that all users are allowed free access to ${FREE_REGION}.`
  return new Refusal(jsonAnswer(403, { error: 'Invalid query parameters', message }))
}

/** A token that is missing, unknown, stale or refused. Comes from the gateway, hence no JSON. */
export function unauthorized(): Refusal {
  return new Refusal(errorAnswer(401))
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Authorization Required',
  403: 'Forbidden',
  404: 'Not Found',
  414: 'Request-URI Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
}

/** The service's own words for a status. Those of a gateway are HTML. */
export function errorAnswer(status: number): Answer {
  const title = TITLES[status] ?? 'Error'
  if ([401, 502, 503, 504].includes(status)) return htmlAnswer(status, `${status} ${title}`)
  return jsonAnswer(status, { error: title, message: `${status} ${title}`, docs: DOCS })
}
