import { describe, expect, it } from 'vitest'
import type { RequestError, RetrievalInterrupted } from '../../src/index.ts'
import { features, page } from '../support/feature-pages.ts'
import { clientFor, dataRequests, errorOf, PATIENT, REGION, simulateCase } from '../support/field-case.ts'
import { createPaged } from '../support/page-adapter.ts'
import { answer, startScripted } from '../support/scripted-server.ts'
import { TEST_API_KEY, TEST_PASSWORD, TEST_USERNAME } from '../tooling/secrets.ts'

const ONE_DAY = { region: REGION, start: '2024-01-01T00:00Z', end: '2024-01-01T23:55Z' } as const

describe('F22: a redirect to another host', () => {
  const empty = { data: [], meta: {} }

  it('F22: the token does not go there', async () => {
    const elsewhere = await startScripted(visit => answer(visit, { body: empty }))
    const location = `http://localhost:${elsewhere.port}/v3/historical?moved=1`
    const simulator = await simulateCase({ faults: [{ do: { type: 'redirect', location } }] })
    const { rows, meta } = await clientFor(simulator, PATIENT).getHistorical(ONE_DAY)
    expect(rows).toEqual([])
    expect(meta).toMatchObject([{ url: location, status: 200 }])
    expect(dataRequests(simulator)[0]?.headers).toHaveProperty('authorization')
    expect(elsewhere.arrivals).toHaveLength(1)
    expect(elsewhere.arrivals[0]?.headers).not.toHaveProperty('authorization')
    expect(elsewhere.arrivals[0]?.headers).not.toHaveProperty('cookie')
  })

  it('F22: a key does not go there', async () => {
    const elsewhere = await startScripted(visit => answer(visit, { body: page(features(1, 2)) }))
    const server = await startScripted(visit =>
      answer(visit, { status: 302, headers: { location: `http://localhost:${elsewhere.port}/items` } }),
    )
    const { rows } = await createPaged(server, { ...PATIENT, apiKey: TEST_API_KEY }).getItems()
    expect(rows).toHaveLength(2)
    expect(server.arrivals[0]?.headers['x-api-key']).toBe(TEST_API_KEY)
    expect(elsewhere.arrivals).toHaveLength(1)
    expect(JSON.stringify(elsewhere.arrivals)).not.toContain(TEST_API_KEY)
  })

  it('F22: a user name and a password do not go there either', async () => {
    const elsewhere = await startScripted(visit => answer(visit, { body: { token: 'sim-token-elsewhere' } }))
    const simulator = await simulateCase({
      faults: [{ path: '/login', do: { type: 'redirect', location: `http://localhost:${elsewhere.port}/login` } }],
    })
    await errorOf(clientFor(simulator, PATIENT).getHistorical(ONE_DAY))
    for (const { headers } of elsewhere.arrivals) expect(headers).not.toHaveProperty('authorization')
  })

  it('F22: a registration is not carried to another host', async () => {
    const elsewhere = await startScripted(visit => answer(visit, { body: { ok: 'User created' } }))
    const simulator = await simulateCase({
      faults: [
        {
          path: '/register',
          do: { type: 'redirect', status: 307, location: `http://localhost:${elsewhere.port}/register` },
        },
      ],
    })
    const error = await errorOf(
      clientFor(simulator, PATIENT).register({
        username: TEST_USERNAME,
        password: TEST_PASSWORD,
        email: 'someone@example.org',
      }),
    )
    expect(error).toMatchObject({ name: 'RequestError', kind: 'other' })
    expect(elsewhere.arrivals).toEqual([])
  })

  it('F22: what a service repeats of a secret is hidden again', async () => {
    const server = await startScripted(visit => {
      if (visit.arrival.path === '/login') return answer(visit, { body: { token: 'sim-token-1' } })
      answer(visit, {
        status: 400,
        body: {
          message: `${visit.arrival.headers.authorization} of ${TEST_USERNAME} with ${TEST_PASSWORD} is no good`,
        },
      })
    })
    const error = await errorOf(clientFor(server, PATIENT).getHistorical(ONE_DAY))
    expect((error as Error).message).toContain('[redacted] of [redacted] with [redacted] is no good')
    expect((error as RetrievalInterrupted).failure.serverMessage).toBe(
      'Bearer [redacted] of [redacted] with [redacted] is no good',
    )
  })
})

it('F22: an error of a failed login names neither user nor password', async () => {
  const simulator = await simulateCase({
    faults: [
      { path: '/login', do: { type: 'status', status: 401, body: { message: `${TEST_USERNAME}:${TEST_PASSWORD}` } } },
    ],
  })
  const error = (await errorOf(clientFor(simulator, PATIENT).getAccess())) as RequestError
  expect(error.serverMessage).toBe('[redacted]:[redacted]')
  expect(error.url).toBe(`${simulator.url}/login`)
})
