import { DuckDBInstance } from '@duckdb/node-api'
import { onTestFinished } from 'vitest'

/** Asks a DuckDB that lives in memory, or in a file, until the test ends. */
export async function duckDb(database = ':memory:'): Promise<(sql: string) => Promise<Record<string, unknown>[]>> {
  const instance = await DuckDBInstance.create(database)
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return async sql => (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[]
}

/** Asks once and lets go of the file. */
export async function askDuckDb(database: string, sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(database)
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[]
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
