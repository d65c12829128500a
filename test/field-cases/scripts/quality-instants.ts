import { readFileSync } from 'node:fs'
import { tableReaderFor, type TableRead } from '../../../src/adapters/water-quality/read-table.ts'

/** Reads a table and prints the zone of the process and the instants of its rows. */
const [file = ''] = process.argv.slice(2)
const reader = tableReaderFor({ status: 200, headers: {} }, { derive: true })
if (reader === undefined) throw new Error('no reader for a table')
reader.take(readFileSync(file))
const { rows, columns } = reader.end() as TableRead
const start = columns.find(({ when }) => when === true)?.name ?? ''
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
process.stdout.write(JSON.stringify({ timeZone, instants: rows.map(row => row[start]) }))
