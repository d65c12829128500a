import type { AnyRow } from '../../retrieval/index.ts'
import { Failure, type Confirmation, type Content, type Piece, type Reply } from '../../transport/index.ts'
import type { Shortfalls } from './announced.ts'
import { keyOf } from './table-question.ts'

/** How one provider behind the newer interface fared. */
interface ProviderStatus {
  readonly name: string
  readonly failed: boolean
  readonly rows: number | undefined
}

/** What the newer interface says about a request that it answered. */
interface RequestStatus {
  readonly failed: boolean
  readonly isOver: boolean
  /** Without the line of names. */
  readonly rows: number | undefined
  readonly providers: readonly ProviderStatus[]
}

const UNVERIFIED = 'nobody could tell whether an answer was whole: its status document was not to be had'

/**
 * The newer interface puts an answer together from several providers, and sends what came of it: whether all of them
 * delivered stands in a document of its own, for a while, under the number of the request.
 *
 * @param addressOf - the document's address
 * @returns what must be asked about an answer; nothing where it has no number
 */
export function confirmByStatus(addressOf: (id: string) => string, shortfalls: Shortfalls) {
  return (content: Content<AnyRow>, reply: Reply, piece: Piece): Confirmation<Content<AnyRow>> | undefined => {
    const id = reply.headers['wqp-request-id']
    if (id === undefined || !/^[\w-]{1,100}$/.test(id)) return undefined
    // Rows are taken out of the content by whoever reads it, so they are counted now.
    const came = content.rows.length
    return {
      url: addressOf(id),
      headers: { accept: 'application/json' },
      read: answer => readStatus(answer.json()),
      judge: word => {
        const judged = judge(word as RequestStatus | undefined, content, came, keyOf(piece), shortfalls)
        // The number to name when the service is asked about an answer.
        return { ...judged, source: { ...judged.source, serviceRequestId: id } }
      },
    }
  }
}

function judge(
  status: RequestStatus | undefined,
  content: Content<AnyRow>,
  came: number,
  question: string,
  shortfalls: Shortfalls,
): Content<AnyRow> {
  const withSource = (
    source: Readonly<Record<string, unknown>>,
    warnings: readonly string[] = [],
  ): Content<AnyRow> => ({
    ...content,
    source: { ...content.source, ...source },
    warnings: [...content.warnings, ...warnings],
  })
  if (status === undefined || !status.isOver) return withSource({ verified: false }, [UNVERIFIED])
  const failed = status.providers.filter(provider => provider.failed)
  if (failed.length > 0 || status.failed) {
    const names = failed.map(({ name, rows }) => `'${name}' failed after ${rows ?? 'some'} rows`).join(', ')
    throw new Failure(`the answer is not whole: ${names || 'the service says that it failed'}; ${came} rows came`, {
      class: 'incomplete',
      status: 200,
      begun: true,
    })
  }
  const short = shortfalls.check(status.rows, came, question)
  if (short instanceof Failure) throw short
  const announced = status.rows === undefined ? {} : { announced: status.rows }
  const providers = Object.fromEntries(status.providers.map(({ name, rows }) => [name, rows ?? null]))
  return withSource({ verified: true, ...announced, providers }, short === undefined ? [] : [short])
}

/** Flags were seen as numbers and as booleans. `undefined` for what is no such document. */
function readStatus(value: unknown): RequestStatus | undefined {
  const { failed, completeOrCancelled, totalRows, dataProviders } = Object(value) as Record<string, unknown>
  if (!Array.isArray(dataProviders)) return undefined
  const providers = dataProviders.map((one): ProviderStatus => {
    const provider = Object(one) as Record<string, unknown>
    const rows = provider['outputRowCount']
    return {
      name: String(provider['name']),
      failed: isSet(provider['failed']),
      rows: typeof rows === 'number' ? rows : undefined,
    }
  })
  return {
    failed: isSet(failed),
    isOver: completeOrCancelled === undefined || isSet(completeOrCancelled),
    rows: typeof totalRows === 'number' ? Math.max(0, totalRows - 1) : undefined,
    providers,
  }
}

function isSet(flag: unknown): boolean {
  return flag === true || flag === 1 || flag === 'true' || flag === '1'
}
