import { wrapParts } from '../plain-text.ts'
import { showsItself } from '../self-display.ts'
import type { Span } from '../span.ts'
import type { AnyRow, Column } from './columns.ts'
import { box, paragraphs, tableHtml } from './html.ts'
import { tableLines } from './table.ts'

/** What a plan says of itself. */
export interface PlanSummary {
  readonly operation: string
  readonly requests: number
  /** What is asked for, in order. */
  readonly parts: readonly { readonly span?: Span | undefined; readonly ids?: readonly string[] | undefined }[]
  /** More that is known, each a few words. */
  readonly facts?: readonly string[]
}

const WIDTH = 100

/** Makes a plan show itself: how many requests, and what each asks for. */
export function showsPlan<Plan extends object>(plan: Plan, summaryOf: (plan: Plan) => PlanSummary): Plan {
  return showsItself(plan, self => {
    const { operation, requests, parts, facts = [] } = summaryOf(self)
    const heading = wrapParts([`plan of ${operation}: ${counted(requests, 'request')}`, ...facts], WIDTH)
    const rows = parts.map(rowOf)
    const columns = columnsOf(rows)
    return {
      text: () => [...heading, ...tableLines(rows, columns, WIDTH - 2).map(line => `  ${line}`)].join('\n'),
      html: () => box(paragraphs(heading), tableHtml(rows, columns)),
    }
  })
}

function rowOf({ span, ids }: PlanSummary['parts'][number]): AnyRow {
  return {
    ...(span ? { start: span.start, end: span.end } : {}),
    ...(ids ? { ids: ids.length > 3 ? `${ids.slice(0, 3).join(', ')}, … (${ids.length})` : ids.join(', ') } : {}),
  }
}

function columnsOf(rows: readonly AnyRow[]): Column[] {
  const known: readonly Column[] = [
    { name: 'start', kind: 'instant' },
    { name: 'end', kind: 'instant' },
    { name: 'ids', kind: 'text' },
  ]
  return known.filter(({ name }) => rows.some(row => name in row))
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
