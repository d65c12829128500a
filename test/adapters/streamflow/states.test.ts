import { describe, expect, it } from 'vitest'
import { QueryError } from '../../../src/errors.ts'
import { stateOf } from '../../../src/adapters/streamflow/states.ts'

describe('stateOf', () => {
  it.each([
    ['Virginia', 'VA', '51'],
    ['virginia', 'VA', '51'],
    ['VA', 'VA', '51'],
    ['va', 'VA', '51'],
    ['51', 'VA', '51'],
    ['US:51', 'VA', '51'],
    [' 06 ', 'CA', '06'],
    ['West Virginia', 'WV', '54'],
    ['District of Columbia', 'DC', '11'],
    ['Washington, D.C.', 'DC', '11'],
    ['Puerto Rico', 'PR', '72'],
    ['U.S. Virgin Islands', 'VI', '78'],
  ])('F48: reads %s as %s, %s', (text, postal, fips) => {
    expect(stateOf(text)).toMatchObject({ postal, fips })
  })

  it('F48: keeps the zero in front of a FIPS code', () => {
    expect(stateOf('Alabama').fips).toBe('01')
  })

  it.each([
    ['Virgina', "did you mean 'Virginia'"],
    ['6', 'use a name'],
    ['XX', 'use a name'],
    ['', 'use a name'],
  ])('refuses %j, before any request', (text, help) => {
    expect(() => stateOf(text)).toThrow(QueryError)
    expect(() => stateOf(text)).toThrow(help)
  })
})
