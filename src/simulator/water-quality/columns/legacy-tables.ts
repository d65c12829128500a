import { columnsOf } from './columns-of.ts'

/** `/data/Station/search`: 37 columns, the local aquifer among them, which came later than the rest. */
export const STATION: readonly string[] = columnsOf(`
  OrganizationIdentifier, OrganizationFormalName, MonitoringLocationIdentifier, MonitoringLocationName,
  MonitoringLocationTypeName, MonitoringLocationDescriptionText, HUCEightDigitCode, DrainageAreaMeasure/MeasureValue,
  DrainageAreaMeasure/MeasureUnitCode, ContributingDrainageAreaMeasure/MeasureValue,
  ContributingDrainageAreaMeasure/MeasureUnitCode, LatitudeMeasure, LongitudeMeasure, SourceMapScaleNumeric,
  HorizontalAccuracyMeasure/MeasureValue, HorizontalAccuracyMeasure/MeasureUnitCode, HorizontalCollectionMethodName,
  HorizontalCoordinateReferenceSystemDatumName, VerticalMeasure/MeasureValue, VerticalMeasure/MeasureUnitCode,
  VerticalAccuracyMeasure/MeasureValue, VerticalAccuracyMeasure/MeasureUnitCode, VerticalCollectionMethodName,
  VerticalCoordinateReferenceSystemDatumName, CountryCode, StateCode, CountyCode, AquiferName, LocalAqfrName,
  FormationTypeText, AquiferTypeName, ConstructionDateText, WellDepthMeasure/MeasureValue,
  WellDepthMeasure/MeasureUnitCode, WellHoleDepthMeasure/MeasureValue, WellHoleDepthMeasure/MeasureUnitCode,
  ProviderName
`)

/** `/data/Activity/search`: 73 columns. */
export const ACTIVITY: readonly string[] = columnsOf(`
  OrganizationIdentifier, OrganizationFormalName, ActivityIdentifier, ActivityTypeCode, ActivityMediaName,
  ActivityMediaSubdivisionName, ActivityStartDate, ActivityStartTime/Time, ActivityStartTime/TimeZoneCode,
  ActivityEndDate, ActivityEndTime/Time, ActivityEndTime/TimeZoneCode, ActivityRelativeDepthName,
  ActivityDepthHeightMeasure/MeasureValue, ActivityDepthHeightMeasure/MeasureUnitCode,
  ActivityDepthAltitudeReferencePointText, ActivityTopDepthHeightMeasure/MeasureValue,
  ActivityTopDepthHeightMeasure/MeasureUnitCode, ActivityBottomDepthHeightMeasure/MeasureValue,
  ActivityBottomDepthHeightMeasure/MeasureUnitCode, ProjectIdentifier, ActivityConductingOrganizationText,
  MonitoringLocationIdentifier, ActivityCommentText, SampleAquifer, HydrologicCondition, HydrologicEvent,
  ActivityLocation/LatitudeMeasure, ActivityLocation/LongitudeMeasure, ActivityLocation/SourceMapScaleNumeric,
  ActivityLocation/HorizontalAccuracyMeasure/MeasureValue, ActivityLocation/HorizontalAccuracyMeasure/MeasureUnitCode,
  ActivityLocation/HorizontalCollectionMethodName, ActivityLocation/HorizontalCoordinateReferenceSystemDatumName,
  AssemblageSampledName, CollectionDuration/MeasureValue, CollectionDuration/MeasureUnitCode, SamplingComponentName,
  SamplingComponentPlaceInSeriesNumeric, ReachLengthMeasure/MeasureValue, ReachLengthMeasure/MeasureUnitCode,
  ReachWidthMeasure/MeasureValue, ReachWidthMeasure/MeasureUnitCode, PassCount, NetTypeName,
  NetSurfaceAreaMeasure/MeasureValue, NetSurfaceAreaMeasure/MeasureUnitCode, NetMeshSizeMeasure/MeasureValue,
  NetMeshSizeMeasure/MeasureUnitCode, BoatSpeedMeasure/MeasureValue, BoatSpeedMeasure/MeasureUnitCode,
  CurrentSpeedMeasure/MeasureValue, CurrentSpeedMeasure/MeasureUnitCode, ToxicityTestType,
  SampleCollectionMethod/MethodIdentifier, SampleCollectionMethod/MethodIdentifierContext,
  SampleCollectionMethod/MethodName, SampleCollectionMethod/MethodQualifierTypeName,
  SampleCollectionMethod/MethodDescriptionText, SampleCollectionEquipmentName,
  SampleCollectionMethod/SampleCollectionEquipmentCommentText, SamplePreparationMethod/MethodIdentifier,
  SamplePreparationMethod/MethodIdentifierContext, SamplePreparationMethod/MethodName,
  SamplePreparationMethod/MethodQualifierTypeName, SamplePreparationMethod/MethodDescriptionText,
  SampleContainerTypeName, SampleContainerColorName, ChemicalPreservativeUsedName, ThermalPreservativeUsedName,
  SampleTransportStorageDescription, ActivityMetricUrl, ProviderName
`)

/** Profile `activityAll`: 77 columns. */
export const ACTIVITY_ALL: readonly string[] = columnsOf(`
  OrganizationIdentifier, OrganizationFormalName, ActivityIdentifier, ActivityTypeCode, ActivityMediaName,
  ActivityMediaSubdivisionName, ActivityStartDate, ActivityStartTime/Time, ActivityStartTime/TimeZoneCode,
  ActivityEndDate, ActivityEndTime/Time, ActivityEndTime/TimeZoneCode, ActivityRelativeDepthName,
  ActivityDepthHeightMeasure/MeasureValue, ActivityDepthHeightMeasure/MeasureUnitCode,
  ActivityDepthAltitudeReferencePointText, ActivityTopDepthHeightMeasure/MeasureValue,
  ActivityTopDepthHeightMeasure/MeasureUnitCode, ActivityBottomDepthHeightMeasure/MeasureValue,
  ActivityBottomDepthHeightMeasure/MeasureUnitCode, ProjectIdentifier, ActivityConductingOrganizationText,
  MonitoringLocationIdentifier, ActivityCommentText, SampleAquifer, HydrologicCondition, HydrologicEvent,
  ActivityLocation/LatitudeMeasure, ActivityLocation/LongitudeMeasure, ActivityLocation/SourceMapScaleNumeric,
  ActivityLocation/HorizontalAccuracyMeasure/MeasureValue, ActivityLocation/HorizontalAccuracyMeasure/MeasureUnitCode,
  ActivityLocation/HorizontalCollectionMethodName, ActivityLocation/HorizontalCoordinateReferenceSystemDatumName,
  AssemblageSampledName, CollectionDuration/MeasureValue, CollectionDuration/MeasureUnitCode, SamplingComponentName,
  SamplingComponentPlaceInSeriesNumeric, ReachLengthMeasure/MeasureValue, ReachLengthMeasure/MeasureUnitCode,
  ReachWidthMeasure/MeasureValue, ReachWidthMeasure/MeasureUnitCode, PassCount, NetTypeName,
  NetSurfaceAreaMeasure/MeasureValue, NetSurfaceAreaMeasure/MeasureUnitCode, NetMeshSizeMeasure/MeasureValue,
  NetMeshSizeMeasure/MeasureUnitCode, BoatSpeedMeasure/MeasureValue, BoatSpeedMeasure/MeasureUnitCode,
  CurrentSpeedMeasure/MeasureValue, CurrentSpeedMeasure/MeasureUnitCode, ToxicityTestType,
  SampleCollectionMethod/MethodIdentifier, SampleCollectionMethod/MethodIdentifierContext,
  SampleCollectionMethod/MethodName, SampleCollectionMethod/MethodQualifierTypeName,
  SampleCollectionMethod/MethodDescriptionText, SampleCollectionEquipmentName,
  SampleCollectionMethod/SampleCollectionEquipmentCommentText, SamplePreparationMethod/MethodIdentifier,
  SamplePreparationMethod/MethodIdentifierContext, SamplePreparationMethod/MethodName,
  SamplePreparationMethod/MethodQualifierTypeName, SamplePreparationMethod/MethodDescriptionText,
  SampleContainerTypeName, SampleContainerColorName, ChemicalPreservativeUsedName, ThermalPreservativeUsedName,
  SampleTransportStorageDescription, BinaryObjectFileName, BinaryObjectFileTypeCode, ActivityFileUrl,
  ActivityMetricUrl, ActivityGroupUrl, ProviderName
`)

/** `/data/ActivityMetric/search`: 21 columns. */
export const ACTIVITY_METRIC: readonly string[] = columnsOf(`
  OrganizationIdentifier, OrganizationFormalName, MonitoringLocationIdentifier, ActivityIdentifier,
  ActivityMetricType/MetricTypeIdentifier, ActivityMetricType/MetricTypeIdentifierContext,
  ActivityMetricType/MetricTypeName, MetricTypeCitation/ResourceTitleName, MetricTypeCitation/ResourceCreatorName,
  MetricTypeCitation/ResourceSubjectText, MetricTypeCitation/ResourcePublisherName, MetricTypeCitation/ResourceDate,
  MetricTypeCitation/ResourceIdentifier, MetricTypeCitation/MetricTypeScaleText,
  MetricTypeCitation/FormulaDescriptionText, MetricValueMeasure/MeasureValue, MetricValueMeasure/MeasureUnitCode,
  MetricValueMeasure/MetricScoreNumeric, MetricValueMeasure/MetricCommentText, MetricValueMeasure/IndexIdentifier,
  ProviderName
`)

/** `/data/BiologicalMetric/search`: 18 columns. */
export const BIOLOGICAL_METRIC: readonly string[] = columnsOf(`
  OrganizationIdentifier, MonitoringLocationIdentifier, IndexIdentifier, IndexTypeIdentifier,
  IndexTypeIdentifierContext, IndexTypeName, ResourceTitleName, ResourceCreatorName, ResourceSubjectText,
  ResourcePublisherName, ResourceDate, ResourceIdentifier, IndexTypeScaleText, IndexScoreNumeric, IndexQualifierCode,
  IndexCommentText, IndexCalculatedDate, ProviderName
`)

/** `/data/Organization/search`: 32 columns. */
export const ORGANIZATION: readonly string[] = columnsOf(`
  OrganizationIdentifier, OrganizationFormalName, OrganizationDescriptionText, OrganizationType, TribalCode,
  ElectronicAddress, Telephonic, OrganizationAddress/AddressTypeName_1, OrganizationAddress/AddressText_1,
  OrganizationAddress/SupplementalAddressText_1, OrganizationAddress/LocalityName_1, OrganizationAddress/StateCode_1,
  OrganizationAddress/PostalCode_1, OrganizationAddress/CountryCode_1, OrganizationAddress/CountyCode_1,
  OrganizationAddress/AddressTypeName_2, OrganizationAddress/AddressText_2,
  OrganizationAddress/SupplementalAddressText_2, OrganizationAddress/LocalityName_2, OrganizationAddress/StateCode_2,
  OrganizationAddress/PostalCode_2, OrganizationAddress/CountryCode_2, OrganizationAddress/CountyCode_2,
  OrganizationAddress/AddressTypeName_3, OrganizationAddress/AddressText_3,
  OrganizationAddress/SupplementalAddressText_3, OrganizationAddress/LocalityName_3, OrganizationAddress/StateCode_3,
  OrganizationAddress/PostalCode_3, OrganizationAddress/CountryCode_3, OrganizationAddress/CountyCode_3, ProviderName
`)

/** `/data/Project/search`: 10 columns. */
export const PROJECT: readonly string[] = columnsOf(`
  OrganizationIdentifier, OrganizationFormalName, ProjectIdentifier, ProjectName, ProjectDescriptionText,
  SamplingDesignTypeCode, QAPPApprovedIndicator, QAPPApprovalAgencyName, ProjectFileUrl,
  ProjectMonitoringLocationWeightingUrl
`)

/** `/data/ProjectMonitoringLocationWeighting/search`: 19 columns, of which two have the same name. */
export const PROJECT_WEIGHTING: readonly string[] = columnsOf(`
  OrganizationIdentifier, OrganizationFormalName, ProjectIdentifier, MonitoringLocationIdentifier, MeasureValue,
  MeasureUnitCode, StatisticalStratumText, LocationCategoryName, LocationStatusName, ReferenceLocationTypeCode,
  ReferenceLocationStartDate, ReferenceLocationEndDate, ResourceSubjectText, ResourceCreatorName, ResourceSubjectText,
  ResourcePublisherName, ResourceDate, ResourceIdentifier, CommentText
`)

/** `/data/ResultDetectionQuantitationLimit/search`: 10 columns. */
export const DETECTION_LIMIT: readonly string[] = columnsOf(`
  OrganizationIdentifier, OrganizationFormalName, ActivityIdentifier, MonitoringLocationIdentifier, ResultIdentifier,
  CharacteristicName, DetectionQuantitationLimitTypeName, DetectionQuantitationLimitMeasure/MeasureValue,
  DetectionQuantitationLimitMeasure/MeasureUnitCode, ProviderName
`)

/** `/data/summary/monitoringLocation/search?dataProfile=periodOfRecord`: 19 columns. */
export const PERIOD_OF_RECORD: readonly string[] = columnsOf(`
  Provider, MonitoringLocationIdentifier, YearSummarized, CharacteristicType, CharacteristicName, ActivityCount,
  ResultCount, LastResultSubmittedDate, OrganizationIdentifier, OrganizationFormalName, MonitoringLocationName,
  MonitoringLocationTypeName, ResolvedMonitoringLocationTypeName, HUCEightDigitCode, MonitoringLocationUrl,
  CountyName, StateName, MonitoringLocationLatitude, MonitoringLocationLongitude
`)
