import { Refusal } from '../../refusal.ts'
import { htmlAnswer, jsonAnswer, type Answer } from '../../service.ts'

/** What stands between a violation and the server's name. */
const WARNING = '299 WQP '

/** Refused with an empty body: what is wrong stands in headers, folded into one. */
export function invalid(violations: readonly string[]): Refusal {
  const warning = violations.map(text => `${WARNING}"${headerText(text)}"`).join(', ')
  return new Refusal({ status: 400, headers: violations.length === 0 ? {} : { warning }, body: '' })
}

/** What the container says of a request that never reached the application. */
export function containerError(status: number, title: string, path: string, message = ''): Answer {
  return jsonAnswer(status, { timestamp: '2021-07-04T12:00:00.000+00:00', status, error: title, message, path })
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  413: 'Request Entity Too Large',
  414: 'Request-URI Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
}

/** The Portal's own way to say a status. Those of what stands in front of it are HTML. */
export function portalError(status: number, path: string): Answer {
  const title = TITLES[status] ?? 'Error'
  if (status === 400) return { status, headers: {}, body: '' }
  if (status === 500) {
    const sentence = 'Something bad happened. Contact us with Reference Number: 1893345127'
    return { status, headers: { 'content-type': 'text/csv;charset=UTF-8', 'fatal-error': sentence }, body: sentence }
  }
  if ([404, 405, 406, 501].includes(status)) return containerError(status, title, path)
  return htmlAnswer(status, `${status} ${title}`)
}

/** A text that a header can hold. */
export function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '?')
}
