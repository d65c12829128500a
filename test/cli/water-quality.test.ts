import { describe, expect, it } from 'vitest'
import { inside, simulated } from './headrace.ts'

/** Asks a simulator, and returns how it was asked beside what came. */
async function asked(args: readonly string[]) {
  const { simulator, env } = await simulated()
  const left = await inside([...args, '--base-url', simulator.url, '--format', 'json', '-q'], { env })
  const rows = left.code === 0 ? (JSON.parse(left.stdout) as Record<string, unknown>[]) : []
  return { ...left, rows, requests: simulator.requests }
}

const DAYS = ['--start', '2022-06-01', '--end', '2022-06-30']

describe('headrace water-quality', () => {
  it('takes a place and lists of names', async () => {
    const near = '{"latitude":43,"longitude":-89.5,"miles":30}'
    const names = ['--characteristic-name', 'Phosphorus,Nitrate']
    const { rows, requests } = await asked([
      'water-quality',
      'results',
      '--near',
      near,
      '--no-count',
      ...names,
      ...DAYS,
    ])
    expect(requests[0]?.query).toMatchObject({ lat: '43', long: '-89.5', within: '30' })
    expect(new Set(rows.map(row => row['Result_Characteristic']))).toEqual(new Set(['Phosphorus', 'Nitrate']))
  })

  it("leaves out columns that are made of the service's own", async () => {
    const { rows } = await asked(['water-quality', 'results', '--site-id', 'WIDNR_WQX-10001', '--no-derive', ...DAYS])
    expect(rows.length).toBeGreaterThan(0)
    expect(Object.keys(rows[0] ?? {})).not.toContain('value')
  })

  it('refuses a code that would match nothing, before anything is sent', async () => {
    const { code, stderr, requests } = await asked(['water-quality', 'results', '--site-id', '05510007', ...DAYS])
    expect(code).toBe(2)
    expect(stderr).toContain('needs the prefix of its agency')
    expect(requests).toEqual([])
  })

  it('has its lists among the tables of codes', async () => {
    const { rows, requests } = await asked(['codes', 'statecode', '--search', 'wisconsin'])
    expect(requests[0]?.path).toBe('/Codes/statecode')
    expect(rows).toEqual([expect.objectContaining({ value: 'US:55' })])
  })
})
