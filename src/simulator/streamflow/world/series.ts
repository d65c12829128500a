import { hashText, mix } from '../../hash.ts'
import { parameterOf, type Parameter } from './parameters.ts'
import { FIRST_MIXED, type Site } from './sites.ts'

const DAY_MS = 86_400_000

/** What one sensor says, or what is computed of it. */
export interface Series {
  readonly id: string
  readonly site: Site
  readonly parameter: Parameter
  /** `00011` for what is measured at instants. */
  readonly statistic: string
  readonly kind: 'daily' | 'continuous'
  readonly stepMs: number
  /** Where it hangs, when there are two sensors for the same thing. */
  readonly sublocation: string | null
  /** First and last instant. Without a last one it goes on. */
  readonly begin: number
  readonly end: number | undefined
  /** Rows are missing here and there. */
  readonly hasGaps: boolean
  /** Of the site, the parameter and the sensor: what all statistics of a thing have in common. */
  readonly hash: number
}

const QUARTER_MS = 900_000

/**
 * What a site measures. Every stream has discharge, daily means and every quarter of an hour, and gage height; every third one
 * has temperature with its extremes, every fifteenth from two sensors; every fourth one has extremes of discharge and instants
 * since 1989, the others since 2007. Rows are missing at every tenth site; every twentieth was given up in 2019.
 */
export function seriesOf(site: Site): readonly Series[] {
  const { n } = site
  const list: Series[] = []
  const add = (code: string, statistics: readonly string[], sublocation: string | null = null): void => {
    for (const statistic of statistics) list.push(createSeries(site, parameterOf(code), statistic, sublocation))
  }
  switch (site.typeCode) {
    case 'GW':
      add('72019', ['00011', '00003'])
      break
    case 'LK':
      add('62614', ['00011', '00003'])
      break
    case 'SP':
      add('00060', ['00003'])
      add('00010', ['00011'])
      break
    default:
      add('00060', n % 4 === 0 ? ['00011', '00003', '00001', '00002'] : ['00011', '00003'])
      add('00065', n % 2 === 0 ? ['00011', '00003'] : ['00011'])
      if (n % 3 === 0) add('00010', ['00011', '00003', '00001', '00002'], n % 15 === 0 ? 'Surface' : null)
      if (n % 15 === 0) add('00010', ['00011', '00003'], 'Bottom')
      if (n % 7 === 0) add('00045', ['00011'])
  }
  return list
}

function createSeries(site: Site, parameter: Parameter, statistic: string, sublocation: string | null): Series {
  const { n } = site
  const kind = statistic === '00011' ? 'continuous' : 'daily'
  const name = `${site.id}|${parameter.code}|${sublocation ?? ''}`
  const year = kind === 'continuous' ? (n % 4 === 0 ? 1989 : 2007) : 1930 + ((n * 7) % 50) + (n < FIRST_MIXED ? 0 : 20)
  return {
    id: [1, 2, 3, 4].map(word => hex8(mix(hashText(`${name}|${statistic}`), word, 21))).join(''),
    site,
    parameter,
    statistic,
    kind,
    stepMs: kind === 'daily' ? DAY_MS : site.typeCode === 'GW' ? 4 * QUARTER_MS : QUARTER_MS,
    sublocation,
    begin: Date.UTC(year, 9, 1, kind === 'daily' ? 0 : 7),
    end: n % 20 === 19 ? Date.UTC(2019, 8, 30) : undefined,
    hasGaps: n % 10 === 3,
    hash: hashText(name),
  }
}

function hex8(word: number): string {
  return word.toString(16).padStart(8, '0')
}
