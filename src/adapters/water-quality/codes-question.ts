import { QueryError } from '../../errors.ts'
import type { AnyRow, Column, Gathering } from '../../retrieval/index.ts'
import { excerpt, Failure, type CallOptions, type Content, type Reply } from '../../transport/index.ts'
import { keepCodesMs } from './keep.ts'
import { queryText, type Pair } from './parameters.ts'
import { checkQuery } from './schemas.ts'
import type { WaterQualityService } from './service.ts'

/** Lists of the Portal. */
export const PORTAL_LISTS = [
  'countrycode',
  'statecode',
  'countycode',
  'sitetype',
  'organization',
  'project',
  'samplemedia',
  'characteristictype',
  'characteristicname',
  'providers',
  'assemblage',
  'public_srsnames',
] as const
/** Lists of Samples. */
export const SAMPLES_LISTS = [
  'states',
  'counties',
  'countries',
  'sitetype',
  'samplemedia',
  'characteristicgroup',
  'characteristics',
  'observedproperty',
] as const

type Query = Readonly<Record<string, unknown>>

/**
 * Turns a query for a list of codes into a question: to the Portal, or to Samples.
 *
 * @throws QueryError before anything is sent
 */
export function codesQuestion(service: WaterQualityService, query: Query, call: CallOptions): Gathering<AnyRow> {
  checkQuery('getCodes', query)
  const {
    list,
    from = 'portal',
    text,
    stateCode,
    countryCode,
    group,
  } = query as {
    list: string
    from?: 'portal' | 'samples'
    text?: string
    stateCode?: string | readonly string[]
    countryCode?: string
    group?: string
  }
  const lists: readonly string[] = from === 'portal' ? PORTAL_LISTS : SAMPLES_LISTS
  if (!lists.includes(list))
    throw new QueryError(`'${list}' is no list of ${from}: there are ${lists.join(', ')}`, {
      argument: 'list',
      value: list,
    })
  const pairs = (
    from === 'portal'
      ? [
          ['mimeType', 'json'],
          ['text', text],
          ['statecode', stateCode && [stateCode].flat().join(';')],
          ['countrycode', countryCode],
        ]
      : [
          ['mimeType', 'application/json'],
          ['text', text],
          ['group', group],
        ]
  ).flatMap(([name, value]): Pair[] => (value === undefined ? [] : [[String(name), [value]]]))
  const address =
    from === 'portal'
      ? service.portalAddress(`/Codes/${list}`)
      : service.samplesAddress(`/samples-data/codeservice/${list}`)
  return {
    transport: from === 'portal' ? service.portal : service.samples,
    call,
    query: JSON.parse(JSON.stringify(query)) as Record<string, unknown>,
    question: {
      operation: 'getCodes',
      series: '',
      facts: {
        rules: { stepMs: 1, chunkMs: Number.MAX_SAFE_INTEGER, mostMs: Number.MAX_SAFE_INTEGER, ends: 'trimmed' },
        order: { compare: () => -1, instant: () => undefined, equal: (a, b) => a === b },
        request: () => ({
          method: 'GET',
          url: `${address}?${queryText(pairs, 'repeated')}`,
          headers: { accept: 'application/json' },
        }),
        read: reply => readCodes(reply, from),
        keepMs: keepCodesMs,
      },
      todo: [{ depth: 0 }],
      priority: 'interactive',
      streaming: false,
    },
    columns: rows => columnsIn(rows),
  }
}

function readCodes(reply: Reply, from: string): Content<AnyRow> {
  const answer = Object(reply.json()) as { codes?: unknown; data?: unknown; recordCount?: unknown }
  const codes = from === 'portal' ? answer.codes : answer.data
  if (!Array.isArray(codes))
    throw new Failure(`no list of codes: ${excerpt(reply.body.toString('utf8', 0, 400))}`, {
      class: 'bad_response',
      status: reply.status,
    })
  const { recordCount } = answer
  const isShort = typeof recordCount === 'number' && recordCount > codes.length
  return {
    rows: codes as AnyRow[],
    source: typeof recordCount === 'number' ? { announced: recordCount } : {},
    warnings: isShort ? [`the service announced ${recordCount} codes, and ${codes.length} came`] : [],
  }
}

function columnsIn(rows: readonly AnyRow[]): Column[] {
  const names = new Set(rows.flatMap(row => Object.keys(row)))
  return [...names].map(name => ({ name, kind: 'text' }))
}
