import type { BodyStream } from '../../body-stream.ts'
import type { ContentAction } from '../../content-action.ts'
import { Refusal } from '../../refusal.ts'
import { jsonAnswer, type Answer, type Ask } from '../../service.ts'
import type { Desk } from '../desk.ts'
import { afterSilence } from '../load.ts'
import { LEGACY_SCOPE } from '../select/filter.ts'
import { neighboursOf } from '../select/neighbours.ts'
import { sentenceOf, writeTable } from '../tables/write-table.ts'
import { CSV, TSV, type Dialect } from '../wire/dialect.ts'
import { headerOf } from '../wire/layout.ts'
import { contentTypeOf } from '../wire/media.ts'
import { featureBody, textBody } from '../wire/text-body.ts'
import { zipStream } from '../wire/zip.ts'
import { countHeaders } from './counts.ts'
import { countedOf, readErrand, rowsOf, type Errand } from './errand.ts'
import { portalError } from './errors.ts'
import { organizationSummary, periodFeatures, stationFeatures, summaryFeatures } from './features.ts'
import { valueOf } from './parameters.ts'

/** Forms above the limit of which nothing is sent at all. */
const ALWAYS_SORTED = ['xml', 'kml', 'kmz']

/**
 * The older interface's answer.
 *
 * @throws Refusal for what the server refuses
 */
export function answerLegacy(desk: Desk, ask: Ask, changes: readonly ContentAction[]): Answer {
  const errand = readErrand(desk, ask, changes)
  const answer = errand.countsOnly ? jsonAnswer(200, countsOf(errand)) : answerRows(errand)
  return afterSilence(answer, countedOf(errand), desk.settings, ask.path)
}

function answerRows(errand: Errand): Answer {
  const { desk, endpoint, format, changes, counts, parameters, table } = errand
  const broken = changes.find(change => change.type === 'breakDown')
  if (broken?.when === 'counting') return failed(errand, '', broken)
  const isOver = counts !== undefined && rowsOf(errand) > desk.settings.rowLimit
  if (isOver && ALWAYS_SORTED.includes(format)) {
    return { status: 400, headers: { warning: overLimit(desk, 'please refine your query.') }, body: '' }
  }
  // Known to the server, and not made here.
  if ([...ALWAYS_SORTED, 'xlsx'].includes(format)) throw new Refusal(portalError(501, endpoint.path))
  if (broken?.when === 'before-rows' || countedOf(errand) > desk.settings.mostResults) {
    return failed(errand, headerOf(table.columns, dialectOf(errand)), broken)
  }
  const isSorted = endpoint.isSorted === true || (valueOf(parameters, 'sorted') === 'yes' && !isOver)
  const isWarned = isOver || changes.some(change => change.type === 'rows' && change.warn === true)
  const warning = isWarned ? { warning: overLimit(desk, 'the data will not be sorted.') } : {}
  return { status: 200, headers: { ...headersOf(errand), ...warning }, body: zipped(errand, bodyOf(errand, isSorted)) }
}

function bodyOf(errand: Errand, isSorted: boolean): BodyStream {
  const { desk, format, selection, table, changes, filter, firstYear, profileName } = errand
  switch (format) {
    case 'geojson':
      if (profileName === 'periodOfRecord') return featureBody(() => periodFeatures(selection, firstYear))
      if (profileName === 'summaryMonitoringLocation') return featureBody(() => summaryFeatures(selection, firstYear))
      return featureBody(() => stationFeatures(selection))
    case 'json': {
      const text = JSON.stringify(organizationSummary(selection, firstYear))
      return textBody({ head: text, first: '', between: '', items: () => [], tail: '' })
    }
    default:
      return writeTable({
        table,
        selection,
        order: isSorted ? { sorted: true, turn: 0 } : { sorted: false, turn: desk.nextTurn() },
        dialect: dialectOf(errand),
        changes,
        total: () => rowsOf(errand),
        neighbours: neighboursOf(desk.world, filter, LEGACY_SCOPE),
      })
  }
}

/** An error before the first row: the header line, if it was that far, and the sentence right behind it. */
function failed(errand: Errand, header: string, broken: { readonly reference?: number } | undefined): Answer {
  const { 'content-type': type = '', 'content-disposition': disposition = '' } = headersOf(errand)
  const sentence = sentenceOf(broken ?? {})
  return {
    status: 500,
    headers: { 'content-type': type, 'content-disposition': disposition, 'fatal-error': sentence },
    body: header === '' ? '' : header + sentence,
  }
}

function headersOf(errand: Errand): Record<string, string> {
  const { profile, format } = errand
  const counts = Object.entries(countsOf(errand)).map(([name, count]) => [name.toLowerCase(), count])
  return {
    'content-type': isZip(errand) ? 'application/zip' : contentTypeOf(format),
    'content-disposition': `attachment; filename=${profile.stem}.${isZip(errand) ? 'zip' : format}`,
    'access-control-allow-origin': '*',
    ...(Object.fromEntries(counts) as Record<string, string>),
  }
}

function zipped(errand: Errand, body: BodyStream): BodyStream {
  return isZip(errand) ? zipStream(`${errand.profile.stem}.${errand.format}`, body) : body
}

function isZip({ parameters }: Errand): boolean {
  return valueOf(parameters, 'zip') === 'yes'
}

function dialectOf({ format }: Errand): Dialect {
  return format === 'tsv' ? TSV : CSV
}

function countsOf({ counts, changes }: Errand): Record<string, string> {
  if (counts === undefined) return {}
  return countHeaders(
    counts,
    changes.filter(change => change.type === 'announce'),
  )
}

function overLimit({ settings }: Desk, consequence: string): string {
  return `This query will return in excess of ${settings.rowLimit} results, ${consequence}`
}
