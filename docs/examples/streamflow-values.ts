/** Values: daily, continuous, the newest, and those nearest to given instants. */
import { mkdir, writeFile } from 'node:fs/promises'
import { withStreamflow } from './streamflow-source.ts'

const SITES = ['USGS-01000000', 'USGS-01000001', 'USGS-01000002']
const DISCHARGE = '00060'

await withStreamflow(async client => {
  // Thirty years of three gauges. What it takes, before anything is sent:
  const query = {
    monitoringLocationId: SITES,
    parameterCode: DISCHARGE,
    statisticId: '00003',
    start: '1995-01-01',
    end: '2024-12-31',
  }
  const { requests, expectedRows, quota } = client.planDaily(query)
  console.log(
    `${requests} requests for up to ${expectedRows} rows; ${quota.enough ? 'within' : 'beyond'} the quota of ${quota.perHour} an hour`,
  )

  const daily = await client.getDaily(query)
  console.log(daily)
  await mkdir('out', { recursive: true })
  await writeFile('out/daily.csv', daily.toCsv())

  // Readings of every quarter of an hour. With the cadence, the result says what is missing.
  const readings = await client.getContinuous({
    monitoringLocationId: SITES[0] ?? '',
    parameterCode: DISCHARGE,
    start: '2024-03-01',
    end: '2024-03-07',
    cadence: 'PT15M',
  })
  console.log(readings, readings.completeness)

  // The same in batches, for a table that does not fit into memory.
  let rows = 0
  for await (const batch of client.streamContinuous({
    monitoringLocationId: SITES,
    parameterCode: DISCHARGE,
    start: '2024-01-01',
    end: '2024-03-31',
  }))
    rows += batch.rows.length
  console.log(`streamed ${rows} rows`)

  console.log(await client.getLatestContinuous({ monitoringLocationId: SITES, parameterCode: DISCHARGE }))
  console.log(
    await client.getNearestContinuous({
      monitoringLocationId: SITES,
      parameterCode: DISCHARGE,
      targets: ['2024-03-01T10:03Z', '2024-03-02T11:11Z'],
    }),
  )
})
