import { columnsOf } from './columns-of.ts'
import { FULL_PHYS_CHEM, NARROW, WQX3_STATION } from './wqx3.ts'
import { WQX3_ACTIVITY } from './wqx3-activity.ts'

/** Names that Samples spells in its own way. */
const OWN: Readonly<Record<string, string>> = {
  Activity_MediaSubdivisionName: 'Activity_MediaSubdivision',
  GroupSummaryWeightMeasure_Unit: 'GroupSummaryWeight_MeasureUnit',
}

const own = (columns: readonly string[]): readonly string[] => columns.map(name => OWN[name] ?? name)

/** Profile `fullphyschem`: 181 columns. */
export const SAMPLES_FULL: readonly string[] = [...own(FULL_PHYS_CHEM), 'USGSSampleAquifer']

/** Profile `narrow`. Never seen: the columns of the same profile of WQX3, in the spelling of Samples. */
export const SAMPLES_NARROW: readonly string[] = own(NARROW)

/** Profile `site`. Never seen, like those below. */
export const SAMPLES_SITE: readonly string[] = own(WQX3_STATION)

export const SAMPLES_ACTIVITY: readonly string[] = own(WQX3_ACTIVITY)

export const SAMPLES_LIMIT: readonly string[] = columnsOf(`
  Org_Identifier, Org_FormalName, Activity_ActivityIdentifier, Location_Identifier, Result_MeasureIdentifier,
  Result_Characteristic, DetectionLimit_Type, DetectionLimit_Measure, DetectionLimit_MeasureUnit, ProviderName
`)

export const SAMPLES_PROJECT: readonly string[] = columnsOf(`
  Org_Identifier, Org_FormalName, Project_Identifier, Project_Name, Project_Description
`)

export const SAMPLES_ORGANIZATION: readonly string[] = columnsOf('Org_Identifier, Org_FormalName, Org_Type')

/** `/summary/{site}`: seen. */
export const SAMPLES_SUMMARY: readonly string[] = columnsOf(`
  monitoringLocationIdentifier, characteristicGroup, characteristic, characteristicUserSupplied, resultCount,
  activityCount, firstActivity, mostRecentActivity
`)
