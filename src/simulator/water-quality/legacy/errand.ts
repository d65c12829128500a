import type { ContentAction } from '../../content-action.ts'
import { isEdit } from '../../edits.ts'
import { Refusal } from '../../refusal.ts'
import type { Ask } from '../../service.ts'
import type { Desk } from '../desk.ts'
import { LEGACY_SCOPE, type Filter } from '../select/filter.ts'
import { createSelection, type Selection } from '../select/selection.ts'
import type { Table } from '../tables/table.ts'
import { formatOf, type Format } from '../wire/media.ts'
import { yearOf } from '../world/calendar.ts'
import { countRows, totalOf, type Counts } from './counts.ts'
import { findEndpoint, PROFILE_NAMES, type Endpoint, type Profile } from './endpoints.ts'
import { containerError, invalid, portalError } from './errors.ts'
import { filterOf } from './filter-of.ts'
import { readParameters, valueOf, type Parameters } from './parameters.ts'
import { readRequest } from './read-request.ts'
import { violationsOf } from './validation.ts'

/** A request that has been read and found good. */
export interface Errand {
  readonly desk: Desk
  readonly endpoint: Endpoint
  readonly profile: Profile
  readonly profileName: string
  readonly format: Format
  readonly countsOnly: boolean
  readonly parameters: Parameters
  readonly filter: Filter
  readonly selection: Selection
  readonly table: Table
  /** Absent where nobody wants any. */
  readonly counts: Counts | undefined
  readonly changes: readonly ContentAction[]
  /** For summaries: nothing before counts. */
  readonly firstYear: number
}

/**
 * Reads a request to the older interface, and counts what it asks for.
 *
 * @throws Refusal for what the server refuses
 */
export function readErrand(desk: Desk, ask: Ask, changes: readonly ContentAction[]): Errand {
  const found = findEndpoint(ask.path)
  if (found === undefined) throw new Refusal(portalError(404, ask.path))
  const { endpoint, countsOnly } = found
  const methods = countsOnly ? ['POST'] : ['GET', 'HEAD', 'POST']
  if (!methods.includes(ask.method)) throw new Refusal(portalError(405, ask.path))
  const parameters = readParameters(readRequest(ask))
  // Whatever is asked, something must be: a name that nobody knows is nothing.
  if (parameters.size === 0) throw invalid([])
  const { profileName, profile } = profileOf(endpoint, parameters)
  const offered: readonly Format[] = countsOnly ? ['json'] : profile.formats
  const format = formatOf(valueOf(parameters, 'mimeType'), ask.headers['accept'], offered)
  if (format === undefined) throw new Refusal(containerError(406, 'Not Acceptable', ask.path))
  const violations = violationsOf(parameters, desk.codes, PROFILE_NAMES)
  if (violations.length > 0) throw invalid(violations)

  const filter = filterOf(parameters)
  const selection = createSelection(desk.world, filter, LEGACY_SCOPE, changes.filter(isEdit))
  const firstYear = firstYearOf(parameters, desk)
  const table = profile.table(firstYear)
  const isCounted = countsOnly || !['counts', 'count'].some(name => valueOf(parameters, name) === 'no')
  const counts = isCounted ? countRows(endpoint.counts, selection, table) : undefined
  const read = { endpoint, profile, profileName, format, countsOnly, parameters, filter, selection, table }
  return { desk, ...read, counts, changes, firstYear }
}

/** Rows of the answer. Counted for this where nobody wants counts. */
export function rowsOf({ endpoint, selection, table, counts }: Errand): number {
  return totalOf(counts ?? countRows(endpoint.counts, selection, table), endpoint.counts.at(-1) ?? '')
}

/** What counting cost is told by the results, or by the rows where those are not counted; nothing without counts. */
export function countedOf({ endpoint, counts }: Errand): number {
  if (counts === undefined) return 0
  return totalOf(counts, counts.has('Result') ? 'Result' : (endpoint.counts.at(-1) ?? ''))
}

/** A profile of another path counts as none. */
function profileOf({ profiles, path }: Endpoint, parameters: Parameters): { profileName: string; profile: Profile } {
  const [first = ''] = Object.keys(profiles)
  const asked = valueOf(parameters, 'dataProfile') ?? first
  const profileName = Object.hasOwn(profiles, asked) ? asked : first
  const profile = profiles[profileName]
  if (profile === undefined) throw new RangeError(`${path} has no profile`)
  return { profileName, profile }
}

function firstYearOf(parameters: Parameters, { world }: Desk): number {
  const years = valueOf(parameters, 'summaryYears') ?? 'all'
  return years === 'all' ? -Infinity : yearOf(world.today()) - Number(years) + 1
}
