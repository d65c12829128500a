import { dayOf } from '../world/calendar.ts'
import { PARAMETERS, valueOf, type ParameterRule, type Parameters } from './parameters.ts'

/** What values are looked up in. */
export interface CodeLists {
  /** Whether a value stands in a list; `undefined` when the list cannot be reached. */
  has(list: string, value: string): boolean | undefined
}

/** Every violation, in the server's words, in the order of its parameters. */
export function violationsOf(parameters: Parameters, codes: CodeLists, profiles: readonly string[]): readonly string[] {
  const found = PARAMETERS.flatMap(rule => {
    const values = parameters.get(rule.name) ?? []
    if (values.length > (rule.most ?? Infinity))
      return [`The ${rule.name} is not between 0 and ${rule.most} occurances`]
    return values.flatMap(value => violation(rule, value, codes, profiles) ?? [])
  })
  return [...found, ...incompleteCircle(parameters)]
}

function violation(
  { name, format, check, codes: list }: ParameterRule,
  value: string,
  codes: CodeLists,
  profiles: readonly string[],
): string | undefined {
  const said = `The value of ${name}=${value}`
  if (format !== undefined && !new RegExp(`^(?:${format})$`, 's').test(value))
    return `${said} must match the format ${format}`
  if (list !== undefined) {
    const isKnown = codes.has(list, value)
    if (isKnown === undefined) return cannotReach(name)
    if (!isKnown) return `${said} is not in the list of enumerated values.`
  }
  switch (check) {
    case 'date':
      return readDate(value) === undefined ? `${said} must be a valid date in the format MM-dd-yyyy.` : undefined
    case 'box':
      return readBox(value) === undefined ? `${said} is not a valid bounding box.` : undefined
    case 'latitude':
      return isWithin(value, 90) ? undefined : `${said} is not between -90 and 90.`
    case 'longitude':
      return isWithin(value, 180) ? undefined : `${said} is not between -180 and 180.`
    case 'distance':
      return isNumber(value) && Number(value) >= 0 ? undefined : `${said} must be a number greater than or equal to 0.`
    case 'profile':
      return profiles.includes(value) ? undefined : `${said} is not in the list of enumerated values.`
    case undefined:
      return undefined
  }
}

/** What is said when the list of codes cannot be reached, and somebody noticed. */
function cannotReach(name: string): string {
  return `Server error: We cannot access the list of enumerated values to validate your parameter(${name}).`
}

/** The day of a date `MM-DD-YYYY`; zeros in front are no decoration. */
export function readDate(text: string): number | undefined {
  const [, month, date, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text) ?? []
  return year === undefined ? undefined : dayOf(`${year}-${month}-${date}`)
}

/** West, south, east, north. West is not beyond east: no box crosses the line where the days meet. */
export function readBox(text: string): [number, number, number, number] | undefined {
  const parts = text.split(',')
  if (parts.length !== 4 || !parts.every(isNumber)) return undefined
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number)
  const isOnEarth = [west, east].every(x => Math.abs(x) <= 180) && [south, north].every(y => Math.abs(y) <= 90)
  return isOnEarth && west <= east && south <= north ? [west, south, east, north] : undefined
}

function incompleteCircle(parameters: Parameters): readonly string[] {
  const names = ['lat', 'long', 'within']
  const given = names.filter(name => valueOf(parameters, name) !== undefined)
  const missing = names.filter(name => !given.includes(name))
  if (given.length === 0 || missing.length === 0) return []
  return [`Parameter(s) [${given.join(', ')}] require(s) [${missing.join(', ')}].`]
}

function isWithin(text: string, most: number): boolean {
  return isNumber(text) && Math.abs(Number(text)) <= most
}

function isNumber(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)
}
