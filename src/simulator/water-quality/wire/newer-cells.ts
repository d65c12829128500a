import {
  commentOf,
  conductorOf,
  endOf,
  huc12Of,
  isSurvey,
  limitTypeOf,
  longNameOf,
  methodOf,
  newerTypeOf,
  projectOf,
  stationOf,
} from '../world/details.ts'
import { newerActivityId, newerResultId } from '../world/identifiers.ts'
import { NEWER_PROVIDER } from '../world/organizations.ts'
import type { Activity } from '../world/activities.ts'
import type { Result } from '../world/results.ts'
import { ofActivity, ofFeed, ofResult, type Cells } from './layout.ts'

const SITE: Cells = {
  Org_Identifier: ofFeed(({ site }) => (isSurvey(site) ? 'USGS' : site.organization.id)),
  Org_FormalName: ofFeed(({ site }) => (isSurvey(site) ? 'U.S. Geological Survey' : site.organization.formalName)),
  Org_Type: ofFeed(({ site }) => site.organization.type),
  ProviderName: ofFeed(({ provider }) => NEWER_PROVIDER[provider]),
  Location_Identifier: ofFeed(({ site }) => site.id),
  Location_Name: ofFeed(({ site }) => site.name),
  Location_Type: ofFeed(({ site }) => stationOf(site).typeName),
  Location_Description: ofFeed(({ site }) => stationOf(site).description),
  Location_State: ofFeed(({ site }) => site.place.name),
  Location_CountryName: ofFeed(() => 'United States of America'),
  Location_CountyName: ofFeed(({ site }) => `${site.county[1]} County`),
  Location_CountryCode: ofFeed(() => 'US'),
  Location_StatePostalCode: ofFeed(({ site }) => site.place.postal),
  Location_CountyCode: ofFeed(({ site }) => site.county[0]),
  Location_HUCEightDigitCode: ofFeed(({ site }) => site.huc8),
  Location_HUCTwelveDigitCode: ofFeed(({ site }) => huc12Of(site)),
  Location_Latitude: ofFeed(({ site }) => String(site.latitude)),
  Location_Longitude: ofFeed(({ site }) => String(site.longitude)),
  Location_HorzCoordReferenceSystemDatum: ofFeed(() => 'NAD83'),
  Location_LatitudeStandardized: ofFeed(({ site }) => String(site.latitude)),
  Location_LongitudeStandardized: ofFeed(({ site }) => String(site.longitude)),
  Location_HorzCoordStandardizedDatum: ofFeed(() => 'NAD83'),
  Location_DrainageAreaMeasure: ofFeed(({ site }) => stationOf(site).drainage),
  Location_DrainageAreaMeasureUnit: ofFeed(({ site }) => (stationOf(site).drainage === '' ? '' : 'sq mi')),
}

const ACTIVITY: Cells = {
  Project_Identifier: ofActivity(projectsText),
  Activity_ActivityIdentifier: ofActivity(newerActivityId),
  Activity_TypeCode: ofActivity(newerTypeOf),
  Activity_Media: ofActivity(({ panel }) => panel.media),
  Activity_MediaSubdivisionName: ofActivity(subdivisionOf),
  Activity_MediaSubdivision: ofActivity(subdivisionOf),
  Activity_ConductingOrganization: ofActivity(({ site }) => conductorOf(site)),
  Activity_Comment: ofActivity(commentOf),
  Activity_StartDate: ofActivity(({ date }) => date),
  Activity_StartTime: ofActivity(({ time }) => time),
  Activity_StartTimeZone: ofActivity(({ zone }) => zone),
  Activity_EndDate: ofActivity(activity => endOf(activity).date),
  Activity_EndTime: ofActivity(activity => endOf(activity).time),
  Activity_EndTimeZone: ofActivity(activity => endOf(activity).zone),
  Activity_DepthHeightMeasure: ofActivity(({ hash }) => (hash % 4 === 1 ? String(hash % 9) : '')),
  Activity_DepthHeightMeasureUnit: ofActivity(({ hash }) => (hash % 4 === 1 ? 'm' : '')),
  SampleCollectionMethod_Identifier: ofActivity(({ site }) => methodOf(site).id),
  SampleCollectionMethod_IdentifierContext: ofActivity(({ site }) => methodOf(site).context),
  SampleCollectionMethod_Name: ofActivity(({ site }) => methodOf(site).name),
  SampleCollectionMethod_EquipmentName: ofActivity(({ site }) => methodOf(site).equipment),
  Activity_HydrologicCondition: ofActivity(({ site }) => (isSurvey(site) ? 'Stable, normal stage' : '')),
  Activity_HydrologicEvent: ofActivity(({ site }) => (isSurvey(site) ? 'Routine sample' : '')),
  LastChangeDate: ofActivity(({ site }) => (isSurvey(site) ? '2024-03-25' : 'Fri Jun 15 09:44:33 GMT 2018')),
}

const RESULT: Cells = {
  Result_ResultDetectionCondition: ofResult(({ condition }) => condition),
  Result_Characteristic: ofResult(({ characteristic }) => characteristic.name),
  Result_CharacteristicUserSupplied: ofResult(({ activity, characteristic }) =>
    isSurvey(activity.site) ? longNameOf(characteristic) : '',
  ),
  Result_CharacteristicGroup: ofResult(({ characteristic }) => characteristic.group),
  Result_SampleFraction: ofResult(({ characteristic }) => characteristic.fraction),
  ResultBiological_Taxon: ofResult(({ characteristic }) => characteristic.taxon ?? ''),
  Result_MeasureIdentifier: ofResult(newerResultId),
  Result_Measure: ofResult(({ text }) => text),
  Result_MeasureUnit: ofResult(({ text, characteristic }) => (text === '' ? '' : characteristic.unit)),
  Result_MeasureStatusIdentifier: ofResult(({ activity }) => (isSurvey(activity.site) ? 'Accepted' : 'Final')),
  Result_MeasureValueType: ofResult(({ activity }) => (isSurvey(activity.site) ? '' : 'Actual')),
  Result_MeasureType: ofResult(({ activity }) => (isSurvey(activity.site) ? '' : 'Actual')),
  DataQuality_ResultComment: ofResult(({ comment }) => comment),
  DetectionLimit_TypeA: ofResult(result => (result.limit === '' ? '' : limitTypeOf(result, 'newer'))),
  DetectionLimit_MeasureA: ofResult(({ limit }) => limit),
  DetectionLimit_MeasureUnitA: ofResult(({ limit, characteristic }) => (limit === '' ? '' : characteristic.unit)),
  DetectionLimit_TypeB: ofResult(result => (hasSecondLimit(result) ? 'Interim Reporting Level' : '')),
  DetectionLimit_MeasureB: ofResult(result => (hasSecondLimit(result) ? result.limit : '')),
  DetectionLimit_MeasureUnitB: ofResult(result => (hasSecondLimit(result) ? result.characteristic.unit : '')),
  ResultAnalyticalMethod_Identifier: ofResult(({ activity }) => (isSurvey(activity.site) ? 'GCM99' : '')),
  ResultAnalyticalMethod_IdentifierContext: ofResult(({ activity }) => (isSurvey(activity.site) ? 'USDOI/USGS' : '')),
  LabInfo_AnalysisStartDate: ofResult(result => (hasLabTime(result) ? '1901-01-01' : '')),
  LabInfo_AnalysisStartTime: ofResult(result => (hasLabTime(result) ? '0001-01-01 00:01:00' : '')),
  LabInfo_AnalysisStartTimeZone: ofResult(result => (hasLabTime(result) ? 'UTC' : '')),
  USGSpcode: ofResult(({ activity, characteristic }) => (isSurvey(activity.site) ? characteristic.pcode : '')),
}

/** What the columns of the newer interface and of Samples say. */
export const NEWER_CELLS: Cells = { ...SITE, ...ACTIVITY, ...RESULT }

/** A list in a cell. Some are not written as JSON would have it. */
function projectsText(activity: Activity): string {
  const project = projectOf(activity)
  const list = [...(isSurvey(activity.site) ? ['USGS'] : []), ...(project ? [project.id] : [])]
  if (list.length === 0) return ''
  return activity.hash % 10 === 0 ? `[${list.map(id => `'${id}'`).join(', ')}]` : JSON.stringify(list)
}

function subdivisionOf({ site }: Activity): string {
  return site.kind === 'Well' ? 'Groundwater' : 'Surface water'
}

function hasSecondLimit({ activity, condition, limit }: Result): boolean {
  return limit !== '' && condition !== '' && isSurvey(activity.site)
}

/** A place-holder in the laboratory's time, as agencies send it. */
function hasLabTime({ activity, slot }: Result): boolean {
  return !isSurvey(activity.site) && (activity.hash + slot) % 60 === 0
}
