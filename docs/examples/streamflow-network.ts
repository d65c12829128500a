/** The river network around a gauge, and the land that drains to a place. */
import { withStreamflow } from './streamflow-source.ts'

await withStreamflow(async client => {
  const gauge = { featureSource: 'nwissite', featureId: 'USGS-01000000' }
  console.log(await client.getFlowlines({ ...gauge, navigation: 'UM', distanceKm: 20 }))
  console.log(await client.getFeatures({ ...gauge, navigation: 'DM', dataSource: 'nwissite', distanceKm: 100 }))
  console.log(await client.getBasin(gauge))
  console.log(await client.getFeatures({ latitude: 43.087, longitude: -89.509 }))

  const { rows } = await client.getWatershed({ state: 'NY', longitude: -74.524, latitude: 43.939 })
  console.log(`drains ${String(rows[0]?.['DRNAREA'])} square miles`)
})
