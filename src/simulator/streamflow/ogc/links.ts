import type { Ask } from '../../service.ts'
import type { Table } from './table.ts'

/** A link as it stands in a page. The order of its members is the service's own. */
export type Link = Readonly<Record<string, string>>

/** Where the next page begins. */
export type Next = { readonly cursor: string } | { readonly offset: number }

/** Parameters that links spell out in an order of their own. */
const LEADING = ['f', 'offset', 'cursor', 'lang', 'limit', 'properties', 'skipGeometry', 'api_key']

/** Address of a page. */
export function pageAddress(ask: Ask, table: Table, format: string, next?: Next): string {
  const { query } = ask
  const given = (name: string, fallback?: string): string[] => {
    const value = query.get(name) ?? fallback
    return value === undefined ? [] : [pair(name, value)]
  }
  const shared = [
    ...given('lang', 'en-US'),
    ...given('limit', String(table.style.defaultLimit)),
    ...given('properties'),
    ...given('skipGeometry', 'false'),
    ...[...query].filter(([name]) => !LEADING.includes(name)).map(([name, value]) => pair(name, value)),
  ]
  const path = `${ask.base}${ask.path}`
  if (next === undefined) {
    const offset = query.get('offset') ?? '0'
    return `${path}?${[`f=${format}`, ...(offset === '0' ? [] : [`offset=${offset}`]), ...shared].join('&')}`
  }
  if ('cursor' in next) return `${path}?${[`cursor=${next.cursor}`, ...shared, `f=${format}`].join('&')}`
  return `${path}?${[`f=${format}`, `offset=${next.offset}`, ...shared].join('&')}`
}

/** All links of a page in the order that was recorded. `nextHref` is what the link to the next page says. */
export function linksOf(ask: Ask, table: Table, next: Next | undefined, nextHref: string | undefined): readonly Link[] {
  const links: Link[] = []
  if (nextHref !== undefined && next !== undefined && 'cursor' in next) {
    links.push({ rel: 'next', href: nextHref, type: 'application/geo+json', title: 'Items (next)' })
  }
  const to = (format: string): string => pageAddress(ask, table, format)
  links.push(
    { type: 'application/geo+json', rel: 'self', title: 'This document as GeoJSON', href: to('json') },
    { rel: 'alternate', type: 'application/ld+json', title: 'This document as RDF (JSON-LD)', href: to('jsonld') },
    { type: 'text/html', rel: 'alternate', title: 'This document as HTML', href: to('html') },
    { type: 'text/csv; charset=utf-8', rel: 'alternate', title: 'This document as CSV', href: to('csv') },
  )
  if (nextHref !== undefined && next !== undefined && 'offset' in next) {
    links.push({ type: 'application/geo+json', rel: 'next', title: 'Items (next)', href: nextHref })
  }
  const collection = `${ask.base}${ask.path.replace(/\/items.*$/, '')}`
  return [...links, { type: 'application/json', title: table.title, rel: 'collection', href: collection }]
}

function pair(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%2C', ',')}`
}
