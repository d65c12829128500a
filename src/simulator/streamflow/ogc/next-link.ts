import type { CursorAction } from '../../content-action.ts'
import type { Ask } from '../../service.ts'
import { pageAddress, type Next } from './links.ts'
import { cursorBehind, cursorOf, type Page } from './page.ts'
import type { Plan } from './plan.ts'
import type { ItemsQuery } from './query.ts'

/** Which version of the API the next page is asked of, whatever this one was. */
export type NextVersion = 'same' | 'v0' | 'v1'

/** The link to the next page: where it should lead, and what it says. */
export interface NextLink {
  readonly next: Next | undefined
  readonly href: string | undefined
  /** True when this page must have no rows. */
  readonly isEmptyPage: boolean
}

/** Works out the link to the next page, and spoils it as told. */
export function nextLinkOf(ask: Ask, { plan, query, page, version }: Asked, fault: CursorAction | undefined): NextLink {
  const next = fault?.how === 'empty-page' ? samePlace(plan, query) : nextOf(plan, query, page, fault)
  const isEmptyPage = fault?.how === 'empty-page'
  if (next === undefined) return { next, href: undefined, isEmptyPage }
  const { path } = ask
  const versioned = version === 'same' ? path : path.replace(/^(\/ogcapi\/)v\d+/, `$1${version}`)
  const href = pageAddress({ ...ask, path: versioned }, plan.table, 'json', next)
  return { next, href: spoil(href, ask, query, plan, fault), isEmptyPage }
}

export interface Asked {
  readonly plan: Plan
  readonly query: ItemsQuery
  readonly page: Page
  readonly version: NextVersion
}

function isByOffset(plan: Plan, query: ItemsQuery): boolean {
  return query.sortBy.length > 0 || plan.table.style.paging === 'offset'
}

function nextOf(plan: Plan, query: ItemsQuery, page: Page, fault: CursorAction | undefined): Next | undefined {
  const shift = fault?.how === 'overlap' ? -fault.rows : fault?.how === 'skip' ? fault.rows : 0
  const hasMore = page.behind.length > 0
  if (isByOffset(plan, query)) {
    const isDue = hasMore || plan.table.style.alwaysNext
    return isDue ? { offset: Math.max(0, query.offset + page.rows.length + shift) } : undefined
  }
  if (!hasMore && fault?.how !== 'repeat' && fault?.how !== 'loop') return undefined
  const around = [...page.rows, ...page.behind]
  const last = around[Math.max(0, Math.min(around.length - 1, page.rows.length - 1 + shift))]
  return last === undefined ? undefined : { cursor: cursorBehind(plan, last) }
}

/** The place where this very page begins, spelt so that it is another address. */
function samePlace(plan: Plan, query: ItemsQuery): Next {
  if (isByOffset(plan, query)) return { offset: query.offset }
  if (query.cursor === undefined) return { cursor: cursorOf(plan.salt === undefined ? ' ' : '00000000') }
  // Behind the same identifier and a blank, there are the same rows.
  return { cursor: cursorOf(`${Buffer.from(query.cursor, 'base64url').toString('utf8')} `) }
}

function spoil(
  href: string,
  ask: Ask,
  query: ItemsQuery,
  plan: Plan,
  fault: CursorAction | undefined,
): string | undefined {
  switch (fault?.how) {
    case 'repeat':
      return ask.base + ask.path + ask.search
    case 'loop':
      return isByOffset(plan, query)
        ? pageAddress(ask, plan.table, 'json', { offset: 0 })
        : pageAddress(ask, plan.table, 'json', { cursor: cursorOf(plan.salt === undefined ? ' ' : '00000000') })
    case 'foreign':
      return href.replace(ask.base, fault.origin)
    case 'version':
      return href.replace(/\/ogcapi\/v\d+\//, `/ogcapi/${fault.version}/`)
    case 'userinfo':
      return href.replace('://', `://${fault.userinfo}@`)
    case 'relative':
      return href.slice(ask.base.length + ask.path.length)
    case 'empty':
      return ''
    case 'lost':
      return undefined
    default:
      return href
  }
}
