import { isAnswerAction, isContentAction, type AnswerAction, type FaultAction } from './fault.ts'
import type { Answer, Ask, Service } from './service.ts'

/** How this request will be answered: in the service's words, changed as told, or with a fault's answer in their place. */
export function answering(service: Service, ask: Ask, actions: readonly FaultAction[]): () => Answer {
  const instead = actions.find(isAnswerAction)
  return instead
    ? () => answerInstead(service, ask, instead)
    : () => service.answer(ask, actions.filter(isContentAction))
}

function answerInstead(service: Service, ask: Ask, action: AnswerAction): Answer {
  switch (action.type) {
    case 'status':
      return statusAnswer(service, ask, action)
    case 'html':
      return {
        status: 200,
        headers: { 'content-type': action.label ?? 'text/html' },
        body: '<!doctype html>\n<html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1></body></html>\n',
      }
    case 'body':
      return { status: 200, headers: { 'content-type': action.contentType ?? 'application/json' }, body: action.text }
    case 'expireToken':
      return service.refuseToken(ask)
    case 'redirect':
      return { status: action.status ?? 302, headers: { location: action.location }, body: '' }
  }
}

function statusAnswer(service: Service, ask: Ask, action: Extract<AnswerAction, { type: 'status' }>): Answer {
  const own = service.errorAnswer(action.status, ask)
  const headers = Object.fromEntries(
    Object.entries(action.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const text = typeof action.body === 'object' ? JSON.stringify(action.body) : action.body
  const type =
    action.contentType ??
    (typeof action.body === 'string'
      ? 'text/plain'
      : typeof action.body === 'object'
        ? 'application/json'
        : own.headers['content-type'])
  return {
    status: action.status,
    headers: { ...own.headers, ...(type === undefined ? {} : { 'content-type': type }), ...headers },
    body: text ?? own.body,
  }
}
