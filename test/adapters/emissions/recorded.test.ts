import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEmissions, type EmissionsClient } from '../../../src/adapters/emissions/index.ts'
import type { Retrieval } from '../../../src/index.ts'
import { emissionsBody } from '../../support/fixtures.ts'
import { serve, type ToyAnswer } from '../../support/toy-service.ts'
import { UNHURRIED } from '../../support/patient-client.ts'

/** Where the sample bodies lie that are too many or too large to keep; not everybody has them. */
const more = join(import.meta.dirname, '../../../../shared/recorded/watttime')
const bodies = ['responses', 'errors'].flatMap(folder =>
  existsSync(join(more, folder)) ? readdirSync(join(more, folder)).map(name => join(folder, name)) : [],
)

const region = 'CAISO_NORTH'
const wide = { region, start: '2022-07-01', end: '2022-07-20' }
const user = { username: 'freddo', password: 'Fr0g!frog', email: 'freddo@example.org' }
const place = { latitude: 1, longitude: 2 }

/** A client of a service that answers this path with this, and any login with a token. */
async function clientAnswered(path: string, answer: ToyAnswer): Promise<EmissionsClient> {
  const server = await serve(request =>
    request.path === path ? answer : { body: { token: 'abcdef0123456789fedcabc' } },
  )
  return createEmissions({
    username: 'freddo',
    password: 'Fr0g!frog',
    env: {},
    ...UNHURRIED,
    retries: 0,
    baseUrl: server.url,
  })
}

/** A path of the service, and the getter that asks it for something wide enough for every sample. */
const paths: Readonly<Record<string, readonly [path: string, call: (client: EmissionsClient) => Promise<unknown>]>> = {
  login: ['/login', client => client.getForecast({ region })],
  register: ['/register', client => client.register(user)],
  password: ['/password', client => client.requestPasswordReset()],
  'my-access': ['/v3/my-access', client => client.getAccess()],
  'region-from-loc': ['/v3/region-from-loc', client => client.getRegion(place)],
  maps: ['/v3/maps', client => client.getMaps()],
  historical: ['/v3/historical', client => client.getHistorical(wide)],
  forecast: ['/v3/forecast', client => client.getForecast({ region })],
  'forecast-historical': [
    '/v3/forecast/historical',
    client => client.getHistoricalForecast({ region, start: '2022-07-15', end: '2022-07-15T01:00Z' }),
  ],
  'signal-index': ['/v3/signal-index', client => client.getSignalIndex({ region: 'PSCO' })],
  'fuel-mix': ['/v3/fuel-mix', client => client.getFuelMix({ region, start: '2026-01-01', end: '2026-01-02' })],
  data: ['/v3/historical', client => client.getHistorical(wide)],
}

async function replay(name: string, answer: ToyAnswer): Promise<unknown> {
  const [path, call] = paths[name] ?? ['', async () => Promise.reject(new Error(`no path for ${name}`))]
  return call(await clientAnswered(path, answer))
}

const instant = (minute: string): Date => new Date(`2022-07-15T00:${minute}:00Z`)

describe('bodies as they were recorded or published, read by the getters', () => {
  it('historical, plain: zero is a value', async () => {
    const { rows, warnings, meta } = (await replay('historical', {
      body: emissionsBody('historical.json'),
    })) as Retrieval
    expect(rows).toEqual([
      { point_time: instant('00'), value: 870 },
      { point_time: instant('05'), value: 0 },
      { point_time: instant('10'), value: 860.5 },
    ])
    expect(warnings).toEqual([])
    expect(meta[0]?.source).toEqual({
      data_point_period_seconds: 300,
      region,
      signal_type: 'co2_moer',
      units: 'lbs_co2_per_mwh',
      model_date: '2023-03-01',
      model_type: 'binned_regression',
    })
  })

  it('historical, all markers, though none was asked for', async () => {
    const result = (await replay('historical', { body: emissionsBody('historical.all-markers.json') })) as Retrieval
    expect(result.rows).toEqual([
      { point_time: instant('00'), value: 870, last_updated: new Date('2023-10-01T00:00Z'), imputed_data_used: true },
      { point_time: instant('05'), value: 860, last_updated: new Date('2023-10-01T00:05Z'), imputed_data_used: true },
    ])
    expect(result.columns.map(({ kind }) => kind)).toEqual(['instant', 'number', 'instant', 'boolean'])
    expect(result.warnings).toEqual(['EXAMPLE_WARNING: This is just an example'])
  })

  it('F42: historical, empty', async () => {
    const result = (await replay('historical', { body: emissionsBody('historical.empty.json') })) as Retrieval
    expect(result.rows).toEqual([])
    expect(result.meta).toMatchObject([{ status: 200, rows: 0 }])
  })

  it('forecast', async () => {
    const { rows } = (await replay('forecast', { body: emissionsBody('forecast.json') })) as Retrieval
    expect(rows[1]).toEqual({ generated_at: instant('00'), point_time: instant('05'), value: 870 })
    expect(rows).toHaveLength(3)
  })

  it('forecasts as they were made', async () => {
    const result = (await replay('forecast-historical', {
      body: emissionsBody('forecast-historical.json'),
    })) as Retrieval
    expect(result.rows[2]).toEqual({ generated_at: instant('00'), point_time: instant('10'), value: 870 })
    expect(result.completeness).toMatchObject({ expected: 13, received: 1 })
  })

  it('R11: forecasts that another project damaged', async () => {
    const damaged = replay('forecast-historical', { body: emissionsBody('forecast-historical.malformed.json') })
    await expect(damaged).rejects.toMatchObject({ kind: 'bad_response' })
  })

  it('signal index', async () => {
    const { rows } = (await replay('signal-index', { body: emissionsBody('signal-index.json') })) as Retrieval
    expect(rows).toEqual([{ point_time: new Date('2024-06-18T18:40Z'), value: 96 }])
  })

  it('fuel mix: no row for a fuel that is left out', async () => {
    const result = (await replay('fuel-mix', { body: emissionsBody('fuel-mix.json') })) as Retrieval
    expect(result.rows.map(row => [row['fuel_type'], row['value']])).toEqual([
      ['gas', 0.8],
      ['hydro', 0.2],
      ['gas', 1],
    ])
    expect(result.completeness).toMatchObject({ expected: 289, received: 2 })
  })

  it('maps', async () => {
    const { rows, meta } = (await replay('maps', { body: emissionsBody('maps.json') })) as Retrieval
    expect(rows).toMatchObject([
      { region, region_full_name: 'California ISO Northern', geometry: { type: 'MultiPolygon' } },
    ])
    expect(meta[0]?.source).toMatchObject({ last_updated: '2023-10-01T00:00:00+00:00' })
  })

  it('login, register and password', async () => {
    const server = await serve(({ path }) =>
      path === '/login' ? { body: emissionsBody('login.json') } : { body: emissionsBody('my-access.json') },
    )
    await createEmissions({
      username: 'freddo',
      password: 'Fr0g!frog',
      env: {},
      ...UNHURRIED,
      baseUrl: server.url,
    }).getAccess()
    expect(server.requests.at(-1)?.headers['authorization']).toBe('Bearer abcdef0123456789fedcabc')
    expect(await replay('register', { body: emissionsBody('register.json') })).toEqual({
      ok: 'User created',
      user: 'freddo',
    })
    expect(await replay('password', { body: emissionsBody('password.json') })).toEqual({
      ok: 'Please check your email for the password reset link',
    })
  })

  it.each<[string, string, number, string, string]>([
    ['error.invalid-query.json', 'historical', 400, 'http_4xx', "You've provided invalid parameters in your query"],
    ['error.invalid-scope.json', 'historical', 403, 'http_4xx', 'Invalid scope'],
    ['error.unauthorized.html', 'historical', 401, 'http_401', '401 Authorization Required'],
    ['error.bad-credentials.html', 'login', 403, 'login', '403 Forbidden'],
    ['error.username-taken.json', 'register', 400, 'http_4xx', 'That username is taken'],
    ['error.password.json', 'password', 400, 'http_4xx', 'could not be processed'],
    ['error.validation.json', 'region-from-loc', 422, 'http_4xx', 'field required'],
  ])('%s from %s with %d is kind %s and says so', async (name, path, status, kind, words) => {
    const error: unknown = await replay(path, { status, body: emissionsBody(name) }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind, status })
    expect((error as Error).message).toContain(words)
  })

  it('the contract, section 4: no coverage is no error', async () => {
    const { rows } = (await replay('region-from-loc', {
      status: 404,
      body: emissionsBody('error.no-coverage.json'),
    })) as Retrieval
    expect(rows).toEqual([])
  })

  it.each(bodies)('and every one of the larger collection, where that is at hand: %s', async file => {
    const text = readFileSync(join(more, file), 'utf8')
    const [, name = '', status = ''] = /([a-z-]+)\.(\d{3})\./.exec(file) ?? /()(\d{3})\./.exec(file) ?? []
    if (file.startsWith('responses')) await expectRead(name, file, text)
    else await expectRefused(file, Number(status), text)
  })
})

/** Every row of the body is in the result, or is counted as left out. */
async function expectRead(name: string, file: string, text: string): Promise<void> {
  if (file.includes('malformed'))
    return void (await expect(replay(name, { body: text })).rejects.toMatchObject({ kind: 'bad_response' }))
  if (file.includes('meta-with-missing-data')) return expectWarnings(name, text)
  const answer = await replay(name, { body: text }).catch((thrown: unknown) => thrown)
  // The login's own sample: what failed is the data request behind it, which got a token in place of data.
  if (name === 'login') return void expect(answer).toMatchObject({ kind: 'bad_response' })
  if (name === 'register' || name === 'password')
    return void expect(answer).toMatchObject({ ok: expect.any(String) as string })
  const { data } = JSON.parse(text) as { data?: { forecast?: unknown[] }[] }
  const sent = data?.reduce((sum, { forecast }) => sum + (forecast?.length ?? 1), 0)
  const { rows, meta } = answer as Retrieval
  const counted = meta.map(({ rowsOutside, rowsMerged }) => rows.length + rowsOutside + rowsMerged)
  if (sent === undefined) expect(rows.length).toBeGreaterThan(0)
  else expect(counted).toEqual([sent])
}

/** Pairs of a request and the metadata that came with its answer; the rows were not kept. */
async function expectWarnings(name: string, text: string): Promise<void> {
  const pairs = JSON.parse(text) as { meta: { warnings: { type: string }[]; model: { date: string } } }[]
  expect(pairs.length).toBeGreaterThan(0)
  for (const { meta } of pairs) {
    const { warnings, meta: responses } = (await replay(name, { body: { data: [], meta } })) as Retrieval
    expect(warnings.map(warning => warning.split(':')[0])).toEqual([...new Set(meta.warnings.map(({ type }) => type))])
    expect(responses[0]?.source).toMatchObject({ model_date: meta.model.date })
  }
}

async function expectRefused(file: string, status: number, text: string): Promise<void> {
  const name = /\d{3}\.([a-z-]+)\./.exec(file)?.[1] ?? ''
  const answer = await replay(name in paths ? name : 'data', { status, body: text }).catch((thrown: unknown) => thrown)
  if (file.includes('no-coverage')) expect(answer).toMatchObject({ rows: [] })
  else expect(answer).toMatchObject({ status, message: expect.stringContaining(String(status)) as string })
}
