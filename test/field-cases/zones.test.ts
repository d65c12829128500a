import { describe, expect, it } from 'vitest'
import { askElsewhere, type Question } from '../support/ask-elsewhere.ts'
import { clientFor, dataRequests, PATIENT, REGION, simulateCase } from '../support/field-case.ts'

describe('F06: text without a zone', () => {
  const starts = [
    '2024-03-10',
    '2024-03-10T02:30',
    '2024-03-10 02:30',
    '2024-03-10 02:30+00:00',
    '2024-03-09T21:30:00-05:00',
  ]

  it('F06: means UTC, in a process of New York on the night without half past two', { timeout: 60_000 }, async () => {
    const simulator = await simulateCase()
    const questions = starts.map((start): Question => [
      'getHistorical',
      { region: REGION, start, end: '2024-03-10T03:00Z' },
    ])
    const { code, stderr, place, answers } = await askElsewhere(simulator.url, questions, { TZ: 'America/New_York' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(place.timeZone).toBe('America/New_York')
    expect(dataRequests(simulator).map(({ query }) => query['start'])).toEqual([
      '2024-03-10T00:00:00Z',
      '2024-03-10T02:30:00Z',
      '2024-03-10T02:30:00Z',
      '2024-03-10T02:30:00Z',
      '2024-03-10T02:30:00Z',
    ])
    expect(answers.map(({ rows }) => rows)).toEqual([37, 7, 7, 7, 7])
    expect(answers.slice(1).map(({ csv }) => csv?.split('\n')[1]?.split(',')[0])).toEqual(
      Array(4).fill('2024-03-10T02:30:00Z'),
    )
  })

  it.each(starts.map((start, at) => [start, at === 0 ? '2024-03-10T00:00:00Z' : '2024-03-10T02:30:00Z']))(
    'F06: %s is sent as %s',
    async (start, sent) => {
      const simulator = await simulateCase()
      await clientFor(simulator, PATIENT).getHistorical({ region: REGION, start, end: '2024-03-10T03:00Z' })
      expect(dataRequests(simulator).map(({ query }) => query['start'])).toEqual([sent])
    },
  )

  it('F06: a zone of the query is for text that states none, and for no other', async () => {
    const simulator = await simulateCase()
    const client = clientFor(simulator, PATIENT)
    await client.getHistorical({
      region: REGION,
      start: '2024-03-09T21:30',
      end: '2024-03-10T03:00Z',
      zone: 'America/New_York',
    })
    expect(dataRequests(simulator).map(({ query }) => [query['start'], query['end']])).toEqual([
      ['2024-03-10T02:30:00Z', '2024-03-10T03:00:00Z'],
    ])
  })
})

describe('F07: the day on which clocks are set back', () => {
  const data = [
    { point_time: '2024-11-03T01:30:00-04:00', value: 1 },
    { point_time: '2024-11-03T01:30:00-05:00', value: 2 },
  ]

  it.each([
    ['as they come', data],
    ['also when they come the other way round', data.toReversed()],
  ])('F07: keeps both rows that say half past one, an hour apart, in order of time, %s', async (_, sent) => {
    const simulator = await simulateCase({
      faults: [{ do: { type: 'body', text: JSON.stringify({ data: sent, meta: {} }) } }],
    })
    const { rows, meta } = await clientFor(simulator, PATIENT).getHistorical({
      region: REGION,
      start: '2024-11-03',
      end: '2024-11-04',
    })
    expect(rows).toEqual([
      { point_time: new Date('2024-11-03T05:30:00Z'), value: 1 },
      { point_time: new Date('2024-11-03T06:30:00Z'), value: 2 },
    ])
    expect(meta).toMatchObject([{ rows: 2, rowsMerged: 0, rowsOutside: 0 }])
  })
})
