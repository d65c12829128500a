import type { Column } from '../../retrieval/index.ts'
import { triplesIn, type Triple } from './instants.ts'

/** Names of the columns that mean the same in the older and in the newer spelling. */
const SPELLINGS = {
  provider: ['ProviderName', 'Provider'],
  organization: ['OrganizationIdentifier', 'Org_Identifier'],
  site: ['MonitoringLocationIdentifier', 'Location_Identifier', 'monitoringLocationIdentifier'],
  activity: ['ActivityIdentifier', 'Activity_ActivityIdentifier'],
  result: ['ResultIdentifier', 'Result_MeasureIdentifier'],
  date: ['ActivityStartDate', 'Activity_StartDate'],
  characteristic: ['CharacteristicName', 'Result_Characteristic'],
  value: ['ResultMeasureValue', 'Result_Measure'],
  unit: ['ResultMeasure/MeasureUnitCode', 'Result_MeasureUnit'],
  condition: ['ResultDetectionConditionText', 'Result_ResultDetectionCondition'],
  latitude: ['LatitudeMeasure', 'Location_Latitude', 'MonitoringLocationLatitude'],
  longitude: ['LongitudeMeasure', 'Location_Longitude', 'MonitoringLocationLongitude'],
} as const

/** What a column means, whatever it is called. */
export type Meaning = keyof typeof SPELLINGS

/** Limits beside a result: value, unit and type of each. */
const LIMITS = [
  [
    'DetectionQuantitationLimitMeasure/MeasureValue',
    'DetectionQuantitationLimitMeasure/MeasureUnitCode',
    'DetectionQuantitationLimitTypeName',
  ],
  ['DetectionLimit_MeasureA', 'DetectionLimit_MeasureUnitA', 'DetectionLimit_TypeA'],
  ['DetectionLimit_MeasureB', 'DetectionLimit_MeasureUnitB', 'DetectionLimit_TypeB'],
] as const

/** Two columns are spelt otherwise by Samples than by the Portal's newer interface. */
const NORMALISED: Readonly<Record<string, string>> = {
  Activity_MediaSubdivision: 'Activity_MediaSubdivisionName',
  GroupSummaryWeight_MeasureUnit: 'GroupSummaryWeightMeasure_Unit',
}

/** Where everything stands in a row of one answer. */
export interface Layout {
  /** Names of the columns, each once: a name that came before is kept with a number behind it. */
  readonly names: readonly string[]
  readonly triples: readonly Triple[]
  /** Places of value, unit and type of each limit. */
  readonly limits: readonly (readonly [value: number, unit: number, type: number])[]
  /** Where a meaning stands, if it is there. */
  place(meaning: Meaning): number | undefined
  /** The name under which a meaning stands. */
  nameOf(meaning: Meaning): string | undefined
}

/** @param header - names as they came */
export function createLayout(header: readonly string[]): Layout {
  const names = distinct(header.map(name => NORMALISED[name] ?? name))
  const places = new Map(names.map((name, place) => [name, place]))
  const nameOf = (meaning: Meaning): string | undefined => SPELLINGS[meaning].find(name => places.has(name))
  return {
    names,
    triples: triplesIn(names),
    limits: LIMITS.flatMap(([value, unit, type]) => {
      const found = [places.get(value), places.get(unit), places.get(type)] as const
      return found.every(place => place !== undefined) ? [found as [number, number, number]] : []
    }),
    place: meaning => places.get(nameOf(meaning) ?? ''),
    nameOf,
  }
}

/** The service's own columns, all text as they came; a date is one as well. */
export function columnsOf({ names }: Layout): Column[] {
  return names.map(name => ({ name, kind: isDate(name) ? 'date' : 'text' }))
}

/** Names that only look like a date's: `Fri Jun 15 09:44:33 GMT 2018` and `18-DEC-13` stand there. */
const NO_DATE = /(?:LastResultSubmitted|LastChange|Resource|IndexCalculated)Date$/

function isDate(name: string): boolean {
  return name.endsWith('Date') && !NO_DATE.test(name)
}

/** As tables are read elsewhere: the second of a name is `name.1`. */
function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map(name => {
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return before === 0 ? name : `${name}.${before}`
  })
}
