import { ConfigurationError, describeCause, QueryError } from '../../errors.ts'

/** Tells public holidays from other days, by calendar date. */
export interface HolidayCalendar {
  /** @param date - `YYYY-MM-DD` */
  isHoliday(date: string): boolean
}

const DAY_MS = 86_400_000

/**
 * The public holidays of a country or a part of it, days in lieu included.
 *
 * @param country - `'US'`, or with a part of it: `'US-CA'`
 * @throws QueryError when no such country is known; ConfigurationError naming what to install
 */
export async function holidayCalendar(country: string): Promise<HolidayCalendar> {
  const Holidays = await loadPackage()
  const [nation = '', ...parts] = country.split('-')
  const calendar = new Holidays()
  if (!(nation in calendar.getCountries()))
    throw new QueryError(
      `holidays: '${country}' is no country that is known here; use a code such as 'US' or 'US-CA'`,
      {
        argument: 'holidays',
        value: country,
      },
    )
  calendar.init(nation, ...parts)
  const years = new Map<number, ReadonlySet<string>>()
  return {
    isHoliday(date) {
      const year = Number(date.slice(0, 4))
      const known = years.get(year) ?? datesOf(calendar, nation, year)
      years.set(year, known)
      return known.has(date)
    },
  }
}

function datesOf(calendar: HolidayPackage, nation: string, year: number): ReadonlySet<string> {
  // The first of January may be kept on the last day of the year before.
  const dates = [year, year + 1]
    .flatMap(one => calendar.getHolidays(one))
    .filter(({ type }) => type === 'public')
    .map(({ date }) => date.slice(0, 10))
  // The package lists no day in lieu of Veterans Day; federal law has one for every holiday (5 U.S.C. 6103).
  return new Set(nation === 'US' ? dates.flatMap(date => [date, ...inLieuOf(date)]) : dates)
}

function inLieuOf(date: string): string[] {
  const at = Date.parse(date)
  const weekday = new Date(at).getUTCDay()
  const moved = weekday === 6 ? at - DAY_MS : weekday === 0 ? at + DAY_MS : undefined
  return moved === undefined ? [] : [new Date(moved).toISOString().slice(0, 10)]
}

/** The little that is used of the package. */
interface HolidayPackage {
  init(country: string, ...parts: string[]): void
  getCountries(): Readonly<Record<string, string>>
  getHolidays(year: number): readonly { readonly date: string; readonly type: string }[]
}

async function loadPackage(): Promise<new () => HolidayPackage> {
  try {
    const module = await import('date-holidays')
    return module.default as unknown as new () => HolidayPackage
  } catch (thrown) {
    throw new ConfigurationError(
      `getTypicalYear needs an optional package; run: npm i date-holidays (${describeCause(thrown).message})`,
      { setting: 'getTypicalYear', source: 'installed packages' },
    )
  }
}
