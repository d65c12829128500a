import { QueryError } from '../../errors.ts'

/**
 * Codes that the Portal takes, as they were published when this list was made; the services add to theirs. Characteristics
 * and organizations are too many to be kept: ask `getCodes` for them.
 */

/** When the lists were compiled. */
export const CODES_DATE = '2026-11-30'

/** One code and what it stands for. */
export interface Code {
  readonly value: string
  readonly text: string
}

/** Kinds of sites: `siteType`. */
export const SITE_TYPES = [
  'Aggregate groundwater use',
  'Aggregate surface-water-use',
  'Aggregate water-use establishment',
  'Atmosphere',
  'Estuary',
  'Facility',
  'Glacier',
  'Lake, Reservoir, Impoundment',
  'Land',
  'Not Assigned',
  'Ocean',
  'Spring',
  'Stream',
  'Subsurface',
  'Well',
  'Wetland',
] as const

/** Groups of characteristics: `characteristicType`. */
export const CHARACTERISTIC_TYPES = [
  'Biological',
  'Information',
  'Inorganics, Major, Metals',
  'Inorganics, Major, Non-metals',
  'Inorganics, Minor, Metals',
  'Inorganics, Minor, Non-metals',
  'Microbiological',
  'Not Assigned',
  'Nutrient',
  'Organics, Other',
  'Organics, PCBs',
  'Organics, Pesticide',
  'Physical',
  'Population/Community',
  'Radiochemical',
  'Sediment',
  'Stable Isotopes',
  'Toxicity',
] as const

/** What was sampled: `sampleMedia`. */
export const SAMPLE_MEDIA = [
  'Air',
  'Biological',
  'Biological Tissue',
  'Habitat',
  'Other',
  'Sediment',
  'Soil',
  'Tissue',
  'Water',
] as const

/** Who sends data to the Portal: `providers`. The newer interface has no STEWARDS, and calls NWIS `USGS` in its rows. */
export const PROVIDERS = ['NWIS', 'STEWARDS', 'STORET'] as const

/** States and territories: `stateCode`. */
export const STATE_CODES: readonly Code[] = `
US:01 Alabama (AL)
US:02 Alaska (AK)
US:04 Arizona (AZ)
US:05 Arkansas (AR)
US:06 California (CA)
US:08 Colorado (CO)
US:09 Connecticut (CT)
US:10 Delaware (DE)
US:11 District of Columbia (DC)
US:12 Florida (FL)
US:13 Georgia (GA)
US:15 Hawaii (HI)
US:16 Idaho (ID)
US:17 Illinois (IL)
US:18 Indiana (IN)
US:19 Iowa (IA)
US:20 Kansas (KS)
US:21 Kentucky (KY)
US:22 Louisiana (LA)
US:23 Maine (ME)
US:24 Maryland (MD)
US:25 Massachusetts (MA)
US:26 Michigan (MI)
US:27 Minnesota (MN)
US:28 Mississippi (MS)
US:29 Missouri (MO)
US:30 Montana (MT)
US:31 Nebraska (NE)
US:32 Nevada (NV)
US:33 New Hampshire (NH)
US:34 New Jersey (NJ)
US:35 New Mexico (NM)
US:36 New York (NY)
US:37 North Carolina (NC)
US:38 North Dakota (ND)
US:39 Ohio (OH)
US:40 Oklahoma (OK)
US:41 Oregon (OR)
US:42 Pennsylvania (PA)
US:44 Rhode Island (RI)
US:45 South Carolina (SC)
US:46 South Dakota (SD)
US:47 Tennessee (TN)
US:48 Texas (TX)
US:49 Utah (UT)
US:50 Vermont (VT)
US:51 Virginia (VA)
US:53 Washington (WA)
US:54 West Virginia (WV)
US:55 Wisconsin (WI)
US:56 Wyoming (WY)
US:60 American Samoa (AS)
US:66 Guam (GU)
US:69 Northern Mariana Islands (MP)
US:72 Puerto Rico (PR)
US:78 Virgin Islands (VI)
`
  .trim()
  .split('\n')
  .map(line => ({ value: line.slice(0, 'US:01'.length), text: line.slice('US:01 '.length) }))

/** Names of the kept lists, as queries call them. */
export type CodeList = 'siteType' | 'characteristicType' | 'sampleMedia' | 'providers' | 'stateCode'

const LISTS: Readonly<Record<CodeList, readonly Code[]>> = {
  siteType: asCodes(SITE_TYPES),
  characteristicType: asCodes(CHARACTERISTIC_TYPES),
  sampleMedia: asCodes(SAMPLE_MEDIA),
  providers: asCodes(PROVIDERS),
  stateCode: STATE_CODES,
}

/**
 * Codes whose value or text holds all of these words, whatever their case. Sends nothing.
 *
 * @param list - as queries call it
 */
export function findCodes(list: CodeList, words: string): readonly Code[] {
  if (!Object.hasOwn(LISTS, list))
    throw new QueryError(`no list of codes is kept for '${list}'; there are ${Object.keys(LISTS).join(', ')}`, {
      argument: 'list',
      value: list,
    })
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return LISTS[list].filter(({ value, text }) => {
    const said = `${value} ${text}`.toLowerCase()
    return wanted.every(word => said.includes(word))
  })
}

function asCodes(values: readonly string[]): readonly Code[] {
  return values.map(value => ({ value, text: value }))
}
