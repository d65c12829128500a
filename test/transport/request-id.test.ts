import { describe, expect, it } from 'vitest'
import { requestIdIn } from '../../src/transport/request-id.ts'

const asIs = (text: string): string => text

describe('requestIdIn', () => {
  it.each([
    [{}, undefined],
    [{ 'x-request-id': 'a', 'x-correlation-id': 'b' }, 'a'],
    [{ 'x-api-umbrella-request-id': 'c', 'x-correlation-id': 'b' }, 'c'],
    [{ 'x-correlation-id': 'b' }, 'b'],
    [{ 'x-request-id': '', 'x-correlation-id': 'b' }, 'b'],
    [{ 'x-request-id': '' }, undefined],
    [{ 'request-id': 'd' }, undefined],
  ])('finds in %j the number of a request: %s', (headers, id) => {
    expect(requestIdIn(headers, asIs)).toBe(id)
  })

  it('R44: hides what must not be shown in it', () => {
    expect(requestIdIn({ 'x-request-id': 'of secret' }, text => text.replace('secret', '***'))).toBe('of ***')
  })
})
