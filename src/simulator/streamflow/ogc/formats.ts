import type { Answer } from '../../service.ts'
import type { Json } from '../json.ts'
import { fieldOf, idText, type Found } from './plan.ts'
import type { ItemsQuery } from './query.ts'
import type { Table } from './table.ts'

/** One page as CSV: the point in two columns, the identifier, then the fields. It never tells where the next page is. */
export function csvAnswer(table: Table, query: ItemsQuery, rows: readonly Found[]): Answer {
  const hasPoint = table.style.geometry === 'point' && !query.skipGeometry
  const names = query.properties.filter(name => name !== 'id')
  const lines = rows.map(found => {
    const [x = '', y = ''] = found.track.site?.coordinates ?? []
    const values = [JSON.parse(idText(table, found)) as Json, ...names.map(name => fieldOf(table, found, name))]
    return [...(hasPoint ? [x, y] : []), ...values].map(cell).join(',')
  })
  const header = [...(hasPoint ? ['x', 'y'] : []), 'id', ...names].join(',')
  const body = [header, ...lines].map(line => `${line}\r\n`).join('')
  return { status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' }, body }
}

function cell(value: Json): string {
  const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One page for people to look at. */
export function htmlPage(body: Buffer): Answer {
  const text = body.toString('utf8').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const page = `<!doctype html>\n<html><head><title>Items</title></head><body><pre>${text}</pre></body></html>\n`
  return { status: 200, headers: { 'content-type': 'text/html' }, body: page }
}

export function linkedData(body: Buffer): Answer {
  const context = '{"@context":[{"schema":"https://schema.org/","type":"@type"}],'
  return {
    status: 200,
    headers: { 'content-type': 'application/ld+json' },
    body: context + body.toString('utf8').slice(1),
  }
}
