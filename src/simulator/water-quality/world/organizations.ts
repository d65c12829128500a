import type { Place } from './places.ts'

/** Who sends data to whom, by the names of the older interface. */
export type Provider = 'NWIS' | 'STORET' | 'STEWARDS'

/** Name of a provider in the newer interface and in Samples. */
export const NEWER_PROVIDER: Readonly<Record<Provider, string>> = {
  NWIS: 'USGS',
  STORET: 'STORET',
  STEWARDS: 'STEWARDS',
}

/** How an organization writes the zone of a time. */
export type ZoneHabit = 'survey' | 'state' | 'standard' | 'volunteer'

/** Somebody who measures. */
export interface Organization {
  readonly id: string
  readonly formalName: string
  readonly type: string
  readonly provider: Provider
  readonly zoneHabit: ZoneHabit
  readonly projects: readonly Project[]
}

/** What somebody measures for. */
export interface Project {
  readonly id: string
  readonly name: string
  readonly description: string
}

/** A water science center of the Geological Survey, one for each state. The newer interface knows the Survey as a whole only. */
export function surveyOf({ postal, name }: Place): Organization {
  return {
    id: `USGS-${postal}`,
    formalName: `USGS ${name} Water Science Center`,
    type: 'Federal/US Government',
    provider: 'NWIS',
    zoneHabit: 'survey',
    projects: [
      { id: `${postal}0200`, name: 'Long-term network', description: 'Fixed sites, sampled all year' },
      { id: 'NAWQA', name: 'National Water-Quality Assessment', description: '' },
    ],
  }
}

/** The agency of a state. */
export function agencyOf({ postal, name }: Place): Organization {
  return {
    id: `${postal}DNR_WQX`,
    formalName: `${name} Department of Natural Resources`,
    type: '*State Government US',
    provider: 'STORET',
    zoneHabit: 'state',
    projects: [
      { id: 'Lake-Baseline', name: 'Lake baseline, all basins', description: 'Depth, clarity and "trophic state".' },
      { id: 'SAM', name: 'Surface waters', description: 'Two lines:\nthe second one' },
    ],
  }
}

/** Volunteers of a state. They keep standard time all year. */
export function volunteersOf({ postal, name }: Place): Organization {
  return {
    id: `${postal}VOL`,
    formalName: `Friends of the Rivers of ${name} (Volunteer)*`,
    type: '*Volunteer',
    provider: 'STORET',
    zoneHabit: postal === 'HI' || postal === 'PR' ? 'standard' : 'volunteer',
    projects: [{ id: 'STREAMWATCH', name: 'Stream watch', description: '' }],
  }
}

/** Older than the rule for identifiers, which it breaks. */
export const OLD_STYLE: Organization = {
  id: 'COE/ISU',
  formalName: 'US Army Corps of Engineers/Iowa State University',
  type: 'Federal/US Government',
  provider: 'STORET',
  zoneHabit: 'state',
  projects: [],
}

/** The third provider, which only the older interface knows. */
export const RESEARCH_SERVICE: Organization = {
  id: 'ARS',
  formalName: 'USDA Agricultural Research Service',
  type: 'Federal/US Government',
  provider: 'STEWARDS',
  zoneHabit: 'standard',
  projects: [{ id: 'CEAP', name: 'Conservation Effects Assessment Project', description: '' }],
}

/** Whose sites hold one known case each. */
export const SPECIMENS: Organization = {
  id: 'SPECIMEN_WQX',
  formalName: 'Specimens, "one of each", by kind',
  type: '*Volunteer',
  provider: 'STORET',
  zoneHabit: 'standard',
  projects: [{ id: 'SPECIMENS', name: 'Specimens', description: '' }],
}
