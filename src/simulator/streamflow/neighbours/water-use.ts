import { hashText, mix, unit } from '../../hash.ts'
import { jsonAnswer, type Answer, type Ask } from '../../service.ts'
import { STATES } from '../world/states.ts'

/** Models, their variables, and the unit of each. */
const MODELS: Readonly<Record<string, readonly string[]>> = {
  'wu-public-supply-wd': ['pswdgw', 'pswdsw', 'pswdtot'],
  'wu-public-supply-cu': ['pscutot'],
  'wu-thermoelectric': ['tewdtot', 'tecutot'],
  'wu-irrigation-wd': ['irwdgw', 'irwdsw', 'irwdtot'],
  'wu-irrigation-cu': ['ircutot'],
}

const MODELLED = ['wb-conus404', 'wb-nhm', 'wb-wrfhydro', 'wq-sparrow', 'wl-lakes']
const LOCATION = /^(stateCd|countyCd|huc(?:2|4|6|8|10|12)):(\w+)$/
const KNOWN = [
  'format',
  'model',
  'variable',
  'location',
  'timeres',
  'startdate',
  'enddate',
  'intersection',
  'limit',
  'skip',
]
const FIRST_YEAR = 2000
const LAST_YEAR = 2020

/** `GET /nwaa-data/data`: a table in CSV, so many basins a page. `GET /nwaa-data/models`: what there is. */
export function waterUse(ask: Ask): Answer | undefined {
  if (ask.method !== 'GET') return undefined
  if (ask.path === '/nwaa-data/models')
    return jsonAnswer(
      200,
      [...Object.keys(MODELS), ...MODELLED].map(model => ({ model })),
    )
  return ask.path === '/nwaa-data/data' ? table(ask) : undefined
}

function table(ask: Ask): Answer {
  const { query } = ask
  for (const [name, value] of query) {
    if (!KNOWN.includes(name)) return refused(`Unknown parameter: ${name}`)
    if (value === '') return refused(`Empty value for parameter: ${name}`)
  }
  const model = query.get('model') ?? ''
  const known = MODELS[model]
  if (known === undefined) return refused(`Invalid model name: ${model}`)
  const variables = query.get('variable')?.split(',') ?? []
  const stray = variables.find(name => !known.includes(name))
  if (variables.length === 0 || stray !== undefined)
    return refused(`Invalid variable. Valid variables are: ${known.join(', ')}`)
  const basins = basinsOf(query)
  if (basins === undefined) return refused('Invalid location: exactly one of stateCd, countyCd or huc is needed')
  const resolution = query.get('timeres') ?? 'monthly'
  if (!['monthly', 'annualcy', 'annualwy'].includes(resolution)) return refused(`Invalid timeres: ${resolution}`)

  const limit = Number(query.get('limit') ?? 600)
  const skip = Number(query.get('skip') ?? 0)
  const periods = periodsOf(query, resolution)
  const header = ['huc12_id', resolution === 'monthly' ? 'year_month' : 'year', ...variables.map(name => `${name}_mgd`)]
  const rows = basins
    .slice(skip, skip + limit)
    .flatMap(basin => periods.map(period => [basin, period, ...variables.map(name => useOf(basin, name, period))]))
  const body = [header, ...rows].map(row => `${row.join(',')}\n`).join('')
  const headers = { 'content-type': 'text/csv; charset=utf-8' }
  if (skip + limit >= basins.length) return { status: 200, headers, body }
  const next = new URLSearchParams(query)
  next.set('skip', String(skip + limit))
  return { status: 200, headers: { ...headers, link: `<${ask.base}${ask.path}?${next}>; rel="next"` }, body }
}

/** Basins of a place: all those of twelve digits that begin with its code. */
function basinsOf(query: URLSearchParams): readonly string[] | undefined {
  const places = query.getAll('location')
  const [, kind, code] = LOCATION.exec(places[0] ?? '') ?? []
  if (kind === undefined || code === undefined || places.length > 1) return undefined
  if (kind === 'stateCd' || kind === 'countyCd') {
    const state = STATES.find(({ postal, fips }) => (kind === 'stateCd' ? postal === code : code.startsWith(fips)))
    return state === undefined ? undefined : within(`${state.region}${state.fips}`, kind === 'stateCd' ? 40 : 5)
  }
  return code.length === Number(kind.slice(3))
    ? within(code, code.length === 12 ? 1 : 2 ** ((12 - code.length) / 2) * 2)
    : undefined
}

function within(prefix: string, count: number): readonly string[] {
  const digits = 12 - prefix.length
  if (digits === 0) return [prefix]
  return Array.from({ length: count }, (_, n) => prefix + String(n + 1).padStart(digits, '0'))
}

/** Months or years from `startdate` to `enddate`, both included. */
function periodsOf(query: URLSearchParams, resolution: string): readonly string[] {
  const isMonthly = resolution === 'monthly'
  const first = query.get('startdate') ?? (isMonthly ? `${FIRST_YEAR}-01` : String(FIRST_YEAR))
  const last = query.get('enddate') ?? (isMonthly ? `${LAST_YEAR}-12` : String(LAST_YEAR))
  const years = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, n) => String(FIRST_YEAR + n))
  const all = isMonthly
    ? years.flatMap(year => Array.from({ length: 12 }, (_, n) => `${year}-${String(n + 1).padStart(2, '0')}`))
    : years
  return all.filter(period => period >= first.slice(0, period.length) && period.slice(0, last.length) <= last)
}

/** Million gallons a day, as a pure function of basin, variable and period. */
export function useOf(basin: string, variable: string, period: string): string {
  const hash = hashText(`${basin}|${variable}`)
  return mix(hash, hashText(period)) % 5 === 0
    ? '0.0'
    : String(Number((3 * unit(mix(hash, hashText(period), 2))).toFixed(7)))
}

function refused(detail: string): Answer {
  return jsonAnswer(400, { detail })
}
