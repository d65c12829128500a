import { describe, expect, it } from 'vitest'
import { askElsewhere, type Question } from '../support/ask-elsewhere.ts'
import { dataRequests, REGION, simulateCase } from '../support/field-case.ts'

/** Everything in a query that a zone could change. */
const QUESTIONS: Question[] = [
  ['getHistorical', { region: REGION, start: '2024-03-10', end: '2024-03-10T12:00' }],
  ['getHistorical', { region: 'CAISO', start: '2024-03-31 01:30', end: '2024-03-31T03:30:00', signalType: 'co2_aoer' }],
  ['getHistorical', { region: REGION, start: '2024-03-09T21:30', end: '2024-03-10T03:00', zone: 'America/New_York' }],
  ['getHistorical', { region: REGION, last: 'P1D', end: '2024-11-03T12:00:00-05:00', updatedSince: '2024-11-03' }],
  ['getHistoricalForecast', { region: REGION, dates: ['2024-03-10'], horizonHours: 0, zone: 'America/New_York' }],
  ['getHistoricalForecast', { region: REGION, dates: ['2024-03-31', '2024-04-02'], horizonHours: 0 }],
  ['getHistorical', { region: REGION, start: '2024-02-30', end: '2024-03-01' }],
]

describe('F58: the zone of the process', () => {
  const zones = [undefined, '', 'UTC', 'Etc/Unknown', 'Asia/Kolkata', 'America/New_York']

  it('F58: changes neither what is asked nor what comes', { timeout: 180_000 }, async () => {
    const simulator = await simulateCase()
    const runs = []
    for (const TZ of zones) {
      simulator.reset()
      const { code, stderr, place, answers } = await askElsewhere(simulator.url, QUESTIONS, { TZ })
      runs.push({
        TZ,
        place,
        seen: { code, stderr, answers, asked: dataRequests(simulator).map(({ path, search }) => path + search) },
      })
    }
    const [first] = runs
    expect(first?.seen).toMatchObject({ code: 0, stderr: '' })
    expect(first?.seen.answers.map(({ rows, name }) => rows ?? name)).toEqual([145, 2, 55, 205, 276, 576, 'QueryError'])
    for (const { TZ, seen } of runs) expect(seen, `with TZ=${TZ}`).toEqual(first?.seen)
    expect(runs.find(({ TZ }) => TZ === 'Asia/Kolkata')?.place.timeZone).toMatch(/^Asia\/(Kolkata|Calcutta)$/)
  })
})

describe('F59: the language of the process', () => {
  it('F59: decimal points stay points, and lines end the same everywhere', { timeout: 60_000 }, async () => {
    const simulator = await simulateCase()
    const question: Question = ['getHistorical', { region: REGION, start: '2024-01-01', end: '2024-01-02' }]
    const german = { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8', LANGUAGE: 'de' }
    const { code, stderr, place, answers } = await askElsewhere(simulator.url, [question], german)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    // The process is German indeed.
    expect(place).toMatchObject({ locale: 'de-DE', half: '0,5' })
    const truth = simulator.truth.historical({ region: REGION, start: '2024-01-01', end: '2024-01-02' })
    const lines = truth.map(
      ({ point_time, value }) => `${new Date(point_time).toISOString().replace('.000Z', 'Z')},${value}`,
    )
    expect(lines.some(line => line.includes('.'))).toBe(true)
    expect(answers[0]?.csv).toBe(`point_time,value\n${lines.join('\n')}\n`)
  })
})
