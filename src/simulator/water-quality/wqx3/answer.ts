import { createHash } from 'node:crypto'
import type { ContentAction } from '../../content-action.ts'
import { isEdit } from '../../edits.ts'
import { Refusal } from '../../refusal.ts'
import { jsonAnswer, type Answer, type Ask } from '../../service.ts'
import { WQX3_ACTIVITY } from '../columns/wqx3-activity.ts'
import { FULL_PHYS_CHEM, NARROW, WQX3_STATION } from '../columns/wqx3.ts'
import type { Desk } from '../desk.ts'
import { neighboursOf } from '../select/neighbours.ts'
import { containerError, invalid, portalError } from '../legacy/errors.ts'
import { readParameters, valueOf, type Parameters } from '../legacy/parameters.ts'
import { violationsOf } from '../legacy/validation.ts'
import { afterSilence } from '../load.ts'
import { WQX3_SCOPE } from '../select/filter.ts'
import { createSelection } from '../select/selection.ts'
import { countRows, totalOf } from '../legacy/counts.ts'
import { activityTable, resultTable, stationTable } from '../tables/main-tables.ts'
import { deliveredBy, writeTable } from '../tables/write-table.ts'
import type { Table } from '../tables/table.ts'
import { CSV } from '../wire/dialect.ts'
import { formatOf } from '../wire/media.ts'
import { NEWER_CELLS } from '../wire/newer-cells.ts'
import type { Provider } from '../world/organizations.ts'
import { newerCodes, newerFilterOf } from './reading.ts'
import type { ProviderReport, StatusBook } from './status-book.ts'

/** A path of the newer interface. */
interface Endpoint {
  /** What is counted: the rows themselves. */
  readonly kind: 'Site' | 'Activity' | 'Result'
  readonly stem: string
  /** By `dataProfile`; the first is the one without. */
  readonly profiles: Readonly<Record<string, Table>>
}

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/wqx3/result/search': {
    kind: 'Result',
    stem: 'result',
    profiles: {
      fullPhysChem: resultTable(FULL_PHYS_CHEM, NEWER_CELLS),
      // Its columns were never seen: those of `narrow` stand in for them.
      basicPhysChem: resultTable(NARROW, NEWER_CELLS),
      narrow: resultTable(NARROW, NEWER_CELLS),
    },
  },
  '/wqx3/station/search': {
    kind: 'Site',
    stem: 'station',
    profiles: { station: stationTable(WQX3_STATION, NEWER_CELLS) },
  },
  '/wqx3/activity/search': {
    kind: 'Activity',
    stem: 'activity',
    profiles: { activity: activityTable(WQX3_ACTIVITY, NEWER_CELLS) },
  },
}

const PROFILE_NAMES = Object.values(ENDPOINTS).flatMap(({ profiles }) => Object.keys(profiles))

/** What stands behind the interface. */
const UPSTREAMS: readonly (readonly [name: 'usgs' | 'epa', provider: Provider])[] = [
  ['usgs', 'NWIS'],
  ['epa', 'STORET'],
]

/**
 * The newer interface's answer, and a note on how it went.
 *
 * @throws Refusal for what it refuses: by the rules of the older one, since its own were never seen
 */
export function answerWqx3(desk: Desk, book: StatusBook, ask: Ask, changes: readonly ContentAction[]): Answer {
  const path = ask.path.toLowerCase().replace(/\/$/, '')
  if (path.startsWith('/wqx3/status/')) return answerStatus(book, ask)
  const endpoint = ENDPOINTS[path]
  if (endpoint === undefined) throw new Refusal(portalError(404, ask.path))
  if (ask.method !== 'GET' && ask.method !== 'HEAD') throw new Refusal(portalError(405, ask.path))
  const { settings, world } = desk
  const parameters = readParameters(ask.query, settings.newerSplitsLists)
  if (parameters.size === 0) throw invalid([])
  if ((parameters.get('siteid')?.length ?? 0) > settings.mostSites) throw new Refusal(portalError(413, ask.path))
  if (formatOf(valueOf(parameters, 'mimeType'), ask.headers['accept'], ['csv']) === undefined) {
    throw new Refusal(containerError(406, 'Not Acceptable', ask.path))
  }
  const violations = violationsOf(parameters, newerCodes(desk.codes), PROFILE_NAMES)
  if (violations.length > 0) throw invalid(violations)

  const filter = newerFilterOf(parameters)
  const selection = createSelection(world, filter, WQX3_SCOPE, changes.filter(isEdit))
  const table = tableOf(endpoint, parameters)
  const counts = countRows([endpoint.kind], selection, table)
  const rows = totalOf(counts, endpoint.kind)
  if (rows > settings.mostResults || isBefore(changes)) {
    throw new Refusal(portalError(500, ask.path))
  }
  const turn = desk.nextTurn()
  const id = requestId(turn)
  const providers = UPSTREAMS.map(([name, provider]): ProviderReport => {
    const found = counts.get(endpoint.kind)?.get(provider) ?? 0
    return {
      name,
      sourceRows: found + 1,
      outputRows: deliveredBy(changes, provider, found),
      isFailed: changes.some(change => change.type === 'upstream' && change.name === name),
    }
  })
  book.add({ id, providers })
  const body = writeTable({
    table,
    selection,
    order: { sorted: false, turn },
    dialect: CSV,
    changes,
    total: () => rows,
    neighbours: neighboursOf(world, filter, WQX3_SCOPE),
  })
  const headers = {
    'content-type': 'text/csv;charset=UTF-8',
    'content-disposition': `attachment; filename=${endpoint.stem}.csv`,
    'wqp-request-id': id,
  }
  return afterSilence({ status: 200, headers, body }, rows, settings, ask.path)
}

function answerStatus(book: StatusBook, ask: Ask): Answer {
  const found = book.find(ask.path.split('/')[3] ?? '')
  if (found === undefined) throw new Refusal(portalError(404, ask.path))
  return jsonAnswer(200, found)
}

function tableOf({ profiles }: Endpoint, parameters: Parameters): Table {
  const [first] = Object.values(profiles)
  const table = profiles[valueOf(parameters, 'dataProfile') ?? ''] ?? first
  if (table === undefined) throw new RangeError('an endpoint without a profile')
  return table
}

function isBefore(changes: readonly ContentAction[]): boolean {
  return changes.some(change => change.type === 'breakDown' && change.when !== 'after-rows')
}

/** A number like those that the service gives. */
function requestId(turn: number): string {
  const hex = createHash('sha256').update(`wqx3|${turn}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
