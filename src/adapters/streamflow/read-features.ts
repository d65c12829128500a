import type { AnyRow } from '../../retrieval/index.ts'
import {
  Failure,
  failureInBody,
  type AnswerHead,
  type BodyReader,
  type Content,
  type Reply,
} from '../../transport/index.ts'
import type { FeatureLink } from './envelopes.ts'
import { createFeatureSlices } from './feature-slices.ts'
import type { Feature } from './feature.ts'
import type { RowReader } from './read-row.ts'
import { readEnvelope } from './schemas.ts'
import { Unreadable } from './values.ts'

/** How a page of features ends a walk. */
export interface PageRules {
  /** Whether a page without records is the last one, whatever it links to. */
  readonly endsEmpty?: boolean | undefined
}

/** Makes rows of a page of records while it arrives; what it leaves is for {@link readFeatures}. */
export function featuresReaderFor(head: AnswerHead, reader: RowReader): BodyReader | undefined {
  if (head.status !== 200) return undefined
  const rows: AnyRow[] = []
  const slices = createFeatureSlices(feature => rows.push(readFeature(feature, rows.length, reader, head)))
  return { take: part => slices.take(part), end: () => rows, rest: () => slices.rest() }
}

/**
 * Reads one page of records: rows as they were sent, those that were made while it arrived first, and the link to the
 * page that follows.
 */
export function readFeatures<Row extends AnyRow>(
  reply: Reply,
  reader: RowReader,
  { endsEmpty }: PageRules = {},
): Content<Row> {
  const rows = (reply.streamed ?? []) as Row[]
  // The answer may be kept for a while by whoever asked; its rows are to die young.
  Object.assign(reply, { streamed: undefined })
  const json = reply.json()
  if (json === undefined) return { rows, source: {}, warnings: [] }
  const envelope = readEnvelope('features', json)
  if ('problem' in envelope) throw badResponse(reply, envelope.problem)
  const { features, links, numberReturned, numberMatched, timeStamp } = envelope.value
  for (const feature of features) rows.push(readFeature(feature, rows.length, reader, reply) as Row)
  const next = endsEmpty && rows.length === 0 ? undefined : nextLink(links)
  return {
    rows,
    warnings: fewer(numberReturned, rows.length),
    source: {
      ...(reply.headers['api-version'] === undefined ? {} : { apiVersion: reply.headers['api-version'] }),
      ...(numberMatched === undefined ? {} : { numberMatched }),
      ...(timeStamp === undefined ? {} : { timeStamp }),
    },
    ...(next === undefined ? {} : { next }),
  }
}

/**
 * A failure inside a success: an error object where features were due. A body that says "too many" is repeated like
 * the status would be.
 */
export function inspectReply(reply: Reply): Failure | undefined {
  if (reply.status === 204) return undefined
  const { features, error, code, description, message } = Object(reply.json()) as Record<string, unknown>
  if (features !== undefined || [error, code, description, message].every(part => part === undefined)) return undefined
  return failureInBody(reply, [error, code, description, message])
}

/** The same where data are due under another name. */
export function inspectWithout(data: string): (reply: Reply) => Failure | undefined {
  return reply =>
    (Object(reply.json()) as Readonly<Record<string, unknown>>)[data] === undefined ? inspectReply(reply) : undefined
}

/** The failure of an answer that does not keep the contract. */
export function badResponse(reply: AnswerHead, problem: string): Failure {
  return new Failure(`the answer is not as promised: ${problem}`, {
    class: 'bad_response',
    status: reply.status,
    headers: reply.headers,
  })
}

/** The link to the page that follows, as the service gave it. */
export function nextLink(links: readonly FeatureLink[] | null | undefined): string | undefined {
  return links?.find(({ rel }) => rel === 'next')?.href ?? undefined
}

function readFeature(feature: unknown, at: number, reader: RowReader, reply: AnswerHead): AnyRow {
  const { properties } = Object(feature) as Partial<Feature>
  if (typeof properties !== 'object' || properties === null)
    throw badResponse(reply, `features[${at}].properties: must be an object`)
  try {
    return reader.read(feature as Feature)
  } catch (thrown) {
    throw thrown instanceof Unreadable ? badResponse(reply, `features[${at}].properties.${thrown.message}`) : thrown
  }
}

function fewer(announced: number | null | undefined, received: number): string[] {
  if (typeof announced !== 'number' || announced === received) return []
  return [`the service announced ${announced} rows on a page and sent ${received}`]
}
