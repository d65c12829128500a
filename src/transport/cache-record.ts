import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Page } from './pages.ts'
import { createReply, type Reply } from './reply.ts'
import type { ResponseFacts } from './request-spec.ts'

/** One page of a kept answer, as it can be read again. */
export interface KeptPage {
  readonly facts: ResponseFacts
  /** Address of the page that follows. */
  readonly next: string | undefined
  /** What was learned of the answer beside its body: it is not asked about again. */
  readonly confirmed: Readonly<Record<string, unknown>>
  reply(): Promise<Reply>
}

/** A page as it stands at the head of an entry: where its body lies, and how it was got. */
interface PageHead {
  readonly facts: Omit<ResponseFacts, 'requestedAt' | 'receivedAt' | 'span'> & {
    readonly requestedAt: string
    readonly receivedAt: string
  }
  readonly next?: string
  readonly confirmed?: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** Length of the packed body. */
  readonly length: number
}

const pack = promisify(gzip)
const unpack = promisify(gunzip)
const LEVEL = 1

/** Headers that say nothing about the answer, or that are nobody's business. */
const DROPPED = /^(?:set-cookie|authorization|www-authenticate|proxy-.*|connection|keep-alive|date|content-length)$/

/** Collects the pages of a walk while they are read. */
export class PageRecorder {
  readonly #pages: Promise<{ readonly head: PageHead; readonly body: Buffer }>[] = []
  #last: { readonly reply: Reply; readonly source: Readonly<Record<string, unknown>> } | undefined

  /** The answer that is being read, and what it says of itself; its page is added when that has worked. */
  seen(reply: Reply, source: Readonly<Record<string, unknown>>): void {
    this.#last = { reply, source }
  }

  add({ facts, next, content }: Pick<Page<unknown>, 'facts' | 'next' | 'content'>): void {
    if (this.#last === undefined) return
    const { reply, source } = this.#last
    this.#last = undefined
    const confirmed = Object.entries(content.source).filter(([name]) => !Object.hasOwn(source, name))
    const { span: _span, ...rest } = facts
    const headers = Object.fromEntries(Object.entries(reply.headers).filter(([name]) => !DROPPED.test(name)))
    const page = pack(reply.body, { level: LEVEL }).then(body => ({
      body,
      head: {
        facts: { ...rest, requestedAt: facts.requestedAt.toISOString(), receivedAt: facts.receivedAt.toISOString() },
        ...(next === undefined ? {} : { next }),
        ...(confirmed.length > 0 ? { confirmed: Object.fromEntries(confirmed) } : {}),
        headers,
        length: body.length,
      },
    }))
    // Looked at when all are there.
    page.catch(() => {})
    this.#pages.push(page)
  }

  /** All pages as one entry: its head as a line of JSON, then the packed bodies. */
  async entry(): Promise<Buffer> {
    const pages = await Promise.all(this.#pages)
    const heads = JSON.stringify(pages.map(({ head }) => head))
    return Buffer.concat([Buffer.from(`${heads}\n`), ...pages.map(({ body }) => body)])
  }
}

/** @throws when it is no such entry */
export function readEntry(bytes: Buffer): KeptPage[] {
  const line = bytes.indexOf(10)
  const heads = JSON.parse(bytes.toString('utf8', 0, line)) as PageHead[]
  let at = line + 1
  return heads.map(({ facts, next, confirmed = {}, headers, length }) => {
    const body = bytes.subarray(at, at + length)
    at += length
    return {
      next,
      confirmed,
      facts: {
        ...facts,
        span: null,
        requestedAt: new Date(facts.requestedAt),
        receivedAt: new Date(facts.receivedAt),
      },
      reply: async () =>
        createReply({ status: facts.status, headers, url: facts.url, body: (await unpack(body)) as Buffer }),
    }
  })
}
