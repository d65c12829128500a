import { CHARACTERISTICS } from '../world/characteristics.ts'
import { PLACES } from '../world/places.ts'
import { KIND_CODES } from './query.ts'

/** Lists of codes by the name of their service, each entry with the fields that clients read. */
const LISTS: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  states: PLACES.map(({ fips, postal, name }) => ({
    stateAbbrev: postal,
    stateName: name,
    fipsCode: fips,
    countryCode: 'US',
  })),
  counties: PLACES.flatMap(({ fips, counties }) =>
    counties.map(([countyCode, name]) => ({
      countyCode,
      countyName: `${name} County`,
      stateFipsCode: fips,
      countryCode: 'US',
    })),
  ),
  countries: [{ countryCode: 'US', countryName: 'United States of America' }],
  sitetype: Object.entries(KIND_CODES).map(([typeCode, name]) => ({ typeCode, typeName: name, typeLongName: name })),
  samplemedia: ['Water', 'Sediment', 'Biological'].map(activityMedia => ({ activityMedia })),
  characteristicgroup: [...new Set(CHARACTERISTICS.map(({ group }) => group))].map(characteristicGroup => ({
    characteristicGroup,
  })),
  characteristics: CHARACTERISTICS.map(({ name, group, pcode }) => ({
    characteristicGroup: group,
    characteristicName: name,
    parameterCode: pcode,
  })),
  observedproperty: CHARACTERISTICS.map(({ name, group }) => ({ observedProperty: name, characteristicGroup: group })),
}

/** Names of all lists. */
export const CODE_SERVICES: readonly string[] = Object.keys(LISTS)

/** One list, or a page of what is left of it; `undefined` when there is no such list. */
export function codesOf(name: string, query: URLSearchParams): readonly Readonly<Record<string, string>>[] | undefined {
  const text = query.get('text')?.toLowerCase()
  const group = query.get('group')
  const wanted = LISTS[name]?.filter(
    entry =>
      (text === undefined || Object.values(entry).some(value => value.toLowerCase().includes(text))) &&
      (group === null || entry['characteristicGroup'] === group),
  )
  const size = Number(query.get('pageSize') ?? wanted?.length)
  const first = (Number(query.get('pageNumber') ?? 1) - 1) * size
  return wanted?.slice(first, first + size)
}
