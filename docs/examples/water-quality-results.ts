/** Two years of phosphorus at all sites of a county: medians that take non-detects for what they are. */
import { withWaterQuality } from './water-quality-source.ts'

await withWaterQuality(async client => {
  const result = await client.getResults({
    countyCode: 'US:55:025',
    characteristicName: 'Phosphorus',
    start: '2022-01-01',
    end: '2023-12-31',
  })
  console.log(result)

  const censored = result.rows.filter(row => row.censored === 'below')
  const measured = result.rows.flatMap(({ value }) => (typeof value === 'number' ? [value] : []))
  console.log(`${measured.length} measured, ${censored.length} below a limit`)

  // A non-detect is less than its limit. With more than half of the values measured, the median does not depend on them.
  if (measured.length > censored.length) {
    const ordered = [...censored.map(() => Number.NEGATIVE_INFINITY), ...measured].sort((a, b) => a - b)
    console.log('median', ordered[Math.floor(ordered.length / 2)])
  }
})
