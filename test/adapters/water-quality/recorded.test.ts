import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tableReaderFor, type TableRead } from '../../../src/adapters/water-quality/read-table.ts'

const fixtures = join(import.meta.dirname, '../../../fixtures/water-quality')
/** Real responses beside the project, where somebody has put them; they are no part of it. */
const recorded = process.env['HEADRACE_RECORDED'] ?? join(import.meta.dirname, '../../../../shared/recorded')

function read(file: string): TableRead {
  const reader = tableReaderFor({ status: 200, headers: { 'content-type': 'text/csv' } }, { derive: true })
  if (reader === undefined) throw new Error('no reader for a table')
  reader.take(readFileSync(file))
  return reader.end() as TableRead
}

/** What is known of a file: rows, columns, rows with an instant, the sum of these in seconds, censored rows. */
type Figures = readonly [rows: number, columns: number, instants: number, seconds: number, censored: number]

function figuresOf(file: string): Figures {
  const { rows, layout, columns } = read(file)
  const start = columns.find(({ when }) => when === true)?.name ?? ''
  const instants = rows.flatMap(row => (row[start] instanceof Date ? [row[start].getTime() / 1000] : []))
  const censored = rows.filter(row => row['censored'] === 'below' || row['censored'] === 'above').length
  return [rows.length, layout?.names.length ?? 0, instants.length, instants.reduce((sum, at) => sum + at, 0), censored]
}

/** Counted with another reader of such files and another calendar. */
const KEPT: Readonly<Record<string, Figures>> = {
  'legacy.activity.csv': [2, 73, 0, 0, 0],
  'legacy.activityAll.csv': [2, 77, 0, 0, 0],
  'legacy.activityMetric.csv': [2, 21, 0, 0, 0],
  'legacy.biological.csv': [2, 156, 0, 0, 0],
  'legacy.biologicalMetric.csv': [2, 18, 0, 0, 0],
  'legacy.narrowResult.csv': [2, 78, 0, 0, 0],
  'legacy.organization.csv': [2, 32, 0, 0, 0],
  'legacy.pcresult.csv': [11, 63, 10, 10_919_094_780, 3],
  'legacy.periodOfRecord.csv': [2, 19, 0, 0, 0],
  'legacy.project.csv': [2, 10, 0, 0, 0],
  'legacy.projectMonitoringLocationWeighting.csv': [2, 19, 0, 0, 0],
  'legacy.resDetectQntLmt.csv': [3, 10, 0, 0, 0],
  'legacy.resultBroad.csv': [2, 162, 0, 0, 0],
  'legacy.resultPhysChem.csv': [2, 81, 0, 0, 0],
  'legacy.resultPrimary.csv': [2, 101, 0, 0, 0],
  'legacy.station.csv': [2, 36, 0, 0, 0],
  'legacy.station.local-aquifer.csv': [1, 37, 0, 0, 0],
  'legacy.station.none.csv': [0, 36, 0, 0, 0],
  'samples.fullphyschem.csv': [3, 181, 3, 5_075_718_000, 1],
  'samples.summary.csv': [3, 8, 0, 0, 0],
  'wqx3.fullPhysChem.csv': [2, 180, 2, 2_622_789_000, 0],
  'wqx3.narrow.csv': [7, 63, 6, 882_321_120, 3],
  'wqx3.station.csv': [2, 56, 0, 0, 0],
}

const golden = (columns: number, rows: number): Figures => [rows, columns, 0, 0, 0]
const BESIDE: Readonly<Record<string, Figures>> = {
  'usgs/samples/samples_results.txt': [67, 181, 67, 113_240_011_800, 4],
  'usgs/samples/samples_summary.txt': golden(8, 5),
  'usgs/wqp/wqp3_results.txt': [5, 180, 5, 6_550_829_100, 0],
  'usgs/wqp/wqp_activities.txt': [5, 73, 3, 3_384_625_920, 0],
  'usgs/wqp/wqp_activity_metrics.txt': golden(21, 18),
  'usgs/wqp/wqp_detection_limits.txt': golden(10, 5),
  'usgs/wqp/wqp_habitat_metrics.txt': golden(18, 5),
  'usgs/wqp/wqp_organizations.txt': golden(32, 18),
  'usgs/wqp/wqp_project_weights.txt': golden(19, 5),
  'usgs/wqp/wqp_projects.txt': golden(10, 53),
  'usgs/wqp/wqp_results.txt': [5, 63, 5, 6_550_829_100, 0],
  'usgs/wqp/wqp_sites.txt': golden(36, 5),
  'water-quality/legacy/result-pcresult-florida-bay-nitrogen-conductivity.csv': [246, 64, 89, 109_108_805_580, 2],
  'water-quality/legacy/result-pcresult-phosphorus-subset.csv': [170, 63, 155, 148_004_695_560, 33],
  'water-quality/legacy/result-pcresult-radial-0.5-miles.csv': golden(63, 18),
  'water-quality/legacy/result-pcresult-usgs-2-sites.csv': [208, 63, 208, 286_729_411_680, 198],
  'water-quality/legacy/station-radial-2.5-miles.csv': golden(37, 4),
  'water-quality/reference/WQXDetectionQuantitationLimitTypeRef.csv': golden(6, 44),
  'water-quality/reference/WQXResultDetectionConditionRef.csv': golden(6, 26),
  'water-quality/reference/schema_outbound_WQX3.0.csv': golden(21, 364),
  'water-quality/server-golden/activity.csv': [23, 73, 10, 8_016_595_200, 0],
  'water-quality/server-golden/activityAll.csv': [23, 77, 10, 8_016_595_200, 0],
  'water-quality/server-golden/activityAllNoResult.csv': golden(77, 0),
  'water-quality/server-golden/activityMetric.csv': golden(21, 28),
  'water-quality/server-golden/activityMetricNoResult.csv': golden(21, 0),
  'water-quality/server-golden/activityNoResult.csv': golden(73, 0),
  'water-quality/server-golden/biological.csv': golden(156, 55),
  'water-quality/server-golden/biologicalMetric.csv': golden(18, 13),
  'water-quality/server-golden/biologicalMetricNoResult.csv': golden(18, 0),
  'water-quality/server-golden/biologicalNoResult.csv': golden(156, 0),
  'water-quality/server-golden/narrowResult.csv': golden(78, 55),
  'water-quality/server-golden/narrowResultNoResult.csv': golden(78, 0),
  'water-quality/server-golden/organization.csv': golden(32, 8),
  'water-quality/server-golden/organizationNoResult.csv': golden(32, 0),
  'water-quality/server-golden/pcresult.csv': golden(63, 55),
  'water-quality/server-golden/pcresultNoResult.csv': golden(63, 0),
  'water-quality/server-golden/periodOfRecord.csv': golden(19, 30),
  'water-quality/server-golden/periodOfRecordNoResult.csv': golden(19, 0),
  'water-quality/server-golden/project.csv': golden(10, 17),
  'water-quality/server-golden/projectMonitoringLocationWeighting.csv': golden(19, 7),
  'water-quality/server-golden/projectMonitoringLocationWeightingNoResult.csv': golden(19, 0),
  'water-quality/server-golden/projectNoResult.csv': golden(10, 0),
  'water-quality/server-golden/resDetectQntLmt.csv': golden(10, 70),
  'water-quality/server-golden/resDetectQntLmtNoResult.csv': golden(10, 0),
  'water-quality/server-golden/resultBroad.csv': golden(162, 55),
  'water-quality/server-golden/resultBroadNoResult.csv': golden(162, 0),
  'water-quality/server-golden/resultPhysChem.csv': golden(81, 55),
  'water-quality/server-golden/resultPhysChemNoResult.csv': golden(81, 0),
  'water-quality/server-golden/resultPrimary.csv': golden(101, 55),
  'water-quality/server-golden/resultPrimaryNoResult.csv': golden(101, 0),
  'water-quality/server-golden/station.csv': golden(36, 13),
  'water-quality/server-golden/stationNoResult.csv': golden(36, 0),
  'water-quality/wqx3/result-narrow-phosphorus-wisconsin-subset.csv': [183, 63, 168, 167_225_711_520, 23],
  'water-quality/wqx3/result-narrow-usgs-2-sites.csv': [208, 63, 208, 286_729_411_680, 197],
  'water-quality/wqx3/station-2-sites.csv': golden(56, 2),
}

describe('bodies that are kept', () => {
  it.each(Object.entries(KEPT))('%s', (name, figures) => {
    expect(figuresOf(join(fixtures, name))).toEqual(figures)
  })

  it('are all here, but for the failures', () => {
    const tables = readdirSync(fixtures).filter(name => name.endsWith('.csv') && !/^(?:failure|parsing)/.test(name))
    expect(tables.sort()).toEqual(Object.keys(KEPT).sort())
  })

  it('has days where a column is called a date, and nothing else', () => {
    const others = Object.keys(KEPT).flatMap(name => {
      const { rows, columns } = read(join(fixtures, name))
      const dates = columns.filter(({ kind }) => kind === 'date').map(column => column.name)
      return rows.flatMap(row => dates.map(date => row[date]).filter(value => value !== null))
    })
    // Some bodies have the name of a column in place of a value.
    const said = others.map(String).filter(value => /\d/.test(value))
    expect(said.length).toBeGreaterThan(0)
    expect(said.filter(value => !/^\d{4}-\d\d-\d\d$/.test(value))).toEqual([])
  })

  it('F54: the second column of a name is kept under another', () => {
    const { layout } = read(join(fixtures, 'legacy.projectMonitoringLocationWeighting.csv'))
    expect(layout?.names.filter(name => name.startsWith('ResourceSubjectText'))).toEqual([
      'ResourceSubjectText',
      'ResourceSubjectText.1',
    ])
  })
})

const present = existsSync(join(recorded, 'water-quality'))
if (!present) console.info(`recorded responses are not beside the project (${recorded}): their tests are left out`)

describe.skipIf(!present)('responses as they were recorded', () => {
  it.each(Object.entries(BESIDE))('%s', (name, figures) => {
    expect(figuresOf(join(recorded, name))).toEqual(figures)
  })

  it('are all looked at', () => {
    const folders = ['water-quality', 'usgs/wqp', 'usgs/samples']
    const tables = folders.flatMap(folder =>
      readdirSync(join(recorded, folder), { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`),
    )
    expect(tables.filter(name => /\.(?:csv|txt)$/.test(name)).sort()).toEqual(Object.keys(BESIDE).sort())
  })

  it('the same 208 results have the same instants and meanings in both interfaces, but one that only the newer one gives', () => {
    const older = read(join(recorded, 'water-quality/legacy/result-pcresult-usgs-2-sites.csv')).rows
    const newer = read(join(recorded, 'water-quality/wqx3/result-narrow-usgs-2-sites.csv')).rows
    const keyOf = (...cells: unknown[]): string =>
      cells.map(cell => (cell instanceof Date ? cell.toISOString() : cell)).join('|')
    const known = new Map(
      newer.map(row => [keyOf(row['Location_Identifier'], row['Activity_StartDateTime'], row['USGSpcode']), row]),
    )
    expect(known.size).toBe(208)
    const differing = older.filter(row => {
      const same = known.get(keyOf(row['MonitoringLocationIdentifier'], row['ActivityStartDateTime'], row['USGSPCode']))
      return (
        same?.['value'] !== row['value'] || same?.['censored'] !== row['censored'] || same?.['limit'] !== row['limit']
      )
    })
    expect(differing.map(row => row['ResultDetectionConditionText'])).toEqual(['Detected Not Quantified'])
  })
})
