/**
 * An imported adapter into PostgreSQL, without files: each batch in a transaction together with the place to go on from.
 * PGHOST and the like say where the database is; WATTTIME_USER and WATTTIME_PASSWORD who asks.
 */
import { createEmissions } from 'headrace/emissions'
import pg from 'pg'

const region = 'CAISO_NORTH'
const client = new pg.Client()
await client.connect()
await client.query(`
  CREATE TABLE IF NOT EXISTS moer (region text, point_time timestamptz, value double precision, PRIMARY KEY (region, point_time));
  CREATE TABLE IF NOT EXISTS moer_done (region text PRIMARY KEY, until timestamptz)`)
const { rows: done } = await client.query<{ until: Date }>('SELECT until FROM moer_done WHERE region = $1', [region])
const start = done[0]?.until ?? '2024-01-01'

for await (const { rows } of createEmissions().streamHistorical({ region, start })) {
  const newest = rows.at(-1)?.point_time
  if (newest === undefined) continue
  await client.query('BEGIN')
  await client.query(
    `INSERT INTO moer SELECT $1, * FROM unnest($2::timestamptz[], $3::double precision[])
     ON CONFLICT (region, point_time) DO UPDATE SET value = excluded.value`,
    [region, rows.map(({ point_time }) => point_time), rows.map(({ value }) => value)],
  )
  await client.query(
    'INSERT INTO moer_done VALUES ($1, $2) ON CONFLICT (region) DO UPDATE SET until = excluded.until',
    [region, newest],
  )
  await client.query('COMMIT')
}
await client.end()
