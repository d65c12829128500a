import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import pg from 'pg'
import { systemClock } from '../src/clock.ts'
import { startSimulator } from '../src/simulator/index.ts'
import { startPostgres } from './support/postgres.ts'
import { runScript } from './support/run-script.ts'

const folder = resolve(import.meta.dirname, '../docs/examples')
const root = resolve(import.meta.dirname, '..')

/** Programs that need nothing but a simulator of their own; a `-source` is what they share. */
const examples = readdirSync(folder).filter(name => name.startsWith('streamflow-') && !name.endsWith('-source.ts'))

describe('examples', () => {
  it('are there, one for each family of getters', () => {
    expect(examples).toHaveLength(6)
  })

  it.each(examples)(
    '%s runs on a simulator, and prints tables with rows',
    async name => {
      const { code, stdout, stderr } = await runScript(join(folder, name), [], {
        LIVE: undefined,
        API_USGS_PAT: undefined,
        TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
      })
      expect({
        code,
        stderr: stderr.split('\n').filter(line => line !== '' && !line.includes('simulator at')),
      }).toEqual({
        code: 0,
        stderr: [],
      })
      const counts = [...stdout.matchAll(/(\d[\d,]*) rows?\b/g)].map(([, count = '0']) =>
        Number(count.replaceAll(',', '')),
      )
      expect(counts.length).toBeGreaterThan(0)
      expect(counts.filter(count => count === 0)).toEqual([])
    },
    120_000,
  )
})

describe('an adapter that is imported into a job', () => {
  it(
    'pull-postgres.ts puts every sample into the database, once, and goes on from there',
    { timeout: 120_000 },
    async () => {
      // The service is as far as the sixteenth of February, then a week further.
      let now = Date.parse('2024-02-16T00:00Z')
      const simulator = await startSimulator({ clock: { ...systemClock, now: () => now } })
      const server = await startPostgres()
      try {
        const { hostname, port, username, pathname } = new URL(server.connection)
        const run = () =>
          runScript(join(folder, 'pull-postgres.ts'), [], {
            PGHOST: hostname,
            PGPORT: port,
            PGUSER: username,
            PGDATABASE: pathname.slice(1),
            WATTTIME_API_URL: simulator.url,
            WATTTIME_USER: 'demo',
            WATTTIME_PASSWORD: 'demo-pass-1!',
            HEADRACE_RATE: '10000',
            TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
          })
        const table = async (): Promise<unknown[]> => {
          const client = new pg.Client(server.connection)
          await client.connect()
          const { rows } = await client.query<Record<string, unknown>>('SELECT * FROM moer ORDER BY point_time')
          await client.end()
          return rows
        }
        const truth = (): unknown[] =>
          simulator.truth
            .historical({ region: 'CAISO_NORTH', start: '2024-01-01', end: new Date(now) })
            .map(({ point_time, value }) => ({ region: 'CAISO_NORTH', point_time: new Date(point_time), value }))
        expect(await run()).toEqual({ code: 0, stdout: '', stderr: '' })
        expect(await table()).toEqual(truth())
        now += 7 * 86_400_000
        simulator.reset()
        expect(await run()).toEqual({ code: 0, stdout: '', stderr: '' })
        expect(await table()).toEqual(truth())
        // What had come is not asked for again.
        const starts = simulator.requests.flatMap(({ path, query }) =>
          path === '/v3/historical' ? [query['start'] ?? ''] : [],
        )
        expect(starts.sort()[0]).toBe('2024-02-16T00:00:00Z')
      } finally {
        await simulator.close()
        await server.close()
      }
    },
  )
})
