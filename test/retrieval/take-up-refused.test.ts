import { describe, expect, it } from 'vitest'
import { createEmissions } from '../../src/adapters/emissions/index.ts'
import { createStreamflow } from '../../src/adapters/streamflow/index.ts'
import { createWaterQuality } from '../../src/adapters/water-quality/index.ts'
import { errorOf } from '../support/field-case.ts'
import { startScripted } from '../support/scripted-server.ts'

const SERVICES = [
  {
    service: 'emissions',
    operation: 'getHistorical',
    query: { region: 'CAISO_NORTH', start: '2024-01-01' },
    client: (url: string) => createEmissions({ baseUrl: url, username: 'u', password: 'a-password', env: {} }),
  },
  {
    service: 'streamflow',
    operation: 'getDaily',
    query: { monitoringLocationId: 'USGS-01000000' },
    client: (url: string) => createStreamflow({ baseUrl: url, env: {} }),
  },
  {
    service: 'water-quality',
    operation: 'getResults',
    query: { siteId: 'USGS-01000000' },
    client: (url: string) => createWaterQuality({ baseUrl: url, env: {} }),
  },
]

describe.each(SERVICES)('a checkpoint of $service', ({ service, operation, query, client }) => {
  const whole = { version: 1, service, operation, query, left: [{}] }

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['another version', { ...whole, version: 2 }],
    ['another service', { ...whole, service: 'weather' }],
    ['another getter', { ...whole, operation: 'toString' }],
    ['no query', { ...whole, query: null }],
    ['nothing about what is left', { ...whole, left: undefined }],
    ['something else in place of what is left', { ...whole, left: 'all of it' }],
    ['a part that is none', { ...whole, left: [null] }],
  ])('R60: with %s is refused before anything is sent', async (_, checkpoint) => {
    const server = await startScripted(() => {})
    const error = await errorOf(client(server.url).resumeFrom(checkpoint as never))
    expect(error).toMatchObject({ name: 'QueryError', argument: 'checkpoint' })
    expect(server.connections).toBe(0)
  })
})
