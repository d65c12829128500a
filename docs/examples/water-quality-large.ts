/** A month of a whole state, in batches: planned by the service's own counts, with a checkpoint behind every batch. */
import { withWaterQuality } from './water-quality-source.ts'

await withWaterQuality(async client => {
  const query = { stateCode: 'US:19', start: '2023-05-01', end: '2023-05-31', interface: 'legacy' } as const
  const plan = await client.planResults(query)
  console.log(`${plan.requests} requests for about ${plan.expectedRows ?? 'nobody knows how many'} rows`)

  let rows = 0
  for await (const batch of client.streamResults(query)) {
    rows += batch.rows.length
    console.log(rows, batch.meta[0]?.span, batch.checkpoint().left.length)
  }
})
