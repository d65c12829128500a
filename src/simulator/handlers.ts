import { getResponse, http, HttpResponse, type HttpHandler, type JsonBodyType, type StrictRequest } from 'msw'
import { isStream, type BodyStream } from './body-stream.ts'
import type { Core, Visit } from './core.ts'
import type { Answer, Ask } from './service.ts'

/** Names the visit a request belongs to, between our server and the handlers. Never sent over a wire. */
const VISIT_HEADER = 'x-simulator-visit'

/** Request handlers of a service, and the way our own server asks them. */
export interface HandlerSet {
  readonly handlers: HttpHandler[]
  /** Answers a visit that the server has already counted, delayed and freed of what needs a socket. */
  answer(visit: Visit, url: string): Promise<Answer>
}

/**
 * Describes a service as msw request handlers, one for each of its paths.
 *
 * @param baseUrl - where clients believe the services to be; by default where each one really is
 */
export function createHandlers(core: Core, baseUrl?: string): HandlerSet {
  const visits = new Map<string, { readonly visit: Visit; answer?: Answer }>()
  const basePath = baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/$/, '')
  let numbers = 0

  const resolver = async ({ request }: { request: StrictRequest<JsonBodyType> }): Promise<Response> => {
    const id = request.headers.get(VISIT_HEADER)
    const known = id === null ? undefined : visits.get(id)
    if (known === undefined) return answerAlone(core, request, basePath)
    known.answer = known.visit.answer()
    // The server takes the answer itself: a large body should not be copied on the way.
    return new Response(null)
  }

  const list = core.service.routes.map(({ method, path, origin }) =>
    (method === 'GET' ? http.get : http.post)((baseUrl ?? origin) + path, resolver),
  )
  return {
    handlers: list,
    async answer(visit, url) {
      const { method, body } = visit.ask
      if (method !== 'GET' && method !== 'POST') return visit.answer()
      // A number of our own: those of the record start anew with every reset.
      numbers += 1
      const id = String(numbers)
      const known: { readonly visit: Visit; answer?: Answer } = { visit }
      visits.set(id, known)
      const request = new Request(url, {
        method,
        headers: { [VISIT_HEADER]: id },
        ...(method === 'POST' ? { body } : {}),
      })
      try {
        await getResponse(list, request)
        // Not the response: it has no body but one that can be read once.
        return known.answer ?? visit.answer()
      } finally {
        visits.delete(id)
      }
    },
  }
}

/** A request that came through msw alone: counted, delayed and answered here. */
async function answerAlone(core: Core, request: Request, basePath: string): Promise<Response> {
  const { origin, pathname, search, searchParams } = new URL(request.url)
  const ask: Ask = {
    base: origin + basePath,
    method: request.method,
    path: pathname.slice(basePath.length),
    search,
    query: searchParams,
    headers: Object.fromEntries(request.headers),
    body: request.method === 'POST' ? await request.text() : '',
  }
  const visit = core.arrive(ask, 0)
  const { signal } = visit.gone
  request.signal.addEventListener('abort', () => leave(core, visit), { once: true })
  if (request.signal.aborted) leave(core, visit)
  try {
    await core.wait(visit)
  } catch {
    return HttpResponse.error()
  }
  if (visit.delivery?.type === 'hang') {
    visit.entry.status = 'hung'
    return new Promise(resolve => signal.addEventListener('abort', () => resolve(HttpResponse.error())))
  }
  if (visit.delivery?.type === 'reset') {
    core.end(visit, 'reset')
    return HttpResponse.error()
  }
  const answer = visit.answer()
  try {
    await core.stay(visit, answer.silence?.ms ?? 0)
  } catch {
    return HttpResponse.error()
  }
  if (answer.silence?.isLost === true) {
    core.end(visit, 'cut')
    return HttpResponse.error()
  }
  core.end(visit, answer.status)
  return responseOf(answer)
}

function leave(core: Core, visit: Visit): void {
  core.end(visit, 'aborted', true)
  visit.gone.abort()
}

function responseOf({ status, headers, body }: Answer): Response {
  const content = isStream(body) ? readable(body) : body
  return new Response(status === 204 || status === 304 || content === '' ? null : content, { status, headers })
}

function readable(body: BodyStream): ReadableStream<Uint8Array> {
  const pieces = body.chunks()[Symbol.iterator]()
  return new ReadableStream(
    {
      pull(controller) {
        const { value, done } = pieces.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
    },
    // Nothing is made before somebody reads.
    { highWaterMark: 0 },
  )
}
