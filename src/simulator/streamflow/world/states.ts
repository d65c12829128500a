/** A state, and what its places have in common. */
export interface State {
  readonly fips: string
  readonly postal: string
  readonly name: string
  /** First two digits of its hydrologic unit codes. */
  readonly region: string
  readonly zone: Zone
  /** West, south, east, north. Rough, and inside the state. */
  readonly box: readonly [number, number, number, number]
}

/** A time zone as the service names it, and where its offset can be looked up. */
export interface Zone {
  readonly code: string
  readonly name: string
  readonly area: string
  readonly hasSummerTime: boolean
}

const zone = (code: string, name: string, area: string, hasSummerTime = true): Zone => ({
  code,
  name,
  area,
  hasSummerTime,
})

const EASTERN = zone('EST', 'Eastern Standard Time', 'America/New_York')
const CENTRAL = zone('CST', 'Central Standard Time', 'America/Chicago')
const MOUNTAIN = zone('MST', 'Mountain Standard Time', 'America/Denver')
const ARIZONA = zone('MST', 'Mountain Standard Time', 'America/Phoenix', false)
const PACIFIC = zone('PST', 'Pacific Standard Time', 'America/Los_Angeles')
const ALASKA = zone('AKST', 'Alaska Standard Time', 'America/Anchorage')
const HAWAII = zone('HST', 'Hawaii Standard Time', 'Pacific/Honolulu', false)
const ATLANTIC = zone('AST', 'Atlantic Standard Time', 'America/Puerto_Rico', false)

/** Zones in the order of the reference table. */
export const ZONES: readonly Zone[] = [ALASKA, ATLANTIC, CENTRAL, EASTERN, HAWAII, MOUNTAIN, PACIFIC]

/** All states, in the order of their codes. */
export const STATES: readonly State[] = [
  state('01', 'AL', 'Alabama', '03', CENTRAL, [-88, 31, -85.5, 34.8]),
  state('02', 'AK', 'Alaska', '19', ALASKA, [-158, 60, -145, 68]),
  state('04', 'AZ', 'Arizona', '15', ARIZONA, [-114, 32, -109.5, 36.8]),
  state('05', 'AR', 'Arkansas', '08', CENTRAL, [-94, 33.2, -90.5, 36.3]),
  state('06', 'CA', 'California', '18', PACIFIC, [-122, 35, -118, 39]),
  state('08', 'CO', 'Colorado', '14', MOUNTAIN, [-108.8, 37.2, -102.4, 40.8]),
  state('09', 'CT', 'Connecticut', '01', EASTERN, [-73.3, 41.3, -72, 42]),
  state('10', 'DE', 'Delaware', '02', EASTERN, [-75.7, 38.6, -75.3, 39.7]),
  state('11', 'DC', 'District of Columbia', '02', EASTERN, [-77.1, 38.85, -76.95, 38.95]),
  state('12', 'FL', 'Florida', '03', EASTERN, [-82.4, 26.5, -80.6, 30.4]),
  state('13', 'GA', 'Georgia', '03', EASTERN, [-85, 31, -82, 34.6]),
  state('15', 'HI', 'Hawaii', '20', HAWAII, [-155.9, 19.2, -155.2, 20]),
  state('16', 'ID', 'Idaho', '17', MOUNTAIN, [-116.5, 42.4, -113, 45]),
  state('17', 'IL', 'Illinois', '07', CENTRAL, [-90, 38, -88, 42]),
  state('18', 'IN', 'Indiana', '05', EASTERN, [-87, 38.5, -85, 41.5]),
  state('19', 'IA', 'Iowa', '07', CENTRAL, [-96, 40.8, -91.5, 43.2]),
  state('20', 'KS', 'Kansas', '11', CENTRAL, [-101.8, 37.2, -95, 39.8]),
  state('21', 'KY', 'Kentucky', '05', EASTERN, [-88, 36.8, -83, 38.5]),
  state('22', 'LA', 'Louisiana', '08', CENTRAL, [-93, 30, -91.3, 32.8]),
  state('23', 'ME', 'Maine', '01', EASTERN, [-70.5, 44, -68, 46.8]),
  state('24', 'MD', 'Maryland', '02', EASTERN, [-77.5, 38.8, -76, 39.6]),
  state('25', 'MA', 'Massachusetts', '01', EASTERN, [-73.2, 42.1, -71.2, 42.7]),
  state('26', 'MI', 'Michigan', '04', EASTERN, [-86, 42, -83.5, 45]),
  state('27', 'MN', 'Minnesota', '07', CENTRAL, [-96, 44, -92, 48]),
  state('28', 'MS', 'Mississippi', '08', CENTRAL, [-90.6, 31, -88.6, 34.8]),
  state('29', 'MO', 'Missouri', '10', CENTRAL, [-94.4, 36.8, -90.5, 40.3]),
  state('30', 'MT', 'Montana', '10', MOUNTAIN, [-113, 45.5, -104.5, 48.8]),
  state('31', 'NE', 'Nebraska', '10', CENTRAL, [-102, 40.3, -96.5, 42.7]),
  state('32', 'NV', 'Nevada', '16', PACIFIC, [-119, 38, -114.5, 41.8]),
  state('33', 'NH', 'New Hampshire', '01', EASTERN, [-72, 43, -71, 44.8]),
  state('34', 'NJ', 'New Jersey', '02', EASTERN, [-75, 39.6, -74.2, 41]),
  state('35', 'NM', 'New Mexico', '13', MOUNTAIN, [-108.5, 32.5, -103.5, 36.8]),
  state('36', 'NY', 'New York', '02', EASTERN, [-78.8, 42, -74, 44.5]),
  state('37', 'NC', 'North Carolina', '03', EASTERN, [-82, 35.3, -77, 36.4]),
  state('38', 'ND', 'North Dakota', '09', CENTRAL, [-103.5, 46.2, -97, 48.8]),
  state('39', 'OH', 'Ohio', '05', EASTERN, [-84.5, 39, -81, 41.3]),
  state('40', 'OK', 'Oklahoma', '11', CENTRAL, [-99.5, 34.5, -94.8, 36.8]),
  state('41', 'OR', 'Oregon', '17', PACIFIC, [-123, 42.3, -117.3, 45.4]),
  state('42', 'PA', 'Pennsylvania', '02', EASTERN, [-80, 40, -75.5, 41.8]),
  state('44', 'RI', 'Rhode Island', '01', EASTERN, [-71.7, 41.4, -71.4, 42]),
  state('45', 'SC', 'South Carolina', '03', EASTERN, [-82.5, 33, -79.5, 35]),
  state('46', 'SD', 'South Dakota', '10', CENTRAL, [-103.5, 43.2, -97, 45.7]),
  state('47', 'TN', 'Tennessee', '06', CENTRAL, [-88.5, 35.2, -83, 36.5]),
  state('48', 'TX', 'Texas', '12', CENTRAL, [-101, 28, -95, 33.5]),
  state('49', 'UT', 'Utah', '16', MOUNTAIN, [-113.5, 37.3, -109.5, 41]),
  state('50', 'VT', 'Vermont', '01', EASTERN, [-73.1, 43, -72.3, 44.8]),
  state('51', 'VA', 'Virginia', '02', EASTERN, [-80, 36.8, -77, 38.5]),
  state('53', 'WA', 'Washington', '17', PACIFIC, [-122.5, 46, -117.5, 48.8]),
  state('54', 'WV', 'West Virginia', '05', EASTERN, [-81.5, 37.8, -79.5, 39.5]),
  state('55', 'WI', 'Wisconsin', '07', CENTRAL, [-91, 42.8, -88, 45.5]),
  state('56', 'WY', 'Wyoming', '10', MOUNTAIN, [-110.5, 41.3, -104.5, 44.8]),
  state('72', 'PR', 'Puerto Rico', '21', ATLANTIC, [-67, 18, -65.8, 18.45]),
]

function state(fips: string, postal: string, name: string, region: string, timeZone: Zone, box: State['box']): State {
  return { fips, postal, name, region, zone: timeZone, box }
}

/** Counties that every state has here: code and name. */
export const COUNTIES: readonly (readonly [code: string, name: string])[] = [
  ['001', 'Adams County'],
  ['003', 'Franklin County'],
  ['005', 'Jackson County'],
  ['007', 'Washington County'],
  ['025', 'Dane County'],
]

/** Summer time included, as the naive local times of the service have it. */
export function offsetMs({ area }: Zone, at: number): number {
  const hour = `${area}|${Math.floor(at / 3_600_000)}`
  const known = offsets.get(hour) ?? lookUp(area, at)
  offsets.set(hour, known)
  return known
}

const offsets = new Map<string, number>()

function lookUp(area: string, at: number): number {
  const part = formatOf(area)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)?/.exec(part?.value ?? '') ?? []
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? -size : size
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(area: string): Intl.DateTimeFormat {
  const known = formats.get(area) ?? new Intl.DateTimeFormat('en-US', { timeZone: area, timeZoneName: 'longOffset' })
  formats.set(area, known)
  return known
}
