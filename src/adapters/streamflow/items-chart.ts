import type { AnyRow, ChartHints } from '../../retrieval/index.ts'
import type { Collection } from './collection.ts'

/** Columns that tell series of values apart; a unit is one, since values of two units have no axis in common. */
const SERIES = ['monitoring_location_id', 'parameter_code', 'statistic_id', 'unit_of_measure']
/** Discharge, mean and instantaneous: from a trickle to a flood it grows by powers of ten. */
const DISCHARGES = ['00060', '00061']

/** How records of a collection are drawn: values as hydrographs, what a hydrographer measured as points. */
export function itemsChart({ columns, sample = [] }: Collection, rows: readonly AnyRow[]): ChartHints {
  if (!columns.includes('value')) return {}
  const isDischarge = rows.length > 0 && rows.every(row => DISCHARGES.includes(String(row['parameter_code'])))
  const [holes] = sample
  return {
    y: 'value',
    series: SERIES.filter(name => columns.includes(name)),
    scale: isDischarge ? 'log' : 'linear',
    ...(columns.includes('approval_status')
      ? { provisional: { column: 'approval_status', values: ['Provisional'] } }
      : {}),
    ...(holes === undefined ? { apart: true } : { holes }),
  }
}
