import { daysBetween } from '../select/selection.ts'
import type { Filter } from '../select/filter.ts'
import { valueOf, type Parameters } from './parameters.ts'
import { readBox, readDate } from './validation.ts'

/** What valid parameters ask for. */
export function filterOf(parameters: Parameters): Filter {
  const set = (name: string): ReadonlySet<string> | undefined => {
    const values = parameters.get(name)
    return values && new Set(values)
  }
  const number = (name: string): number => Number(valueOf(parameters, name) ?? 0)
  const date = (name: string): number | undefined => readDate(valueOf(parameters, name) ?? '')
  const box = readBox(valueOf(parameters, 'bBox') ?? '')
  const countries = set('countrycode')
  const areas = areasOf(parameters)
  const wanted = {
    sites: set('siteid'),
    areas,
    hucs: parameters.get('huc')?.map(huc => huc.replace('*', '')),
    box,
    circle: parameters.has('lat')
      ? { latitude: number('lat'), longitude: number('long'), miles: number('within') }
      : undefined,
    kinds: set('siteType'),
    organizations: set('organization'),
    providers: providersOf(parameters),
    minActivities: number('minactivities'),
    minResults: number('minresults'),
    days: daysBetween(date('startDateLo'), date('startDateHi')),
    media: set('sampleMedia'),
    projects: set('project'),
    names: set('characteristicName'),
    groups: set('characteristicType'),
    pcodes: set('pCode'),
    taxa: set('subjectTaxonomicName'),
    // A country counts only where no part of it was named; nothing here has an assemblage or a method of that kind.
    isHopeless:
      (areas === undefined && countries !== undefined && !countries.has('US')) ||
      parameters.has('assemblage') ||
      parameters.has('analyticalmethod'),
  }
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Filter
}

/**
 * States and counties. A state is dropped when one of its counties is named. Whoever leaves the country out is compared with
 * a text that has it, and finds nothing.
 */
function areasOf(parameters: Parameters): ReadonlySet<string> | undefined {
  const states = parameters.get('statecode')
  const counties = parameters.get('countycode')
  if (states === undefined && counties === undefined) return undefined
  const areas = new Set(counties?.flatMap(code => /^US:(\d\d:\d{3})$/.exec(code)?.[1] ?? []))
  const covered = new Set([...areas].map(code => code.slice(0, 2)))
  for (const code of states ?? []) {
    const fips = /^US:(\d\d)$/.exec(code)?.[1]
    if (fips !== undefined && !covered.has(fips)) areas.add(fips)
  }
  return areas
}

/** Who is wanted, and not avoided. */
function providersOf(parameters: Parameters): ReadonlySet<string> | undefined {
  const avoided = parameters.get('command.avoid')
  const wanted = parameters.get('providers')
  if (avoided === undefined) return wanted && new Set(wanted)
  const all = wanted ?? ['NWIS', 'STORET', 'STEWARDS']
  return new Set(all.filter(provider => !avoided.includes(provider)))
}
