import type { AnyRow, Column } from '../../retrieval/index.ts'
import {
  excerpt,
  Failure,
  looksLikeMarkup,
  type AnswerHead,
  type BodyReader,
  type Reply,
} from '../../transport/index.ts'
import { createTableReader, type TableEnd } from './csv.ts'
import { createDerivation, type DeriveOptions, type Derivation, type Notes } from './derive.ts'
import { columnsOf, createLayout, type Layout } from './layout.ts'
import { createRowMaker, createTidier } from './row-maker.ts'

/** How tables are made into rows. */
export interface TableOptions extends DeriveOptions {
  /** Whether columns are added to the service's own. */
  readonly derive: boolean
}

/** One answer as rows. */
export interface TableRead {
  readonly rows: AnyRow[]
  /** Absent for an answer without a table (204). */
  readonly layout: Layout | undefined
  readonly columns: readonly Column[]
  readonly notes: Notes | undefined
}

/** The reader for an answer's body, where it should be a table. */
export function tableReaderFor({ headers, status }: AnswerHead, options: TableOptions): BodyReader | undefined {
  if (status !== 200 || /\b(?:html|json|xml)\b/i.test(headers['content-type'] ?? '')) return undefined
  return rowsReader(options)
}

/** The rows of an answer, whether they were read while it arrived or it came whole, as from a cache. @throws Failure */
export function tableIn(reply: Reply, options: TableOptions): TableRead {
  if (reply.streamed !== undefined) {
    const read = reply.streamed as TableRead
    // The answer may be kept for a while by whoever asked; its rows are to die young.
    Object.assign(reply, { streamed: undefined })
    return read
  }
  if (reply.status === 204) return { rows: [], layout: undefined, columns: [], notes: undefined }
  const reader = tableReaderFor(reply, options)
  if (reader) {
    reader.take(reply.body)
    return reader.end() as TableRead
  }
  const text = reply.body.toString('utf8', 0, 1000)
  const what = looksLikeMarkup(text) ? 'a web page' : `something that is no table (${reply.headers['content-type']})`
  throw new Failure(`${what} came where a table was due: ${excerpt(text)}`, {
    class: 'bad_response',
    status: reply.status,
    headers: reply.headers,
  })
}

function rowsReader(options: TableOptions): BodyReader {
  let rows: AnyRow[] = []
  let layout: Layout | undefined
  let derivation: Derivation | undefined
  let take: (fields: string[]) => void = () => {}
  const reader = createTableReader({
    header(header) {
      layout = createLayout(header)
      derivation = options.derive ? createDerivation(layout, options) : undefined
      const derived = derivation?.columns.map(({ name }) => name) ?? []
      const make = createRowMaker(layout.names, derived)
      const tidy = createTidier(layout.names.length) as (fields: string[]) => void
      const values = derivation?.values ?? (() => [])
      take = fields => {
        tidy(fields)
        rows.push(make(fields, values(fields)))
      }
    },
    row: fields => take(fields),
  })
  return {
    take: part => reader.take(part),
    end(): TableRead {
      void (reader.end() as TableEnd)
      const own = layout ? columnsOf(layout) : []
      const all = rows
      rows = []
      return { rows: all, layout, columns: [...own, ...(derivation?.columns ?? [])], notes: derivation?.notes }
    },
  }
}
