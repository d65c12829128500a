import {
  SAMPLES_ACTIVITY,
  SAMPLES_FULL,
  SAMPLES_LIMIT,
  SAMPLES_NARROW,
  SAMPLES_ORGANIZATION,
  SAMPLES_PROJECT,
  SAMPLES_SITE,
  SAMPLES_SUMMARY,
} from '../columns/samples.ts'
import { createPlainWriter } from '../wire/layout.ts'
import { NEWER_CELLS } from '../wire/newer-cells.ts'
import { activityTable, resultTable, stationTable } from '../tables/main-tables.ts'
import { limitsOf } from '../tables/limits.ts'
import { sealed, type Table } from '../tables/table.ts'
import { dateText } from '../world/calendar.ts'
import { longNameOf } from '../world/details.ts'
import { newerActivityId, newerResultId } from '../world/identifiers.ts'
import type { Characteristic } from '../world/characteristics.ts'
import { characteristicAt } from '../world/results.ts'
import { SORTED, type Selection } from '../select/selection.ts'

/** A table whose rows are texts by column, for what is small. */
function plainTable(columns: readonly string[], rowsOf: (selection: Selection) => Iterable<readonly string[]>): Table {
  return sealed<readonly string[]>({
    columns,
    rows: selection => rowsOf(selection),
    createWriter: dialect => {
      const cells = columns.map((name, index) => [name, (row: readonly string[]) => row[index] ?? ''] as const)
      return createPlainWriter(columns, Object.fromEntries(cells), dialect)
    },
    providerOf: () => 'NWIS',
    dayOf: () => null,
  })
}

const WHO = ['USGS', 'U.S. Geological Survey'] as const

const limits = plainTable(SAMPLES_LIMIT, function* (selection) {
  for (const result of selection.results(SORTED)) {
    const { activity, characteristic } = result
    const about = [newerActivityId(activity), activity.site.id, newerResultId(result), characteristic.name]
    for (const { type, text } of limitsOf(result)) yield [...WHO, ...about, type, text, characteristic.unit, 'USGS']
  }
})

const projects = plainTable(SAMPLES_PROJECT, function* (selection) {
  const seen = new Set<string>()
  for (const { site } of selection.feedsWithData(SORTED)) {
    for (const { id, name, description } of site.organization.projects) {
      if (!seen.has(id)) yield [...WHO, id, name, description]
      seen.add(id)
    }
  }
})

const organizations = plainTable(SAMPLES_ORGANIZATION, function* (selection) {
  if (selection.feeds.length > 0) yield [...WHO, 'Federal/US Government']
})

/** What the count profiles say was never seen: this is one way to say it. */
const counts = plainTable(['monitoringLocationCount', 'activityCount', 'resultCount'], function* (selection) {
  const { sites, activities, results } = selection.count().get('NWIS') ?? { sites: 0, activities: 0, results: 0 }
  yield [sites, activities, results].map(String)
})

const nothing = (columns: readonly string[]): Table => plainTable(columns, () => [])

const full = resultTable(SAMPLES_FULL, NEWER_CELLS)

/** Profiles by resource. Where columns were never seen, those of a relative stand in for them. */
export const RESOURCES: Readonly<Record<string, Readonly<Record<string, Table>>>> = {
  results: {
    fullphyschem: full,
    basicphyschem: full,
    fullbio: full,
    basicbio: full,
    narrow: resultTable(SAMPLES_NARROW, NEWER_CELLS),
    resultdetectionquantitationlimit: limits,
    labsampleprep: nothing(['Result_MeasureIdentifier', 'LabSamplePrepMethod_Identifier']),
    count: counts,
  },
  locations: { site: stationTable(SAMPLES_SITE, NEWER_CELLS), count: counts },
  activities: {
    sampact: activityTable(SAMPLES_ACTIVITY, NEWER_CELLS),
    actmetric: nothing(['Activity_ActivityIdentifier', 'ActivityMetric_Identifier']),
    actgroup: nothing(['Activity_ActivityIdentifier', 'ActivityGroup_Identifier']),
    count: counts,
  },
  projects: {
    project: projects,
    projectmonitoringlocationweight: nothing(['Project_Identifier', 'Location_Identifier', 'Weight_Measure']),
  },
  organizations: { organization: organizations, count: counts },
}

interface Line {
  readonly site: string
  readonly characteristic: Characteristic
  results: number
  activities: number
  first: number
  last: number
}

/** One row for each characteristic of a site. */
export const summary: Table = plainTable(SAMPLES_SUMMARY, function* (selection) {
  const lines = new Map<string, Line>()
  for (const { activity, slots } of selection.picks(SORTED)) {
    const here = new Set<string>()
    for (const slot of slots) {
      const characteristic = characteristicAt(activity, slot)
      const key = `${characteristic.name}|${characteristic.fraction}`
      const site = activity.site.id
      const line = lines.get(key) ?? {
        site,
        characteristic,
        results: 0,
        activities: 0,
        first: Infinity,
        last: -Infinity,
      }
      line.results += 1
      if (!here.has(key)) line.activities += 1
      here.add(key)
      line.first = Math.min(line.first, activity.day ?? Infinity)
      line.last = Math.max(line.last, activity.day ?? -Infinity)
      lines.set(key, line)
    }
  }
  for (const { site, characteristic, results, activities, first, last } of lines.values()) {
    const name = [characteristic.group, characteristic.name, longNameOf(characteristic)]
    yield [site, ...name, String(results), String(activities), ...[first, last].map(dayText)]
  }
})

function dayText(day: number): string {
  return Number.isFinite(day) ? dateText(day) : ''
}
