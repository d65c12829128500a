import { describe, expect, it } from 'vitest'
import { readInstant, readStretch, writeLocal, writeNaive } from '../../../src/simulator/streamflow/times.ts'
import { offsetMs, STATES } from '../../../src/simulator/streamflow/world/states.ts'

const NOW = Date.parse('2024-03-31T12:00:00Z')

describe('readInstant', () => {
  it.each([
    ['2018-02-12', '2018-02-12T00:00:00Z'],
    ['2018-02', '2018-02-01T00:00:00Z'],
    ['2018-02-12T23:20:50Z', '2018-02-12T23:20:50Z'],
    ['2018-02-12T23:20:50', '2018-02-12T23:20:50Z'],
    ['2018-02-12 23:20', '2018-02-12T23:20:00Z'],
    ['2018-02-12T23:20:50.5+00:00', '2018-02-12T23:20:50.500Z'],
    ['2018-02-12T18:20:50-05:00', '2018-02-12T23:20:50Z'],
    ['1978-05-17T19:25:00-00:00', '1978-05-17T19:25:00Z'],
  ])('reads %s', (text, same) => expect(readInstant(text)).toBe(Date.parse(same)))

  it.each(['', 'today', '2018-02-30', '1931-04-00', '2018-13-01', '2018-02-12T25:00Z', '20180212'])(
    'finds no instant in %j',
    text => expect(readInstant(text)).toBeUndefined(),
  )
})

describe('readStretch', () => {
  it.each([
    ['2020-01-01/2020-01-02', '2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z'],
    ['2020-01-01', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    ['P7D', '2024-03-24T12:00:00Z', '2024-03-31T12:00:00Z'],
    ['PT36H', '2024-03-30T00:00:00Z', '2024-03-31T12:00:00Z'],
    ['P20Y', '2004-03-31T12:00:00Z', '2024-03-31T12:00:00Z'],
    ['P1W', '2024-03-24T12:00:00Z', '2024-03-31T12:00:00Z'],
  ])('%s', (text, from, to) => {
    expect(readStretch(text, NOW)).toEqual({ from: Date.parse(from), to: Date.parse(to) })
  })

  it('knows open ends', () => {
    expect(readStretch('2020-01-01/..', NOW)).toEqual({ from: Date.parse('2020-01-01'), to: Infinity })
    expect(readStretch('../2020-01-01', NOW)).toEqual({ from: -Infinity, to: Date.parse('2020-01-01') })
    expect(readStretch('../..', NOW)).toEqual({ from: -Infinity, to: Infinity })
  })

  it.each(['', 'P', 'PT', 'P1X', 'a/b', '2020-01-01/2020-01-02/2020-01-03'])('finds nothing in %j', text => {
    expect(readStretch(text, NOW)).toBeUndefined()
  })
})

describe('local time', () => {
  const wisconsin = STATES.find(({ postal }) => postal === 'WI')
  const zone = wisconsin?.zone as NonNullable<typeof wisconsin>['zone']

  it.each([
    ['2013-10-01T11:00:00Z', '2013-10-01T06:00:00.000001', '2013-10-01T06:00:00-05:00'],
    ['2024-01-01T06:00:00Z', '2024-01-01T00:00:00.000001', '2024-01-01T00:00:00-06:00'],
  ])('writes %s as either version of the API does', (text, naive, local) => {
    const at = Date.parse(text)
    expect([writeNaive(at, offsetMs(zone, at)), writeLocal(at, offsetMs(zone, at))]).toEqual([naive, local])
  })
})
