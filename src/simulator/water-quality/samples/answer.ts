import type { ContentAction } from '../../content-action.ts'
import { isEdit } from '../../edits.ts'
import { jsonAnswer, type Answer, type Ask } from '../../service.ts'
import type { Desk } from '../desk.ts'
import { neighboursOf } from '../select/neighbours.ts'
import { afterSilence } from '../load.ts'
import { SAMPLES_SCOPE, type Filter } from '../select/filter.ts'
import { createSelection, SORTED } from '../select/selection.ts'
import { writeTable } from '../tables/write-table.ts'
import type { Table } from '../tables/table.ts'
import { CSV } from '../wire/dialect.ts'
import { CODE_SERVICES, codesOf } from './code-service.ts'
import { badRequest, notFound, samplesError } from './errors.ts'
import { readQuery } from './query.ts'
import { RESOURCES, summary } from './tables.ts'

/**
 * What Samples answers.
 *
 * @throws Refusal for what it refuses
 */
export function answerSamples(desk: Desk, ask: Ask, changes: readonly ContentAction[]): Answer {
  const { path, query, method } = ask
  const [, , resource = '', name = '', ...rest] = path.split('/')
  if (method !== 'GET' && method !== 'HEAD') throw notFound(`no ${method} here`)
  if (resource === 'codeservice') return answerCodes(name, query)
  if (resource === 'reference-list') return jsonAnswer(200, { data: CODE_SERVICES.map(list => ({ name: list })) })
  const mimeType = query.get('mimeType')
  if (mimeType !== null && mimeType !== 'text/csv') throw badRequest(`mimeType ${mimeType} is not available`)
  if (resource === 'summary') {
    if (rest.length > 0 || name === '') throw notFound('exactly one site can be summarised')
    const site = decodeURIComponent(name)
    return answerTable(desk, ask, { table: summary, filter: { sites: new Set([site]) }, changes })
  }
  const table = RESOURCES[resource]?.[name]
  if (table === undefined) throw notFound(`${resource}/${name} is no resource with such a profile`)
  return answerTable(desk, ask, { table, filter: readQuery(query), changes })
}

interface Errand {
  readonly table: Table
  readonly filter: Filter
  readonly changes: readonly ContentAction[]
}

function answerTable(desk: Desk, { path }: Ask, { table, filter, changes }: Errand): Answer {
  const { world, settings } = desk
  if (changes.some(change => change.type === 'breakDown' && change.when !== 'after-rows')) return samplesError(500)
  const selection = createSelection(world, filter, SAMPLES_SCOPE, changes.filter(isEdit))
  const results = settings.silenceMsPerThousand > 0 ? (selection.count().get('NWIS')?.results ?? 0) : 0
  const body = writeTable({
    table,
    selection,
    order: { sorted: false, turn: desk.nextTurn() },
    dialect: CSV,
    changes,
    total: () => countOf(table.rows(selection, SORTED)),
    neighbours: neighboursOf(world, filter, SAMPLES_SCOPE),
    isClosed: true,
  })
  return afterSilence({ status: 200, headers: { 'content-type': 'text/csv' }, body }, results, settings, path)
}

function answerCodes(name: string, query: URLSearchParams): Answer {
  const codes = codesOf(name, query)
  if (codes === undefined) throw notFound(`no list of codes is called ${name}`)
  return jsonAnswer(200, { data: codes })
}

function countOf(rows: Iterable<unknown>): number {
  let count = 0
  for (const _ of rows) count += 1
  return count
}
