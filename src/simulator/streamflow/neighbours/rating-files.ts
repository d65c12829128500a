import { mix } from '../../hash.ts'
import { writeInstant } from '../times.ts'
import { siteFields } from '../world/site-fields.ts'
import type { Site } from '../world/sites.ts'

export type RatingType = 'exsa' | 'base' | 'corr'

/** A file with one table of a gage: which discharge belongs to which height. */
export interface RatingItem {
  readonly id: string
  readonly file: string
  readonly site: Site
  readonly type: RatingType
  readonly datetime: string
}

/** Rows of a table, all texts. */
export interface RatingTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const items = new WeakMap<readonly Site[], readonly RatingItem[]>()

/** Every other stream has all three files. */
export function ratingItems(sites: readonly Site[]): readonly RatingItem[] {
  const known = items.get(sites) ?? sites.filter(isRated).flatMap(itemsOf)
  items.set(sites, known)
  return known
}

function isRated({ n, typeCode }: Site): boolean {
  return typeCode === 'ST' && n % 2 === 0
}

function itemsOf(site: Site): readonly RatingItem[] {
  return (['base', 'corr', 'exsa'] as const).map(type => ({
    id: `${site.id}.${type}.rdb`,
    file: `${site.agency}.${site.number}.${type}.rdb`,
    site,
    type,
    datetime: writeInstant(Date.UTC(2026, 0, 1) + (mix(site.hash, type.length, 71) % 200) * 86_400_000),
  }))
}

/** The table in a file. Steps of a tenth of a foot; every fifth one is a fixed point of the rating. */
export function ratingTable({ site, type }: RatingItem): RatingTable {
  const count = 20 + (site.n % 30)
  const shift = (mix(site.hash, 72) % 21) / 100
  const steps = Array.from({ length: count }, (_, step) => {
    const height = 1 + step / 10
    const flow = (4 + (site.hash % 7)) * (height - 0.5) ** 2.1
    return { height: height.toFixed(2), flow: String(Number(flow.toPrecision(4))), mark: step % 5 === 0 ? '*' : '' }
  })
  switch (type) {
    case 'base':
      return { columns: ['INDEP', 'DEP', 'STOR'], rows: steps.map(({ height, flow, mark }) => [height, flow, mark]) }
    case 'exsa':
      return {
        columns: ['INDEP', 'SHIFT', 'DEP', 'STOR'],
        rows: steps.map(({ height, flow, mark }) => [height, shift.toFixed(2), flow, mark]),
      }
    case 'corr':
      return {
        columns: ['INDEP', 'CORR', 'CORRINDEP'],
        rows: [0, 50, 100].map(height => [height.toFixed(2), shift.toFixed(2), (height + shift).toFixed(2)]),
      }
  }
}

/** A file, in the RDB format: remarks, names, widths, rows. */
export function ratingFile(item: RatingItem): string {
  const { site, type } = item
  const { columns, rows } = ratingTable(item)
  const name = siteFields(site)['monitoring_location_name']
  const remarks = [
    '//UNITED STATES GEOLOGICAL SURVEY       http://water.usgs.gov/',
    '//NATIONAL WATER INFORMATION SYSTEM     http://water.usgs.gov/data.html',
    '//DATA ARE PROVISIONAL AND SUBJECT TO CHANGE UNTIL PUBLISHED BY USGS',
    '//WARNING',
    '//WARNING The stage-discharge rating provided in this file should be',
    '//WARNING considered provisional and subject to change.',
    '//FILE TYPE="NWIS RATING"',
    `//STATION AGENCY="${site.agency.padEnd(5)}" NUMBER="${site.number.padEnd(15)}" TIME_ZONE="${site.state.zone.code}" DST_FLAG=${site.state.zone.hasSummerTime ? 'Y' : 'N'}`,
    `//STATION NAME="${String(name)}"`,
    '//LABEL="Discharge ft^3/s"',
    '//PARAMETER CODE="00060"',
    `//RATING ID="${1 + (site.n % 40)}.0" TYPE="STGQ" NAME="stage-discharge" AGING=Working`,
    '//RATING EXPANSION="logarithmic"',
    ...(type === 'exsa' ? [`//RATING SHIFTED="${item.datetime.slice(0, 10).replaceAll('-', '')}000000 UTC"`] : []),
  ]
  const widths = columns.map(column => (column === 'STOR' ? '1S' : '16N'))
  const lines = [
    ...remarks.map(text => `# ${text}`),
    columns.join('\t'),
    widths.join('\t'),
    ...rows.map(row => row.join('\t')),
  ]
  return lines.map(line => `${line}\n`).join('')
}
