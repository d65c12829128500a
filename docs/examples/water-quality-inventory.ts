/** What there is before anything is fetched: sites, years, characteristics, codes. */
import { findCodes } from 'headrace/water-quality'
import { withWaterQuality } from './water-quality-source.ts'

await withWaterQuality(async client => {
  const [state] = findCodes('stateCode', 'Wisconsin')
  const stateCode = state?.value ?? 'US:55'
  const sites = await client.getSites({ stateCode, siteType: 'Stream' })
  console.log(sites)

  const siteId = sites.rows.slice(0, 3).map(row => String(row['Location_Identifier']))
  console.log(await client.getSummary({ siteId }))
  console.log(await client.getActivities({ siteId, start: '2023-01-01', end: '2023-12-31' }))
  console.log(await client.getCodes({ list: 'characteristicname', text: 'nitr' }))

  const survey = siteId.filter(id => id.startsWith('USGS-'))
  if (survey.length > 0) {
    console.log(await client.getSamplesSummary({ monitoringLocationIdentifier: survey }))
    console.log(
      await client.getSamples({ monitoringLocationIdentifier: survey, start: '2023-01-01', profile: 'narrow' }),
    )
  }
})
