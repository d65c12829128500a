/** What there is: sites, their series, codes, and collections by name. */
import { withStreamflow } from './streamflow-source.ts'

await withStreamflow(async client => {
  // A state by its name, its postal code or its FIPS code.
  const sites = await client.getMonitoringLocations({ state: 'Virginia', siteTypeCode: 'ST' })
  console.log(sites)

  const ids = sites.rows.slice(0, 3).flatMap(({ monitoring_location_id }) => monitoring_location_id ?? [])
  console.log(
    await client.getTimeSeriesMetadata({
      monitoringLocationId: ids,
      parameterCode: '00060',
      properties: ['monitoring_location_id', 'statistic_id', 'begin_utc', 'end_utc'],
      geometry: 'none',
    }),
  )
  console.log(await client.getCombinedMetadata({ monitoringLocationId: ids, dataType: 'Daily values' }))
  console.log(await client.getReferenceTable('statistic-codes'))

  // Any collection, with a condition in CQL2: an object, or text with quoted literals.
  const condition = {
    op: 'and',
    args: [
      { op: 'like', args: [{ property: 'hydrologic_unit_code' }, '03%'] },
      { op: '=', args: [{ property: 'site_type_code' }, 'ST'] },
    ],
  }
  console.log(await client.getCollection('monitoring-locations', { filter: condition }, { maxRows: 5 }))
  console.log(await client.getQueryables({ collection: 'daily' }))
})
