import { dateText } from './calendar.ts'
import type { Activity } from './activities.ts'
import type { Characteristic } from './characteristics.ts'
import type { Project } from './organizations.ts'
import type { Result, Telling } from './results.ts'
import type { Site } from './sites.ts'

/** True for a site of the Survey's own. */
export function isSurvey({ organization }: Site): boolean {
  return organization.provider === 'NWIS'
}

/** What is told of a site besides where it is. */
export interface Station {
  readonly typeName: string
  readonly description: string
  readonly drainage: string
  readonly aquifer: string
  readonly wellDepth: string
}

export function stationOf(site: Site): Station {
  const { kind, n } = site
  const isStream = kind === 'Stream'
  return {
    typeName: isSurvey(site) ? kind : (AGENCY_TYPES[kind] ?? kind),
    description: n % 40 === 3 ? 'Below the bridge,\nleft bank' : '',
    drainage: isStream && n % 3 === 0 ? String((n % 97) / 10) : '',
    aquifer: kind === 'Well' ? 'Sand and gravel aquifers (glaciated regions)' : '',
    wellDepth: kind === 'Well' ? String(40 + (n % 300)) : '',
  }
}

const AGENCY_TYPES: Readonly<Record<string, string>> = {
  Stream: 'River/Stream',
  'Lake, Reservoir, Impoundment': 'Lake',
}

/** Twelve digits, the first eight being those of the larger unit. */
export function huc12Of({ huc8, n }: Site): string {
  return `${huc8}${String(100 + (n % 800)).padStart(4, '0')}`
}

/** What an activity was done for. */
export function projectOf({ site, hash }: Activity): Project | undefined {
  const { projects } = site.organization
  return projects[(hash >>> 16) % (projects.length + 1)]
}

/** When it ended, where somebody noted that. */
export function endOf({ day, time, zone, hash, specimen }: Activity): Record<'date' | 'time' | 'zone', string> {
  const isNoted = day !== null && specimen === undefined && hash % 6 === 2
  const end = isNoted && /^\d\d:\d\d:\d\d$/.test(time) ? `${time.slice(0, 3)}59:00` : ''
  return { date: isNoted ? dateText(day) : '', time: end, zone: end === '' ? '' : zone }
}

/** Remarks, every one of them a test for a parser of CSV. */
const REMARKS = [
  'Wind from the west, light',
  'Two lines:\nthis is the second',
  'Label says "A-2060053", received late',
  'Ends with a quote "here"',
  '3 taxa were reported at a higher level than originally identified. Please contact the lab.',
  'Café bridge; 5" pipe',
]

export function commentOf({ hash, specimen }: Activity): string {
  if (specimen) return specimen.comment ?? ''
  return hash % 7 < 2 ? (REMARKS[(hash >>> 6) % REMARKS.length] ?? '') : ''
}

export function conductorOf(site: Site): string {
  return isSurvey(site) ? 'U.S. Geological Survey-Water Resources Discipline' : site.organization.id
}

export function methodOf(site: Site): Record<'id' | 'context' | 'name' | 'equipment', string> {
  if (isSurvey(site)) {
    return {
      id: '15',
      context: 'USGS parameter code 82398',
      name: '10 or more equal width verticals, equal non-iso transit rate limited by velocity',
      equipment: 'Weighted-bottle sampler',
    }
  }
  return { id: 'GRAB', context: site.organization.id, name: 'Water grab sample', equipment: 'Water Bottle' }
}

/** What kind of limit a limit is. The two interfaces call the same limit by different names. */
export function limitTypeOf({ activity, condition }: Result, telling: Telling): string {
  if (!isSurvey(activity.site)) return 'Method Detection Level'
  if (condition === '') return 'Long Term Method Detection Level'
  return telling === 'older' ? 'Estimated Detection Level' : 'Censoring Level'
}

/** What the Survey's own system calls a characteristic. */
export function longNameOf({ name, fraction }: Characteristic): string {
  return `${name}, water${fraction === '' ? '' : `, ${fraction.toLowerCase()}`}`
}

/** What kind of activity it is, in the words of the newer interface. */
export function newerTypeOf({ kind, site }: Activity): string {
  if (kind === 'field') return 'Field Msr/Obs'
  if (kind === 'replicate') return 'Quality Control Sample-Field Replicate'
  return isSurvey(site) ? 'Sample - Routine, regular' : 'Sample-Routine'
}
