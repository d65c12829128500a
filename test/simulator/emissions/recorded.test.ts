import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../../../src/simulator/index.ts'
import { ask, basic, logIn, type Reply } from '../ask.ts'

const folder = join(import.meta.dirname, '../../../fixtures/emissions')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const bodies = readdirSync(folder).filter(name => !name.endsWith('.meta.json'))

let simulator: Simulator
let token: string

beforeAll(async () => {
  simulator = await startSimulator()
  token = await logIn(simulator)
})
afterAll(() => simulator.close())

describe('the fixtures', () => {
  it.each(bodies)('say where they come from: %s', name => {
    const meta = JSON.parse(read(name.replace(/\.[a-z]+$/, '.meta.json'))) as Record<string, unknown>
    expect(meta).toMatchObject({
      source: expect.stringMatching(/^https:\/\/github\.com\//) as string,
      recorded: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      status: expect.any(Number) as number,
      kind: expect.any(String) as string,
      cut: expect.any(String) as string,
    })
  })
})

describe('the simulator answers in the shape that was recorded', () => {
  const series = 'region=CAISO_NORTH&signal_type=co2_moer&start=2024-03-01T00:00Z&end=2024-03-01T01:00Z'
  const markers = `${series}&include_imputed_marker=true&updated_since=2024-01-01T00:00Z`
  const hourly = series.replace('CAISO_NORTH', 'CAISO').replace('moer', 'aoer')

  it.each<[string, number, () => Promise<Reply>]>([
    ['login.json', 200, () => ask(`${simulator.url}/login`, { headers: basic('demo:demo-pass-1!') })],
    ['register.json', 200, () => register('freddo')],
    ['password.json', 200, () => get('/password?username=demo')],
    ['my-access.json', 200, () => get('/v3/my-access')],
    [
      'region-from-loc.json',
      200,
      () => get('/v3/region-from-loc?latitude=39.7522&longitude=-105.0&signal_type=co2_moer'),
    ],
    ['historical.all-markers.json', 200, () => get(`/v3/historical?${markers}`)],
    ['historical.hourly.json', 200, () => get(`/v3/historical?${hourly}&include_imputed_marker=true`)],
    ['forecast.json', 200, () => get('/v3/forecast?region=CAISO_NORTH&signal_type=co2_moer')],
    ['forecast-historical.json', 200, () => get(`/v3/forecast/historical?${series}`)],
    ['signal-index.json', 200, () => get('/v3/signal-index?region=PSCO&signal_type=co2_moer')],
    ['error.invalid-query.json', 400, () => get('/v3/historical?region=CAISO_NORTH')],
    ['error.username-taken.json', 400, () => register('demo')],
    ['error.password.json', 400, () => get('/password')],
    ['error.unauthorized.html', 401, () => ask(`${simulator.url}/v3/historical?${series}`)],
    ['error.invalid-scope.json', 403, () => get(`/v3/historical?${series}`.replace('CAISO_NORTH', 'NOWHERE'))],
    ['error.no-coverage.json', 404, () => get('/v3/region-from-loc?latitude=0&longitude=0&signal_type=co2_moer')],
  ])('%s', async (name, status, request) => {
    const reply = await request()
    expect(reply.status).toBe(status)
    if (name.endsWith('.html')) expect(words(reply.text)).toEqual(words(read(name)))
    else expect(shapeOf(JSON.parse(reply.text))).toEqual(shapeOf(JSON.parse(read(name))))
  })

  it('warns in the words that were recorded', async () => {
    simulator.setFaults([{ do: { type: 'rows', drop: [0], warn: true } }])
    const { meta } = JSON.parse((await get(`/v3/historical?${series}`)).text) as { meta: { warnings: unknown } }
    const [recorded] = JSON.parse(read('forecast-historical.missing-data.json')) as { meta: { warnings: unknown } }[]
    expect(meta.warnings).toEqual(recorded?.meta.warnings)
    simulator.setFaults([])
  })

  const get = (path: string): Promise<Reply> => ask(simulator.url + path, { token })
  const register = (username: string): Promise<Reply> =>
    ask(`${simulator.url}/register`, {
      method: 'POST',
      body: JSON.stringify({ username, password: 'Fr0g!frog', email: 'freddo@example.org' }),
    })
})

/** Names and types, values left out. Of a list, its first entry stands for all; what a warning holds is its own matter. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, field]) => [
        name,
        name === 'warnings' ? 'warnings' : name === 'endpoints' ? 'endpoints' : shapeOf(field),
      ]),
  )
}

function words(html: string): string[] {
  return html.replaceAll(/\s+/g, ' ').trim().split(' ')
}
