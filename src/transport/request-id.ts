import type { Redactor } from '../redact.ts'

/** Headers in which services and the gateways in front of them state their number for a request. */
const HEADERS = ['x-request-id', 'x-api-umbrella-request-id', 'x-correlation-id']

/** The service's own number for a request, where it states one. */
export function requestIdIn(headers: Readonly<Record<string, string>>, redact: Redactor): string | undefined {
  const id = HEADERS.map(name => headers[name]).find(value => value !== undefined && value !== '')
  return id === undefined ? undefined : redact(id)
}
