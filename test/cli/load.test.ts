import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../tooling/temp-folder.ts'
import { inside, simulated } from './headrace.ts'

const DAYS = ['--service', 'emissions', '--operation', 'historical', '--query', 'region=CAISO_NORTH']
const TIMES = ['--start', '2024-01-01', '--end', '2024-01-05T23:55Z']

async function pulled(): Promise<string> {
  const { env } = await simulated()
  const out = join(tempFolder(), 'data')
  await inside(['pull', ...DAYS, ...TIMES, '--out', out, '--quiet'], { env })
  return out
}

describe('headrace load', () => {
  it('puts a folder into a database; the second time nothing changes', async () => {
    const out = await pulled()
    const database = join(out, '..', 'grid.duckdb')
    const load = ['load', out, '--into', 'duckdb', '--database', database]
    const first = await inside(load)
    expect(first.stderr).toMatch(/^emissions_historical: 1,440 rows: 1,440 added, 0 changed$/m)
    expect(first.code).toBe(0)
    const second = await inside([...load, '--json'])
    expect(JSON.parse(second.stdout)).toMatchObject({
      outcome: 'ok',
      report: { tables: [{ table: 'emissions_historical', rows: 1440, inserted: 0, updated: 0 }, { inserted: 0 }] },
    })
  })

  it('7: into what is no database', async () => {
    const out = await pulled()
    const database = join(out, '..', 'text')
    writeFileSync(database, 'this is no database, but a text that is long enough to be read as the head of one')
    const { stderr, code } = await inside(['load', out, '--into', 'duckdb', '--database', database])
    expect(stderr).toContain('cannot load into')
    expect(code).toBe(7)
  })

  it('7: where no database answers', async () => {
    const out = await pulled()
    const nobody = 'postgres://nobody@127.0.0.1:1/none'
    const { stderr, code } = await inside(['load', out, '--into', 'postgres', '--database', nobody])
    expect(stderr).toContain('ECONNREFUSED')
    expect(code).toBe(7)
  })

  it.each([
    ['no database is named', [], '--into is missing'],
    ['it is one that nobody knows', ['--into', 'sqlite'], '--into must be one of duckdb, postgres'],
    ['no file is named', ['--into', 'duckdb'], '--database is missing'],
    [
      'a password is typed',
      ['--into', 'postgres', '--database', 'postgres://me:hunter2@host/x'],
      'put it into PGPASSWORD',
    ],
    ['nothing was pulled', ['--into', 'postgres'], 'nothing was pulled into nowhere'],
  ])('2: when %s', async (_, args, message) => {
    const { stderr, code } = await inside(['load', 'nowhere', ...args])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('hunter2')
    expect(code).toBe(2)
  })
})
