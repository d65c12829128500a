import { createEmissions } from '../../../src/adapters/emissions/index.ts'

/**
 * Asks a server for what it is told, and prints what came: first where the process believes to be, then one JSON
 * object per question.
 *
 * Arguments: the server's address, and a JSON list of questions, each a getter's name and its query. The user comes
 * from the environment.
 */
const [baseUrl = '', questions = '[]'] = process.argv.slice(2)
const client = createEmissions({ baseUrl, rate: null })

const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
console.log(JSON.stringify({ timeZone, locale, half: (0.5).toLocaleString() }))

type Getter = 'getHistorical' | 'getHistoricalForecast'

for (const [getter, query] of JSON.parse(questions) as [Getter, object][]) {
  try {
    const result = await client[getter](query as never)
    console.log(JSON.stringify({ rows: result.length, csv: result.toCsv() }))
  } catch (thrown) {
    const { name, message } = thrown as Error
    console.log(JSON.stringify({ name, message }))
  }
}
