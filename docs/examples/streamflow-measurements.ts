/** Measurements in the field, channels, peaks, ratings and statistics. */
import { withStreamflow } from './streamflow-source.ts'

const SITE = 'USGS-01000000'

await withStreamflow(async client => {
  console.log(
    await client.getFieldMeasurements({ monitoringLocationId: SITE, parameterCode: '00060', start: '2020-01-01' }),
  )
  console.log(await client.getFieldMeasurementsMetadata({ monitoringLocationId: SITE }))
  console.log(await client.getChannelMeasurements({ monitoringLocationId: SITE, start: '2020-01-01' }))
  console.log(await client.getPeaks({ monitoringLocationId: SITE, parameterCode: '00060' }))

  // Tables from stage to discharge; a file that is gone is passed over with a warning.
  console.log(await client.getRatings({ monitoringLocationId: SITE, fileType: 'exsa' }))

  // What is usual on the first days of March, and what the months of 2010 were like.
  console.log(
    await client.getStatistics({
      monitoringLocationId: SITE,
      parameterCode: '00060',
      normalType: 'DOY',
      start: '03-01',
      end: '03-03',
    }),
  )
  console.log(
    await client.getStatistics({
      of: 'dateRange',
      monitoringLocationId: SITE,
      parameterCode: '00060',
      intervalType: 'M',
      start: '2010-01-01',
      end: '2010-12-31',
      computationType: 'arithmetic_mean',
    }),
  )
})
