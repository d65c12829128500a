import { hashText, mix, unit } from '../../hash.ts'
import { DATA_STYLE, LIST, TEXT, TIME, type Table, type Track } from '../ogc/table.ts'
import { head, tail } from '../world/ids.ts'
import { parameterOf, textOf, type Parameter } from '../world/parameters.ts'
import type { Census } from '../world/census.ts'
import type { Series } from '../world/series.ts'
import type { Site } from '../world/sites.ts'
import { LOCATION_FILTERS } from './location-filters.ts'
import { tracksFrom } from './tracks.ts'

const DAY_MS = 86_400_000

interface PeakTrack extends Track {
  readonly site: Site
  readonly parameter: Parameter
  readonly seriesId: string
  readonly hash: number
}

/** When the highest water of a water year was seen, as far as that is known. */
interface Peak {
  readonly year: number
  readonly month: number
  /** Not known for the oldest. */
  readonly day: number | null
  readonly clock: string | null
}

/** The highest water of each water year (October to September) of a stream, as discharge and as height. */
export function createPeaks(census: Census): Table<PeakTrack> {
  const integers = ['water_year', 'year', 'month', 'day', 'peak_since']
  return {
    name: 'peaks',
    title: 'Peaks',
    style: DATA_STYLE,
    fields: [
      'time_series_id',
      'monitoring_location_id',
      'parameter_code',
      'unit_of_measure',
      'value',
      'last_modified',
      'time',
      'water_year',
      'year',
      'month',
      'day',
      'time_of_day',
      'peak_since',
      'qualifier',
    ],
    filters: {
      ...LOCATION_FILTERS,
      ...Object.fromEntries(
        ['time_series_id', 'monitoring_location_id', 'parameter_code', 'id'].map(name => [name, LIST]),
      ),
      ...Object.fromEntries(integers.map(name => [name, { type: 'integer', isList: true } as const])),
      ...Object.fromEntries(['unit_of_measure', 'value', 'time_of_day', 'qualifier'].map(name => [name, TEXT])),
      ...Object.fromEntries(['last_modified', 'time'].map(name => [name, TIME])),
    },
    tracks: tracksFrom(census, series => (isDischarge(series) ? tracksOf(series) : [])),
    fixed: ({ seriesId, site, parameter }) => ({
      time_series_id: seriesId,
      monitoring_location_id: site.id,
      parameter_code: parameter.code,
      unit_of_measure: parameter.unit,
      last_modified: '2026-05-01T19:58:50.468810+00:00',
    }),
    varying: {
      value: ({ parameter, hash }, index) =>
        `"${textOf(parameter, parameter.middle + 2 * parameter.swing + (mix(hash, index, 6) % 60))}"`,
      time: ({ hash, first }, index) => {
        const { year, month, day } = peakOf(hash, index, first)
        return `"${year}-${two(month)}-${two(day ?? 0)}"`
      },
      water_year: (_, index) => String(index),
      year: ({ hash, first }, index) => String(peakOf(hash, index, first).year),
      month: ({ hash, first }, index) => String(peakOf(hash, index, first).month),
      day: ({ hash, first }, index) => String(peakOf(hash, index, first).day),
      time_of_day: ({ hash, first }, index) => JSON.stringify(peakOf(hash, index, first).clock),
      peak_since: ({ hash }, index) => (mix(hash, index, 8) % 40 === 0 ? String(index - 30) : 'null'),
      qualifier: ({ hash, parameter }, index) => JSON.stringify(qualifierOf(parameter.code, mix(hash, index, 9))),
    },
    timing: {
      field: 'time',
      indexFrom: ms => waterYear(ms),
      indexTo: ms => waterYear(ms),
      latest: now => waterYear(now) - 1,
      isExact: false,
      salt: 0x33a1,
    },
    timeOf: ({ hash, first }, index) => {
      const { year, month, day } = peakOf(hash, index, first)
      return Date.UTC(year, month - 1, day ?? 1)
    },
  }
}

function isDischarge({ kind, parameter, statistic, site }: Series): boolean {
  return kind === 'daily' && parameter.code === '00060' && statistic === '00003' && site.typeCode === 'ST'
}

function tracksOf({ site, begin, end }: Series): readonly PeakTrack[] {
  return ['00060', '00065'].map(code => {
    const hash = hashText(`${site.id}|${code}|peak`)
    return {
      site,
      parameter: parameterOf(code),
      hash,
      seriesId: [1, 2, 3, 4].map(word => head(mix(hash, word))).join(''),
      tail: tail(`${site.id}|${code}|peak`),
      first: new Date(begin).getUTCFullYear() + 1,
      last: end === undefined ? Infinity : new Date(end).getUTCFullYear(),
    }
  })
}

function waterYear(ms: number): number {
  const date = new Date(ms)
  return date.getUTCFullYear() + (date.getUTCMonth() >= 9 ? 1 : 0)
}

function peakOf(hash: number, index: number, first: number): Peak {
  const at = new Date(Date.UTC(index - 1, 9, 1) + Math.floor(365 * unit(mix(hash, index, 7))) * DAY_MS)
  const draw = mix(hash, index, 4)
  const isVague = index === first
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: isVague ? null : at.getUTCDate(),
    clock: isVague || draw % 3 === 0 ? null : `${two(draw % 24)}:${draw % 2 === 0 ? '00' : '30'}:00+00:00`,
  }
}

function qualifierOf(code: string, draw: number): readonly string[] | null {
  if (code === '00065' && draw % 9 === 0) return ['GHNOTASSCPKQ']
  return draw % 7 === 0 ? ['REGULATED'] : null
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
