import { redactUrl, redactValue } from '../redact.ts'
import type { Call } from './call.ts'
import { explain } from './explain.ts'
import { Failure } from './failure.ts'
import type { Content, Operation } from './operation.ts'
import type { Piece } from './piece.ts'
import { linkTarget } from './redirect.ts'
import { perform } from './request.ts'
import type { Endpoint, RequestEnd, RequestSpec } from './request-spec.ts'
import { takeOut } from './take-out.ts'

/** One page of a walk, read. */
export interface Page<Row> {
  readonly number: number
  readonly content: Content<Row>
  readonly facts: Extract<RequestEnd<unknown>, { ok: true }>['facts']
  /** Address of the page that follows. */
  readonly next: string | undefined
}

/** How a walk ended. */
export type WalkEnd = { readonly ok: true } | Extract<RequestEnd<never>, { ok: false }>

/**
 * Reads a piece page by page. Every page is tried at its own address, so a failure on page forty repeats page
 * forty. A next link is followed as given, but not to another host, not twice, and not for ever.
 *
 * @param splittable - whether the first page may be answered with "too slow, ask for less"
 * @param onPage - hears of every page; the walk goes on when it resolves to true
 */
export async function walkPages<Row>(
  endpoint: Endpoint,
  operation: Operation<Row>,
  piece: Piece,
  ask: { pin: string | undefined; chunk: number; splittable: boolean; divisible: boolean },
  call: Call,
  onPage: (page: Page<Row>) => Promise<boolean>,
): Promise<WalkEnd> {
  const base = operation.request(piece, ask.pin)
  let number = piece.page ?? 1
  const begin = piece.cursor === undefined ? base.url : nextAddress(piece.cursor, base.url, endpoint.baseUrl)
  // A cursor may come out of a file.
  if (begin instanceof Failure) {
    const spec = { ...base, span: piece.span, depth: piece.depth, page: number }
    return { ok: false, split: false, error: explained(begin, spec, endpoint, call, 0) }
  }
  let url = String(begin)
  // A walk that is taken up at its cursor has read the page it began with.
  const seen = new Set([new URL(url).href, new URL(base.url).href])
  // What has begun is taken up at its cursor, which stands for the whole piece: it cannot be asked for in parts.
  const whole = piece.cursor === undefined
  for (;;) {
    const spec: RequestSpec<Content<Row>> = {
      ...base,
      url,
      span: piece.span,
      chunk: ask.chunk,
      depth: piece.depth,
      page: number,
      splittable: ask.splittable && whole && number === 1,
      divisible: ask.divisible && whole && number === 1,
      read: reply => operation.read(reply, piece),
      confirm: (content, reply) => operation.confirm?.(content, reply, piece),
    }
    const end = await perform(endpoint, spec, call)
    if (!end.ok) return end
    const value = takeOut(end, 'value')
    const content = {
      ...value,
      source: redactValue(value.source, endpoint.redact) as Content<Row>['source'],
      warnings: [...value.warnings, ...end.warnings].map(endpoint.redact),
    }
    const follow = content.next === undefined ? undefined : nextAddress(content.next, url, endpoint.baseUrl)
    // A page whose link cannot be followed counts as not read: the walk would be taken up there.
    const trouble = troubleWith(follow, seen, number, call.options.maxPages)
    if (trouble) return { ok: false, split: false, error: explained(trouble, spec, endpoint, call, 1) }
    const next = (follow as URL | undefined)?.href
    if (number > 1 || next !== undefined) call.emit({ type: 'page', page: number, rows: content.rows.length })
    const goOn = await onPage({ number, content, facts: end.facts, next })
    if (!goOn || next === undefined) return { ok: true }
    seen.add(next)
    url = next
    number += 1
  }
}

/** The address behind a next link, or why it is not followed. */
function nextAddress(link: string, from: string, home: URL): URL | Failure {
  try {
    const target = linkTarget(link, new URL(from))
    if (target.host === home.host) return target
    return new Failure(
      `the next link leads to another host (${target.host}); it is not followed and nothing was sent there`,
      { class: 'pagination' },
    )
  } catch (thrown) {
    return new Failure(thrown instanceof Failure ? thrown.message : String(thrown), { class: 'pagination' })
  }
}

function troubleWith(
  follow: URL | Failure | undefined,
  seen: ReadonlySet<string>,
  number: number,
  maxPages: number,
): Failure | undefined {
  if (follow === undefined || follow instanceof Failure) return follow
  if (seen.has(follow.href))
    return new Failure(`page ${number} leads back to a page that was read before`, { class: 'pagination' })
  return number >= maxPages ? new Failure(`more than ${maxPages} pages (maxPages)`, { class: 'pagination' }) : undefined
}

function explained(
  failure: Failure,
  spec: Pick<RequestSpec<unknown>, 'method' | 'url' | 'span' | 'depth' | 'page'>,
  endpoint: Endpoint,
  call: Call,
  attempts: number,
) {
  return explain(
    failure,
    {
      service: call.service,
      operation: call.operation,
      method: spec.method,
      url: endpoint.redact(redactUrl(spec.url)),
      span: spec.span,
      depth: spec.depth ?? 0,
      attempts,
      silentMs: 0,
      gaveUp: undefined,
      requestId: undefined,
      quotaRemaining: undefined,
      pagesRead: (spec.page ?? 1) - 1,
    },
    call.options,
    endpoint.redact,
  )
}
