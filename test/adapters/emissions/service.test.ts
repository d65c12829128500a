import { describe, expect, it } from 'vitest'
import { createEmissions, type EmissionsClient, type EmissionsOptions } from '../../../src/adapters/emissions/index.ts'
import { ConfigurationError } from '../../../src/errors.ts'
import type { CallOptions } from '../../../src/index.ts'
import { fingerprint } from '../../../src/simulator/index.ts'
import { simulate } from '../../support/emissions.ts'
import { serve } from '../../support/toy-service.ts'
import { patientClient, UNHURRIED } from '../../support/patient-client.ts'

const region = 'CAISO_NORTH'
const hour = { region, start: '2024-03-01', end: '2024-03-01T01:00Z' }

function refusal(act: () => unknown): ConfigurationError {
  try {
    act()
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) return thrown
    throw thrown
  }
  throw new Error('it was not refused')
}

describe('an option that nobody knows is refused before any request', () => {
  it.each([
    ['retrys', 'retries'],
    ['timeout', undefined],
    ['readTimeout', 'readTimeoutMs'],
    ['base_url', 'baseUrl'],
    ['user', 'username'],
    ['regionCache', 'regionCacheMs'],
  ])('given to the client: %s, for which it takes %s', (written, meant) => {
    const error = refusal(() => createEmissions({ env: {}, [written]: 1 } as EmissionsOptions))
    expect(error).toMatchObject({ code: 'HEADRACE_CONFIGURATION', setting: written, source: 'client option' })
    expect(error.message).toContain(meant === undefined ? `'${written}' is not known` : `did you mean '${meant}'?`)
  })

  const calls: Readonly<Record<string, (client: EmissionsClient, call: CallOptions) => unknown>> = {
    getAccess: (client, call) => client.getAccess({}, call),
    getRegion: (client, call) => client.getRegion({ latitude: 1, longitude: 2 }, call),
    getHistorical: (client, call) => client.getHistorical(hour, call),
    streamHistorical: async (client, call) => client.streamHistorical(hour, call).next(),
    planHistorical: async (client, call) => client.planHistorical(hour, call),
    getForecast: (client, call) => client.getForecast({ region }, call),
    getHistoricalForecast: (client, call) => client.getHistoricalForecast(hour, call),
    getSignalIndex: (client, call) => client.getSignalIndex({ region }, call),
    getFuelMix: (client, call) => client.getFuelMix(hour, call),
    getMaps: (client, call) => client.getMaps({}, call),
    register: (client, call) => client.register({ username: 'a', password: 'b', email: 'c@d' }, call),
    requestPasswordReset: (client, call) => client.requestPasswordReset({}, call),
  }

  it.each(Object.entries(calls))('given to %s', async (_name, call) => {
    const simulator = await simulate()
    await expect(call(patientClient(simulator), { deadline: 5 } as CallOptions)).rejects.toMatchObject({
      code: 'HEADRACE_CONFIGURATION',
      setting: 'deadline',
      source: 'call option',
      message: expect.stringContaining("did you mean 'deadlineMs'?") as string,
    })
    expect(simulator.stats.requests).toBe(0)
  })

  it('R45: an option of the client only is no option of a call', async () => {
    const simulator = await simulate()
    const call = { username: 'somebody' } as CallOptions
    await expect(patientClient(simulator).getHistorical(hour, call)).rejects.toMatchObject({ setting: 'username' })
    expect(simulator.stats.requests).toBe(0)
  })
})

describe('F23: credentials that are missing', () => {
  it.each<[string, EmissionsOptions, string, string]>([
    ['user and password', {}, 'username', 'WATTTIME_USER'],
    ['the password', { username: 'demo' }, 'password', 'WATTTIME_PASSWORD'],
    ['the user', { password: 'demo-pass-1!' }, 'username', 'WATTTIME_USER'],
    ['the password, which is empty', { username: 'demo', password: ' ' }, 'password', 'WATTTIME_PASSWORD'],
  ])(
    'are asked for by the name of the setting and of its variable, before any request: %s',
    async (_what, given, setting, variable) => {
      const simulator = await simulate()
      const client = createEmissions({ baseUrl: simulator.url, env: {}, ...UNHURRIED, ...given })
      for (const call of [client.getHistorical(hour), client.getAccess(), client.streamHistorical(hour).next()]) {
        await expect(call).rejects.toMatchObject({
          name: 'ConfigurationError',
          setting,
          source: variable,
          message: expect.stringContaining(variable) as string,
        })
      }
      expect(simulator.stats.requests).toBe(0)
    },
  )

  it('are not missed by what needs none: making a client, planning, describing', () => {
    const client = createEmissions({ env: {} })
    expect(client.planHistorical(hour).requests).toBe(1)
    expect(client.describeSettings()).toContainEqual({ setting: 'username', value: 'not set', source: 'default' })
  })
})

describe('F11, R40: the base address', () => {
  it.each([
    ['undefined/v1', 'must be an https:// address'],
    ['ftp://api.watttime.org', 'must be an https:// address'],
    ['file:///etc/passwd', 'must be an https:// address'],
    ['api.watttime.org', 'must be an https:// address'],
    ['http://api.watttime.org', 'over http:// the credentials would be readable'],
    ['http://127.0.0.1.example.org:8080', 'over http:// the credentials would be readable'],
    ['http://[::2]:8080', 'over http:// the credentials would be readable'],
    ['https://demo:secret@api.watttime.org', 'must not hold a user name'],
  ])('%s is refused', (baseUrl, why) => {
    const error = refusal(() => createEmissions({ env: {}, baseUrl }))
    expect(error).toMatchObject({ setting: 'baseUrl', source: 'client option' })
    expect(error.message).toContain(why)
    expect(error.message).not.toContain('secret')
    const fromVariable = refusal(() => createEmissions({ env: { WATTTIME_API_URL: baseUrl } }))
    expect(fromVariable).toMatchObject({ setting: 'baseUrl', source: 'WATTTIME_API_URL' })
  })

  it.each([
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://127.3.2.1:1',
    'http://[::1]:8080',
    'https://gateway.test',
  ])('%s is taken', baseUrl => {
    expect(() => createEmissions({ env: {}, baseUrl })).not.toThrow()
  })

  it.each(['', '/', '/gateway/watttime', '/gateway/watttime/'])(
    'is kept whole: every path goes behind %j',
    async prefix => {
      const server = await serve(({ path }) => ({
        body: path.endsWith('/login')
          ? { token: 'tok-1' }
          : path.endsWith('/my-access')
            ? { signal_types: [] }
            : { ok: 'yes' },
      }))
      const baseUrl = server.url + prefix
      const client = createEmissions({ username: 'demo', password: 'demo-pass-1!', env: {}, ...UNHURRIED, baseUrl })
      await client.getAccess()
      await client.requestPasswordReset()
      await client.register({ username: 'a', password: 'b', email: 'c@d' })
      const at = prefix.replace(/\/$/, '')
      expect(server.requests.map(({ path }) => path)).toEqual([
        `${at}/login`,
        `${at}/v3/my-access`,
        `${at}/password`,
        `${at}/register`,
      ])
    },
  )
})

describe('R45, F55: where settings come from', () => {
  const env = {
    WATTTIME_USER: 'free',
    WATTTIME_PASSWORD: 'free-pass-1!',
    HEADRACE_RETRIES: '1',
    HEADRACE_CONCURRENCY: ' ',
  }

  it('the environment, when no option says otherwise', async () => {
    const simulator = await simulate()
    await createEmissions({ ...UNHURRIED, env: { ...env, WATTTIME_API_URL: simulator.url } }).getAccess()
    expect(simulator.requests.map(({ user }) => user)).toEqual(['free', 'free'])
  })

  it('an option, before the environment', async () => {
    const simulator = await simulate()
    await patientClient(simulator, { env: { ...env, WATTTIME_API_URL: 'http://127.0.0.1:1' } }).getAccess()
    expect(simulator.requests.map(({ user }) => user)).toEqual(['demo', 'demo'])
  })

  it('are told with every value, secrets only as set or not', () => {
    const given = {
      username: 'demo',
      env: { ...env, WATTTIME_API_URL: '' },
      retries: 2,
      proxy: 'http://me:hush@proxy.test:8080',
    }
    const settings = createEmissions(given).describeSettings()
    const told = Object.fromEntries(settings.map(({ setting, value, source }) => [setting, [value, source]]))
    expect(told).toMatchObject({
      baseUrl: ['https://api.watttime.org/', 'default'],
      username: ['set', 'client option'],
      password: ['set', 'WATTTIME_PASSWORD'],
      regionCacheMs: ['604800000', 'default'],
      retries: ['2', 'client option'],
      concurrency: ['8', 'default'],
      rate: ['[{"requests":10,"perMs":1000}]', 'service preference'],
      maxSplitDepth: ['2', 'default'],
      proxy: ['http://proxy.test:8080', 'client option'],
    })
    expect(JSON.stringify(settings)).not.toMatch(/free-pass|hush|"(?:demo|free)"/)
    expect(new Set(settings.map(({ setting }) => setting)).size).toBe(settings.length)
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, '5'])('regionCacheMs %s is refused', value => {
    const error = refusal(() => createEmissions({ env: {}, regionCacheMs: value as number }))
    expect(error).toMatchObject({ setting: 'regionCacheMs', source: 'client option' })
  })

  it.each(['username', 'password', 'baseUrl'])('%s that is no text is refused without being shown', setting => {
    const error = refusal(() => createEmissions({ env: {}, [setting]: 12_345 }))
    expect(error).toMatchObject({ setting, source: 'client option' })
    expect(error.message).not.toContain('12345')
  })
})

describe('F24: two accounts in one process', () => {
  it('each uses its own user, also at the same time, and the environment is left alone', async () => {
    const environment = { ...process.env }
    const simulator = await simulate()
    const pro = patientClient(simulator)
    const free = patientClient(simulator, { username: 'free', password: 'free-pass-1!' })
    const calls = [pro, free, pro, free].map(client => client.getAccess())
    const rows = (await Promise.all(calls)).map(result => result.rows.length)
    expect(rows[0]).toBeGreaterThan(rows[1] ?? 0)
    expect([rows[0], rows[1]]).toEqual([rows[2], rows[3]])
    const basics = simulator.requests
      .filter(({ path }) => path === '/login')
      .map(({ headers }) => headers['authorization'])
    const basic = (text: string): string => `Basic ${fingerprint(Buffer.from(text, 'utf8').toString('base64'))}`
    expect(new Set(basics)).toEqual(new Set([basic('demo:demo-pass-1!'), basic('free:free-pass-1!')]))
    expect(simulator.stats.logins).toBe(2)
    expect(process.env).toEqual(environment)
  })

  it('the contract, section 3: credentials are sent as UTF-8', async () => {
    const account = { username: 'jürgen', password: 'pä:ßwort-1!', plan: 'pro' } as const
    const simulator = await simulate({ accounts: [account] })
    const client = patientClient(simulator, { username: account.username, password: account.password })
    expect((await client.getAccess()).rows.length).toBeGreaterThan(0)
  })
})
