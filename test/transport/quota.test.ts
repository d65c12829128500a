import { describe, expect, it } from 'vitest'
import { latestReading, readQuota, underQuota } from '../../src/transport/quota.ts'

const HOUR = 3_600_000

describe('readQuota', () => {
  it.each([
    [
      { 'x-ratelimit-remaining': '12', 'x-ratelimit-limit': '3000' },
      { remaining: 12, limit: 3000, at: 7 },
    ],
    [{ 'x-ratelimit-remaining': ' 0 ' }, { remaining: 0, limit: undefined, at: 7 }],
    [
      { 'x-ratelimit-remaining': '5', 'x-ratelimit-limit': 'many' },
      { remaining: 5, limit: undefined, at: 7 },
    ],
  ])('R38: reads %j', (headers, reading) => {
    expect(readQuota(headers, 7)).toEqual(reading)
  })

  it.each([
    {},
    { 'x-ratelimit-limit': '10' },
    ...['', '-1', '1.5', 'x1', '1x', '1e3', '1234567890123'].map(text => ({ 'x-ratelimit-remaining': text })),
  ])('R38: reads nothing from %j', headers => {
    expect(readQuota(headers, 7)).toBeUndefined()
  })
})

describe('latestReading', () => {
  const reading = (remaining: number, at: number) => ({ remaining, limit: 100, at })

  it('R38: holds on to the lower one where answers overtook each other', () => {
    expect(latestReading(reading(1, 10), reading(3, 12), 8)).toEqual(reading(1, 10))
    expect(latestReading(reading(3, 10), reading(1, 12), 8)).toEqual(reading(1, 12))
  })

  it('R38: believes a request that left after the last reading, also when there is more again', () => {
    expect(latestReading(reading(1, 10), reading(50, 12), 11)).toEqual(reading(50, 12))
    expect(latestReading(undefined, reading(50, 12), 11)).toEqual(reading(50, 12))
  })
})

describe('underQuota', () => {
  const left = (remaining: number) => ({ remaining, limit: 100, at: 5 })

  it.each([
    // remaining, reserve, in flight, verdict
    [5, 0, 0, 'go'],
    [5, 0, 4, 'go'],
    [5, 0, 5, 'hold'],
    [5, 0, 9, 'hold'],
    [1, 0, 0, 'go'],
    [0, 0, 0, 'spent'],
    [0, 0, 1, 'hold'],
    [5, 4, 0, 'go'],
    [5, 5, 0, 'spent'],
    [5, 4, 1, 'hold'],
    [5, 10, 0, 'spent'],
  ])('R38: %d left, %d kept for others, %d under way: %s', (remaining, reserve, inFlight, verdict) => {
    expect(underQuota(left(remaining), reserve, inFlight, 15, HOUR)).toBe(verdict)
  })

  it('R38: a reading that has expired says nothing, nor does none', () => {
    expect(underQuota(left(0), 0, 0, HOUR + 4, HOUR)).toBe('spent')
    expect(underQuota(left(0), 0, 0, HOUR + 5, HOUR)).toBe('go')
    expect(underQuota(undefined, 10, 5, 0, HOUR)).toBe('go')
  })
})
