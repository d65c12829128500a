import dns from 'node:dns'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEmissions, type EmissionsOptions } from '../../src/adapters/emissions/index.ts'
import { features, page } from '../support/feature-pages.ts'
import { clientFor, errorOf, PATIENT, REGION, simulateCase } from '../support/field-case.ts'
import { createPaged } from '../support/page-adapter.ts'
import { answer, startScripted } from '../support/scripted-server.ts'
import { TEST_API_KEY } from '../tooling/secrets.ts'

const ONE_DAY = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-01T23:55Z' } as const

describe('F56: proxies', () => {
  const VARIABLES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']

  /** Points every proxy variable at an address, and takes away what excepts hosts from it. */
  function setProxies(address: string): void {
    for (const name of VARIABLES) vi.stubEnv(name, address)
    for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '')
    onTestFinished(() => void vi.unstubAllEnvs())
  }

  /** A proxy that answers everything itself, and refuses tunnels. */
  async function startProxy() {
    const tunnels: { target: string; headers: IncomingHttpHeaders }[] = []
    const server = await startScripted(visit => answer(visit, { body: page(features(1, 3)) }))
    const tunneller = createServer().on('connect', (request, socket) => {
      tunnels.push({ target: request.url ?? '', headers: request.headers })
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    })
    await new Promise<void>(resolve => tunneller.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void tunneller.close())
    return { server, tunnels, tunnelUrl: `http://127.0.0.1:${(tunneller.address() as AddressInfo).port}` }
  }

  const closedPort = 'http://127.0.0.1:9'

  it('F56: a server on this machine is asked directly, whatever the variables say', async () => {
    setProxies(closedPort)
    const simulator = await simulateCase()
    expect((await clientFor(simulator, PATIENT).getHistorical(ONE_DAY)).rows).toHaveLength(288)
    const { port } = new URL(simulator.url)
    expect((await clientFor({ url: `http://localhost:${port}` }, PATIENT).getAccess()).rows.length).toBeGreaterThan(0)
    const server = await startScripted(visit => answer(visit, { body: page(features(1, 3)) }))
    expect((await createPaged(server, PATIENT).getItems()).rows).toHaveLength(3)
  })

  it('F56: another server is asked through the proxy that the variables name', async () => {
    const { server } = await startProxy()
    setProxies(server.url)
    const { rows } = await createPaged({ url: 'http://service.example' }, PATIENT).getItems()
    expect(rows).toHaveLength(3)
    expect(server.arrivals.map(({ target }) => target)).toEqual([
      'http://service.example/ogcapi/v0/collections/daily/items?f=json',
    ])
  })

  it('F56: hosts in NO_PROXY are excepted', async () => {
    const { server } = await startProxy()
    setProxies(server.url)
    vi.stubEnv('NO_PROXY', 'service.example')
    const looked = failLookups()
    expect(await errorOf(createPaged({ url: 'http://service.example' }, PATIENT).getItems())).toMatchObject({
      kind: 'connection',
    })
    expect(looked).toHaveBeenCalled()
    expect(server.connections).toBe(0)
  })

  it('F56: the option none ignores the variables', async () => {
    const { server } = await startProxy()
    setProxies(server.url)
    const looked = failLookups()
    expect(
      await errorOf(createPaged({ url: 'http://service.example' }, { ...PATIENT, proxy: 'none' }).getItems()),
    ).toMatchObject({ kind: 'connection' })
    expect(looked).toHaveBeenCalled()
    expect(server.connections).toBe(0)
  })

  it('F56: the option may name a proxy, which then beats the variables', async () => {
    const { server } = await startProxy()
    setProxies(closedPort)
    const proxy = server.url.replace('//', '//name:secret-word@')
    const { rows } = await createPaged({ url: 'http://service.example' }, { ...PATIENT, proxy }).getItems()
    expect(rows).toHaveLength(3)
    expect(server.arrivals[0]?.headers['proxy-authorization']).toBe(
      `Basic ${Buffer.from('name:secret-word').toString('base64')}`,
    )
  })

  it.each([
    ['the variables', true],
    ['the option', false],
  ])('F56: an https address goes through a tunnel, so that the proxy of %s sees no secret', async (_, byVariable) => {
    const { tunnels, tunnelUrl } = await startProxy()
    setProxies(byVariable ? tunnelUrl : closedPort)
    const options = { ...PATIENT, retries: 0, apiKey: TEST_API_KEY, ...(byVariable ? {} : { proxy: tunnelUrl }) }
    await errorOf(createPaged({ url: 'https://service.example' }, options).getItems())
    expect(tunnels.map(({ target }) => target)).toEqual(['service.example:443'])
    expect(JSON.stringify(tunnels)).not.toContain(TEST_API_KEY)
  })

  it('F56: whether proxies are followed is a setting with a name, a default, and a source', () => {
    const setting = (options: EmissionsOptions) =>
      createEmissions({ env: {}, ...options })
        .describeSettings()
        .find(one => one.setting === 'proxy')
    expect(setting({})).toEqual({ setting: 'proxy', value: 'environment', source: 'default' })
    expect(setting({ env: { HEADRACE_PROXY: 'none' } })).toEqual({
      setting: 'proxy',
      value: 'none',
      source: 'HEADRACE_PROXY',
    })
    expect(() => createEmissions({ env: {}, proxy: 'socks5://127.0.0.1:1' })).toThrow(/proxy \(client option\) must be/)
  })
})

/** A resolver that knows nobody: the proof that a host was asked for directly. */
function failLookups() {
  const fake = (host: string, _options: object, done: (error: Error) => void): void => {
    setImmediate(() => done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })))
  }
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(fake as never)
  onTestFinished(() => spy.mockRestore())
  return spy
}
