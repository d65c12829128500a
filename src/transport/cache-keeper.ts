import { createHash } from 'node:crypto'
import { describeCause } from '../errors.ts'
import type { Cache } from './cache-options.ts'
import { coverSpan } from './cache-cover.ts'
import { PageRecorder, readEntry, type KeptPage } from './cache-record.ts'
import { openCacheStore, type CacheStore, type KeptEntry } from './cache-store.ts'
import type { Call } from './call.ts'
import type { Operation } from './operation.ts'
import type { Page } from './pages.ts'
import type { Piece } from './piece.ts'
import { meeting } from './piece.ts'

/** What one call keeps and finds again. */
export interface Keeper<Row> {
  /** The pieces, those that are kept cut out and marked. */
  cover(todo: readonly Piece[]): Promise<Piece[]>
  /** The pages of a kept piece; nothing where they are gone. */
  open(piece: Piece): Promise<KeptPage[] | undefined>
  /** Watches a piece being asked for. */
  record(piece: Piece): Recording<Row>
  /** Called when nothing more will be kept. */
  close(): Promise<void>
}

/** One piece while it is received. */
export interface Recording<Row> {
  /** The operation, its answers overheard. */
  readonly operation: Operation<Row>
  page(page: Page<Row>): void
  /** Keeps what was received, if the walk came to its end. */
  finish(): Promise<void>
}

/** What a keeper works for. */
export interface KeeperSetup<Row> {
  readonly cache: Cache
  /** Whose answers they are: names an account, and is no secret. */
  readonly owner: string
  readonly operation: Operation<Row>
  readonly call: Call
}

/** A span that stands for all: with it, requests for two pieces of one question are the same request. */
const ANY_SPAN = { start: 0, end: 86_400_000 }
const WHOLE = 'whole'

/** An entry is written at once: what is larger is not kept. */
const MOST_SHARE = 1 / 4

export function createKeeper<Row>({ cache, owner, operation, call }: KeeperSetup<Row>): Keeper<Row> {
  const { options, clock } = call
  let store: Promise<CacheStore> | undefined
  let complained = false
  let written = false

  const opened = (): Promise<CacheStore> => (store ??= openCacheStore(cache.dir))

  /** Everything that identifies a question but its span: another account, another address, another question. */
  const drawerOf = ({ ids, span }: Piece): string => {
    const { method, url, body } = operation.request({ ids, span: span && ANY_SPAN, depth: 0 }, undefined)
    return createHash('sha256')
      .update(JSON.stringify([call.service, owner, method, url, body ?? null]))
      .digest('hex')
  }

  /** What cannot be written or read is no reason for a call to fail. */
  const complain = (what: string, thrown: unknown): void => {
    if (complained) return
    complained = true
    call.emit({ type: 'warning', message: `the cache in ${cache.dir} ${what}: ${describeCause(thrown).message}` })
  }

  const keptFor = async (drawer: string): Promise<readonly KeptEntry[]> => {
    const listing = await opened()
    const entries = await listing.list(drawer).catch((thrown: unknown) => {
      complain('cannot be read', thrown)
      return []
    })
    const now = clock.now()
    return options.offline ? entries : entries.filter(({ expiresAt }) => expiresAt > now)
  }

  const coverOne = async (piece: Piece): Promise<Piece[]> => {
    if (piece.cursor !== undefined || piece.kept !== undefined) return [piece]
    const entries = await keptFor(drawerOf(piece))
    const { span } = piece
    if (span === undefined) return [entries.some(({ key }) => key === WHOLE) ? { ...piece, kept: WHOLE } : piece]
    const spans = entries.flatMap(({ key, receivedAt, span: covers }) =>
      covers ? [{ key, receivedAt, start: covers[0], end: covers[1] }] : [],
    )
    if (spans.length === 0) return [piece]
    return coverSpan(span, operation.rules, spans).map(({ span: part, key, meets }, at) => ({
      ...piece,
      span: part,
      ...(meets && at > 0 ? meeting(operation.rules) : {}),
      ...(key === undefined ? {} : { kept: key }),
    }))
  }

  /** What a newer answer holds as well is not looked at again. */
  const removeInside = async (drawer: string, key: string, span: Piece['span']): Promise<void> => {
    if (span === undefined) return
    const held = await opened()
    for (const entry of await held.list(drawer)) {
      const within = entry.span && entry.span[0] >= span.start && entry.span[1] <= span.end
      if (within && entry.key !== key) await held.remove(drawer, entry.key)
    }
  }

  return {
    async cover(todo) {
      // Says at once that the package is not there, also where everything would be asked anew.
      await opened()
      if (options.refresh) return [...todo]
      const covered: Piece[] = []
      for (const [part, piece] of todo.entries())
        for (const one of await coverOne(piece)) covered.push({ ...one, part: piece.part ?? part })
      return covered
    },
    async open(piece) {
      const held = await opened()
      const bytes = piece.kept === undefined ? undefined : await held.read(drawerOf(piece), piece.kept)
      if (bytes === undefined) return undefined
      try {
        return readEntry(bytes)
      } catch (thrown) {
        complain('holds what cannot be read', thrown)
        return undefined
      }
    },
    record(piece) {
      const recorder = new PageRecorder()
      let keepMs = Number.POSITIVE_INFINITY
      let receivedAt = Number.POSITIVE_INFINITY
      let complete = false
      return {
        operation: {
          ...operation,
          // What is kept must be there whole.
          request: (of, pin) => ({ ...operation.request(of, pin), reader: undefined }),
          read(reply, of) {
            const content = operation.read(reply, of)
            recorder.seen(reply, content.source)
            return content
          },
        },
        page({ content, facts, next }) {
          const at = facts.receivedAt.getTime()
          keepMs = Math.min(keepMs, operation.keepMs?.({ piece, content, receivedAt: at }) ?? 0)
          receivedAt = Math.min(receivedAt, at)
          complete = next === undefined
          if (keepMs > 0) recorder.add({ facts, next, content })
        },
        async finish() {
          if (!complete || !(keepMs > 0) || piece.cursor !== undefined) return
          const { span } = piece
          const key = span ? `${span.start} ${span.end}` : WHOLE
          try {
            const bytes = await recorder.entry()
            if (bytes.length > cache.maxBytes * MOST_SHARE) return
            const drawer = drawerOf(piece)
            const facts = { receivedAt, expiresAt: receivedAt + keepMs }
            const held = await opened()
            await held.write(drawer, key, bytes, { ...facts, ...(span ? { span: [span.start, span.end] } : {}) })
            written = true
            await removeInside(drawer, key, span)
          } catch (thrown) {
            complain('cannot be written', thrown)
          }
        },
      }
    },
    async close() {
      if (!written) return
      const held = await opened()
      await held.shrink(cache.maxBytes).catch((thrown: unknown) => complain('cannot be kept small', thrown))
    },
  }
}
