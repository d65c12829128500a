/** Wells of the groundwater network: where they are, how high the water stands, what they were drilled through. */
import { withStreamflow } from './streamflow-source.ts'

const WELL = 'AKDNR-535134236016630'

await withStreamflow(async client => {
  console.log(await client.getGroundwaterSites({ monitoringLocationId: WELL }))
  console.log(await client.getWaterLevels({ monitoringLocationId: WELL, start: '2020-01-01', end: '2020-12-31' }))
  console.log(await client.getLithology({ monitoringLocationId: WELL }))
  console.log(await client.getWellConstruction({ monitoringLocationId: WELL }))
  console.log(await client.getGroundwaterProviders())
})
