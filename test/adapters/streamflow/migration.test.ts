import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Collection } from '../../../src/adapters/streamflow/collection.ts'
import { COLLECTIONS, GROUNDWATER } from '../../../src/adapters/streamflow/collections.ts'
import * as streamflow from '../../../src/adapters/streamflow/index.ts'
import { camelCase } from '../../../src/adapters/streamflow/names.ts'
import { checkItemsQuery, checkQuery, type QueryName } from '../../../src/adapters/streamflow/schemas.ts'
import { streamflowBody } from '../../support/streamflow.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/guide/streamflow-migration.md'), 'utf8')
/** Functions of the official Python client, each with its arguments. */
const functions = Object.entries(
  JSON.parse(streamflowBody('python-client.arguments.json')) as Record<string, readonly string[]>,
)

/** Cells of the tables of a section, by the code in their first cell. */
function section(title: string): Map<string, string> {
  const from = page.indexOf(`\n${title}\n`)
  const to = page.indexOf('\n##', from + 1)
  const lines = from < 0 ? [] : page.slice(from, to < 0 ? undefined : to).split('\n')
  return new Map(
    lines.flatMap(line => {
      const [, first = '', ...others] = line.split('|')
      return [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, others.slice(1).join('|').trim()] as const)
    }),
  )
}

const getters = section('## Functions')
const shared = section('### All collections')
const getterOf = (name: string): string => /`(\w+)`/.exec(getters.get(name) ?? '')?.[1] ?? ''

/** Collections by the getter that asks them. */
const collections: Readonly<Record<string, Collection>> = {
  getDaily: COLLECTIONS.daily,
  getContinuous: COLLECTIONS.continuous,
  getNearestContinuous: COLLECTIONS.continuous,
  getLatestDaily: COLLECTIONS['latest-daily'],
  getLatestContinuous: COLLECTIONS['latest-continuous'],
  getFieldMeasurements: COLLECTIONS['field-measurements'],
  getFieldMeasurementsMetadata: COLLECTIONS['field-measurements-metadata'],
  getChannelMeasurements: COLLECTIONS['channel-measurements'],
  getPeaks: COLLECTIONS.peaks,
  getMonitoringLocations: COLLECTIONS['monitoring-locations'],
  getTimeSeriesMetadata: COLLECTIONS['time-series-metadata'],
  getCombinedMetadata: COLLECTIONS['combined-metadata'],
  getReferenceTable: COLLECTIONS.daily,
  getCollection: COLLECTIONS.daily,
  getGroundwaterSites: GROUNDWATER.sites,
  getWaterLevels: GROUNDWATER.waterLevelObs,
  getLithology: GROUNDWATER.lithologyObs,
  getWellConstruction: GROUNDWATER.constructionObs,
  getGroundwaterProviders: GROUNDWATER.providers,
}
const CALL_OPTIONS = ['maxRows']

/** Whether a getter knows an option, whatever its value should be. */
function knows(getter: string, option: string): boolean {
  const collection = collections[getter]
  try {
    if (collection === undefined) checkQuery(getter as QueryName, { [option]: {} })
    else checkItemsQuery(collection, { [option]: {} }, getter === 'getNearestContinuous' ? 'nearest' : 'none')
  } catch (thrown) {
    return !/is not known here/.test((thrown as Error).message)
  }
  return true
}

describe('the migration table', () => {
  it.each(functions.map(([name]) => name))('says what becomes of %s', name => {
    const getter = getterOf(name)
    expect(Object.keys(streamflow)).toContain(getter)
  })

  it.each(functions.flatMap(([name, names]) => names.map(argument => [name, argument] as const)))(
    '%s: what becomes of %s, and that option exists',
    (name, argument) => {
      const getter = getterOf(name)
      const said = section(`### ${name}`).get(argument) ?? (collections[getter] && shared.get(argument))
      if (said === undefined)
        return expect(`${camelCase(argument)}: ${knows(getter, camelCase(argument))}`).toMatch(/: true$/)
      expect(said).not.toBe('')
      if (/^(?:none|the first argument|filters of)/.test(said)) return undefined
      const options = [...(said.split(':')[0] ?? '').matchAll(/`(\w+)`/g), ...said.matchAll(/^`(\w+):/g)].map(
        ([, option = '']) => option,
      )
      expect(options.length, said).toBeGreaterThan(0)
      for (const option of options)
        expect(`${option}: ${CALL_OPTIONS.includes(option) || knows(getter, option)}`).toMatch(/: true$/)
    },
  )

  it('refuses a name that is none: the check can fail', () => {
    expect(knows('getDaily', 'monitoringLocation')).toBe(false)
    expect(knows('getBasin', 'source')).toBe(false)
  })
})
