import { dateText } from '../world/calendar.ts'
import type { Activity } from '../world/activities.ts'
import { olderActivityId, olderResultId } from '../world/identifiers.ts'
import {
  commentOf,
  conductorOf,
  endOf,
  isSurvey,
  limitTypeOf,
  methodOf,
  projectOf,
  stationOf,
} from '../world/details.ts'
import { ofActivity, ofFeed, ofResult, type Cells } from './layout.ts'

const SITE: Cells = {
  OrganizationIdentifier: ofFeed(({ site }) => site.organization.id),
  OrganizationFormalName: ofFeed(({ site }) => site.organization.formalName),
  MonitoringLocationIdentifier: ofFeed(({ site }) => site.id),
  MonitoringLocationName: ofFeed(({ site }) => site.name),
  MonitoringLocationTypeName: ofFeed(({ site }) => stationOf(site).typeName),
  MonitoringLocationDescriptionText: ofFeed(({ site }) => stationOf(site).description),
  HUCEightDigitCode: ofFeed(({ site }) => site.huc8),
  'DrainageAreaMeasure/MeasureValue': ofFeed(({ site }) => stationOf(site).drainage),
  'DrainageAreaMeasure/MeasureUnitCode': ofFeed(({ site }) => (stationOf(site).drainage === '' ? '' : 'sq mi')),
  LatitudeMeasure: ofFeed(({ site }) => site.latitude.toFixed(7)),
  LongitudeMeasure: ofFeed(({ site }) => site.longitude.toFixed(7)),
  HorizontalCoordinateReferenceSystemDatumName: ofFeed(() => 'NAD83'),
  HorizontalCollectionMethodName: ofFeed(() => 'Interpolated from MAP.'),
  CountryCode: ofFeed(() => 'US'),
  StateCode: ofFeed(({ site }) => site.place.fips),
  CountyCode: ofFeed(({ site }) => site.county[0]),
  AquiferName: ofFeed(({ site }) => stationOf(site).aquifer),
  'WellDepthMeasure/MeasureValue': ofFeed(({ site }) => stationOf(site).wellDepth),
  'WellDepthMeasure/MeasureUnitCode': ofFeed(({ site }) => (stationOf(site).wellDepth === '' ? '' : 'ft')),
  ProviderName: ofFeed(({ provider }) => provider),
}

const ACTIVITY: Cells = {
  ActivityIdentifier: ofActivity(olderActivityId),
  ActivityTypeCode: ofActivity(typeOf),
  ActivityMediaName: ofActivity(({ panel }) => panel.media),
  ActivityMediaSubdivisionName: ofActivity(({ site }) => (site.kind === 'Well' ? 'Groundwater' : 'Surface Water')),
  ActivityStartDate: ofActivity(({ date }) => date),
  'ActivityStartTime/Time': ofActivity(({ time }) => time),
  'ActivityStartTime/TimeZoneCode': ofActivity(({ zone }) => zone),
  ActivityEndDate: ofActivity(activity => endOf(activity).date),
  'ActivityEndTime/Time': ofActivity(activity => endOf(activity).time),
  'ActivityEndTime/TimeZoneCode': ofActivity(activity => endOf(activity).zone),
  'ActivityDepthHeightMeasure/MeasureValue': ofActivity(({ hash }) => (hash % 4 === 1 ? String(hash % 9) : '')),
  'ActivityDepthHeightMeasure/MeasureUnitCode': ofActivity(({ hash }) => (hash % 4 === 1 ? 'm' : '')),
  ProjectIdentifier: ofActivity(activity => projectOf(activity)?.id ?? ''),
  ActivityConductingOrganizationText: ofActivity(({ site }) => conductorOf(site)),
  ActivityCommentText: ofActivity(commentOf),
  HydrologicCondition: ofActivity(({ site }) => (isSurvey(site) ? 'Stable, normal stage' : '')),
  HydrologicEvent: ofActivity(({ site }) => (isSurvey(site) ? 'Routine sample' : '')),
  'SampleCollectionMethod/MethodIdentifier': ofActivity(({ site }) => methodOf(site).id),
  'SampleCollectionMethod/MethodIdentifierContext': ofActivity(({ site }) => methodOf(site).context),
  'SampleCollectionMethod/MethodName': ofActivity(({ site }) => methodOf(site).name),
  SampleCollectionEquipmentName: ofActivity(({ site }) => methodOf(site).equipment),
  ActivityMetricUrl: ofActivity(activity =>
    activity.panel.media === 'Biological' ? addressOf(activity, 'activitymetrics') : '',
  ),
}

const RESULT: Cells = {
  ResultIdentifier: ofResult(olderResultId),
  ResultDetectionConditionText: ofResult(({ condition }) => condition),
  CharacteristicName: ofResult(({ characteristic }) => characteristic.name),
  ResultSampleFractionText: ofResult(({ characteristic }) => characteristic.fraction),
  ResultMeasureValue: ofResult(({ text }) => text),
  'ResultMeasure/MeasureUnitCode': ofResult(({ text, characteristic }) => (text === '' ? '' : characteristic.unit)),
  ResultStatusIdentifier: ofResult(({ activity }) => (isSurvey(activity.site) ? 'Accepted' : 'Final')),
  ResultValueTypeName: ofResult(() => 'Actual'),
  ResultCommentText: ofResult(({ comment }) => comment),
  USGSPCode: ofResult(({ activity, characteristic }) => (isSurvey(activity.site) ? characteristic.pcode : '')),
  SubjectTaxonomicName: ofResult(({ characteristic }) => characteristic.taxon ?? ''),
  LaboratoryName: ofResult(({ activity }) =>
    isSurvey(activity.site) ? 'USGS-National Water Quality Lab, Denver, CO' : '',
  ),
  'ResultAnalyticalMethod/MethodIdentifier': ofResult(({ activity }) => (isSurvey(activity.site) ? 'GCM99' : '')),
  'ResultAnalyticalMethod/MethodIdentifierContext': ofResult(({ activity }) => (isSurvey(activity.site) ? 'USGS' : '')),
  AnalysisStartDate: ofResult(({ activity }) =>
    isSurvey(activity.site) && activity.day !== null ? dateText(activity.day + 20) : '',
  ),
  DetectionQuantitationLimitTypeName: ofResult(result => (result.limit === '' ? '' : limitTypeOf(result, 'older'))),
  'DetectionQuantitationLimitMeasure/MeasureValue': ofResult(({ limit }) => limit),
  'DetectionQuantitationLimitMeasure/MeasureUnitCode': ofResult(({ limit, characteristic }) =>
    limit === '' ? '' : characteristic.unit,
  ),
  ResultDetectionQuantitationLimitUrl: ofResult(result =>
    result.limit === '' ? '' : addressOf(result.activity, `results/${olderResultId(result)}/resdetectqntlmts`),
  ),
}

/** What the columns of the older interface say. */
export const OLDER_CELLS: Cells = { ...SITE, ...ACTIVITY, ...RESULT }

function typeOf({ kind }: Activity): string {
  if (kind === 'field') return 'Field Msr/Obs'
  return kind === 'replicate' ? 'Quality Control Sample-Field Replicate' : 'Sample-Routine'
}

function addressOf(activity: Activity, rest: string): string {
  const { feed, site } = activity
  const path = [feed.provider, 'organizations', site.organization.id, 'activities', olderActivityId(activity)]
  return `https://www.waterqualitydata.us/data/providers/${path.map(encodeURIComponent).join('/')}/${rest}`
}
