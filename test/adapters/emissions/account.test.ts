import { describe, expect, it } from 'vitest'
import { createEmissions } from '../../../src/adapters/emissions/index.ts'
import { retryReadTimeouts } from '../../../src/index.ts'
import { fingerprint, type FaultAction } from '../../../src/simulator/index.ts'
import { simulate } from '../../support/emissions.ts'
import { serve } from '../../support/toy-service.ts'
import { patientClient, UNHURRIED } from '../../support/patient-client.ts'

const freddo = { username: 'freddo', password: 'Fr0g!frog', email: 'freddo@example.org', org: 'pond' }

describe('register', () => {
  it('the contract, section 3: sends the fields as JSON, without credentials, and needs none', async () => {
    const server = await serve(() => ({ body: { ok: 'User created', user: 'freddo' } }))
    const answer = await createEmissions({ ...UNHURRIED, baseUrl: server.url, env: {} }).register(freddo)
    expect(answer).toEqual({ ok: 'User created', user: 'freddo' })
    expect(server.requests).toHaveLength(1)
    const [sent] = server.requests
    expect(sent).toMatchObject({ method: 'POST', path: '/register', search: '' })
    expect(sent?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(sent?.headers).not.toHaveProperty('authorization')
    expect(JSON.parse(sent?.body ?? '')).toEqual(freddo)
  })

  it('makes an account that can log in', async () => {
    const simulator = await simulate()
    await patientClient(simulator).register(freddo)
    const client = patientClient(simulator, { username: freddo.username, password: freddo.password })
    expect((await client.getAccess()).rows.length).toBeGreaterThan(0)
  })

  it('shows what the service says when it refuses', async () => {
    const simulator = await simulate()
    await expect(patientClient(simulator).register({ ...freddo, username: 'demo' })).rejects.toMatchObject({
      name: 'RequestError',
      kind: 'http_4xx',
      status: 400,
      serverMessage: 'That username is taken. Please choose another.',
      attempts: 1,
    })
  })

  it.each<[string, FaultAction, string]>([
    ['a 503', { type: 'status', status: 503 }, 'http_5xx'],
    ['a 500', { type: 'status', status: 500 }, 'http_5xx'],
    ['a 429 that names a wait', { type: 'status', status: 429, headers: { 'retry-after': '0' } }, 'rate_limited'],
    ['a 401', { type: 'status', status: 401 }, 'http_401'],
    ['a 504', { type: 'status', status: 504 }, 'timeout'],
    ['a reset before the answer', { type: 'reset', at: 'before-headers' }, 'connection'],
    ['an answer cut short', { type: 'cut', at: 0.5 }, 'connection'],
    ['no answer in time', { type: 'hang' }, 'timeout'],
    ['a web page', { type: 'html' }, 'bad_response'],
    ['an error in a success', { type: 'body', text: '{"error":"try again"}' }, 'bad_response'],
  ])('R13: is never repeated, whatever the options say, after %s', async (_what, action, kind) => {
    const simulator = await simulate({ faults: [{ path: '/register', do: action }] })
    const options = { retries: 5, retryWhen: retryReadTimeouts, readTimeoutMs: 1_000 }
    await expect(patientClient(simulator, options).register(freddo, options)).rejects.toMatchObject({
      kind,
      attempts: 1,
    })
    expect(simulator.stats).toMatchObject({ requests: 1, logins: 0 })
  })
})

describe('requestPasswordReset', () => {
  it("asks for the client's own user unless told otherwise, without credentials", async () => {
    const simulator = await simulate()
    const client = patientClient(simulator)
    expect(await client.requestPasswordReset()).toEqual({ ok: 'Please check your email for the password reset link' })
    await client.requestPasswordReset({ username: 'freddo' })
    expect(simulator.requests.map(({ method, path, query }) => [method, path, query['username']])).toEqual([
      ['GET', '/password', fingerprint('demo')],
      ['GET', '/password', fingerprint('freddo')],
    ])
    expect(simulator.requests.some(({ headers }) => 'authorization' in headers)).toBe(false)
  })

  it('F23: names the setting that is missing, before any request', async () => {
    const simulator = await simulate()
    const client = createEmissions({ baseUrl: simulator.url, env: {} })
    await expect(client.requestPasswordReset()).rejects.toMatchObject({
      code: 'HEADRACE_CONFIGURATION',
      setting: 'username',
      message: expect.stringContaining('WATTTIME_USER') as string,
    })
    expect(simulator.stats.requests).toBe(0)
  })

  it('is sent once: each mail counts', async () => {
    const simulator = await simulate({ faults: [{ path: '/password', do: { type: 'status', status: 503 } }] })
    await expect(patientClient(simulator).requestPasswordReset()).rejects.toMatchObject({
      kind: 'http_5xx',
      attempts: 1,
    })
    expect(simulator.stats.requests).toBe(1)
  })

  it("R44: keeps the user's name out of the address that an error shows", async () => {
    const simulator = await simulate({ faults: [{ path: '/password', do: { type: 'status', status: 400 } }] })
    const error: unknown = await patientClient(simulator)
      .requestPasswordReset({ username: 'freddo' })
      .catch((thrown: unknown) => thrown)
    expect(JSON.stringify(error)).not.toContain('freddo')
    expect(error).toMatchObject({ url: `${simulator.url}/password?username=[redacted]` })
  })
})
