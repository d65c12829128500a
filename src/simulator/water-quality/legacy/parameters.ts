/** What the server demands of the values of one parameter. */
export interface ParameterRule {
  readonly name: string
  /** Takes a list: repeated, or with semicolons. */
  readonly many: boolean
  /** Most values of a list. */
  readonly most?: number
  /** The whole value must match it; shown to the user as it stands. */
  readonly format?: string
  readonly check?: 'date' | 'box' | 'latitude' | 'longitude' | 'distance' | 'profile'
  /** Looked up in the list of codes of this name. */
  readonly codes?: string
}

const MOST = 1000

const list = (name: string, rule: Omit<ParameterRule, 'name' | 'many'> = {}): ParameterRule => ({
  name,
  many: true,
  most: MOST,
  ...rule,
})

const one = (name: string, rule: Omit<ParameterRule, 'name' | 'many'> = {}): ParameterRule => ({
  name,
  many: false,
  ...rule,
})

/** Every parameter there is. Others are ignored without a word. */
export const PARAMETERS: readonly ParameterRule[] = [
  list('siteid', { most: Infinity, format: String.raw`[\w]+\-.*\S` }),
  list('statecode', { format: '(?:([A-Z]{2}):)?([0-9]{1,2})' }),
  list('countycode', { format: '(?:([A-Z]{2}):)?([0-9]{1,2}):([0-9]{3}|N/A)' }),
  list('countrycode', { format: '[A-Z]{2}' }),
  list('huc', { format: String.raw`(?:(?:[0-9]{2}|[0-9]{4}|[0-9]{6})\*?|[0-9]{8}|[0-9]{10}|[0-9]{12})` }),
  one('bBox', { check: 'box' }),
  one('lat', { check: 'latitude' }),
  one('long', { check: 'longitude' }),
  one('within', { check: 'distance' }),
  list('siteType', { codes: 'sitetype' }),
  list('sampleMedia', { codes: 'samplemedia' }),
  list('characteristicName', { codes: 'characteristicname' }),
  list('characteristicType', { codes: 'characteristictype' }),
  list('organization', { codes: 'organization' }),
  list('project', { codes: 'project' }),
  list('providers', { codes: 'providers' }),
  list('assemblage', { codes: 'assemblage' }),
  list('subjectTaxonomicName', { codes: 'subjecttaxonomicname' }),
  list('pCode', { format: '[0-9]{5}' }),
  list('analyticalmethod', { format: 'https?://.*' }),
  one('startDateLo', { check: 'date' }),
  one('startDateHi', { check: 'date' }),
  one('minactivities', { format: '[0-9]+' }),
  one('minresults', { format: '[0-9]+' }),
  one('mimeType'),
  one('zip', { format: 'yes|no' }),
  one('sorted', { format: 'yes|no' }),
  one('counts', { format: 'yes|no' }),
  // What one client sends in place of `counts`.
  one('count'),
  one('dataProfile', { check: 'profile' }),
  one('summaryYears', { format: '1|5|all' }),
  one('nldiurl', { format: 'https?://.*' }),
  list('command.avoid'),
]

/** Values by parameter, lists merged and empty pieces dropped. A parameter without a value is absent. */
export type Parameters = ReadonlyMap<string, readonly string[]>

/** @param splits - whether semicolons part the values of a list */
export function readParameters(given: Iterable<readonly [name: string, value: string]>, splits = true): Parameters {
  const rules = new Map(PARAMETERS.map(rule => [rule.name, rule]))
  const values = new Map<string, string[]>()
  for (const [name, value] of given) {
    const rule = rules.get(name)
    if (rule === undefined) continue
    const pieces = rule.many && splits ? value.split(';') : [value]
    const known = values.get(name) ?? []
    known.push(...pieces.filter(piece => piece !== ''))
    if (known.length > 0) values.set(name, known)
  }
  return values
}

/** The value of a parameter that has one; the first of several. */
export function valueOf(parameters: Parameters, name: string): string | undefined {
  return parameters.get(name)?.[0]
}
