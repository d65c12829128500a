import { CHARACTERISTICS, TAXON_NAMES } from './world/characteristics.ts'
import { PLACES } from './world/places.ts'
import { SITE_KINDS } from './world/sites.ts'
import type { World } from './world/world.ts'

/** One entry of a list of codes. */
export interface Code {
  readonly value: string
  readonly desc: string
  readonly providers: string
}

const EVERYBODY = 'NWIS STEWARDS STORET'

/** Lists of codes by their name in lower case. */
export function createCodeLists(world: World): Readonly<Record<string, readonly Code[]>> {
  const plain = (values: Iterable<string>): Code[] =>
    [...new Set(values)].sort().map(value => ({ value, desc: value, providers: EVERYBODY }))
  return {
    countrycode: [{ value: 'US', desc: 'United States', providers: EVERYBODY }],
    statecode: PLACES.map(({ fips, name }) => ({ value: `US:${fips}`, desc: `US, ${name}`, providers: EVERYBODY })),
    countycode: PLACES.flatMap(({ fips, name, counties }) =>
      counties.map(([county, title]) => ({
        value: `US:${fips}:${county}`,
        desc: `US, ${name}, ${title} County`,
        providers: EVERYBODY,
      })),
    ),
    sitetype: plain(SITE_KINDS),
    organization: world.organizations.map(({ id, formalName, provider }) => ({
      value: id,
      desc: formalName,
      providers: provider,
    })),
    project: world.organizations
      .flatMap(({ projects }) => projects)
      .filter(({ id }, index, all) => all.findIndex(other => other.id === id) === index)
      .map(({ id, name }) => ({ value: id, desc: name, providers: EVERYBODY })),
    samplemedia: plain(['Water', 'Sediment', 'Biological']),
    characteristictype: plain(CHARACTERISTICS.map(({ group }) => group)),
    characteristicname: plain(CHARACTERISTICS.map(({ name }) => name)),
    public_srsnames: CHARACTERISTICS.filter(({ pcode }) => pcode !== '').map(({ name, pcode }) => ({
      value: pcode,
      desc: name,
      providers: 'NWIS',
    })),
    providers: plain(['NWIS', 'STEWARDS', 'STORET']),
    assemblage: plain(['Benthic Macroinvertebrates', 'Fish/Nekton']),
    subjecttaxonomicname: plain(TAXON_NAMES),
  }
}
