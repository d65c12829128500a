import { describe, expect, it } from 'vitest'
import { zoneOffsets } from '../../src/time.ts'
import { zoneTicks } from '../../src/retrieval/zone-ticks.ts'

const ticks = (zone: string, start: string, end: string, most = 8): string[] =>
  zoneTicks([Date.parse(start), Date.parse(end)], zoneOffsets(zone), most).map(at => new Date(at).toISOString())

describe('zoneTicks', () => {
  it('stands at local midnight on either side of a change of clocks', () => {
    expect(ticks('America/Los_Angeles', '2025-03-08T08:00Z', '2025-03-11T07:00Z', 4)).toEqual([
      '2025-03-08T08:00:00.000Z',
      '2025-03-09T08:00:00.000Z',
      '2025-03-10T07:00:00.000Z',
      '2025-03-11T07:00:00.000Z',
    ])
  })

  it('stands at local hours, also where clocks are half an hour off', () => {
    expect(ticks('Asia/Kolkata', '2025-06-01T00:00Z', '2025-06-01T12:00Z', 5)).toEqual([
      '2025-06-01T00:30:00.000Z',
      '2025-06-01T03:30:00.000Z',
      '2025-06-01T06:30:00.000Z',
      '2025-06-01T09:30:00.000Z',
    ])
  })

  it('stands at the first of months over years', () => {
    expect(ticks('America/New_York', '2023-12-01T00:00Z', '2025-02-01T00:00Z', 4)).toEqual([
      '2024-01-01T05:00:00.000Z',
      '2024-07-01T04:00:00.000Z',
      '2025-01-01T05:00:00.000Z',
    ])
  })

  it.each([1, 5, 20])('never has more marks than asked for by much (%d)', most => {
    for (const end of ['2024-01-01T01:00Z', '2024-01-03T00:00Z', '2024-09-01T00:00Z', '2060-01-01T00:00Z'])
      expect(ticks('Europe/Paris', '2024-01-01T00:00Z', end, most).length).toBeLessThanOrEqual(most + 1)
  })
})

describe('zoneOffsets', () => {
  it.each([
    ['UTC', '2025-07-01T00:00Z', 0],
    ['America/Los_Angeles', '2025-03-09T09:59Z', -8],
    ['America/Los_Angeles', '2025-03-09T10:00Z', -7],
    ['Australia/Lord_Howe', '2025-07-01T00:00Z', 10.5],
    ['+05:30', '2025-07-01T00:00Z', 5.5],
  ])('%s at %s is %d hours ahead', (zone, at, hours) => {
    const offset = zoneOffsets(zone)
    expect([offset(Date.parse(at)), offset(Date.parse(at))]).toEqual([hours * 3_600_000, hours * 3_600_000])
  })

  it('refuses a zone that nobody knows', () => {
    expect(() => zoneOffsets('Mars/Olympus')).toThrow('zone is not known')
  })
})
