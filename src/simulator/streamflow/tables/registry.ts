import type { Table, Track } from '../ogc/table.ts'
import type { Census } from '../world/census.ts'
import { createChannelMeasurements } from './channel-measurements.ts'
import { createFieldMeasurements } from './field-measurements.ts'
import { createCombinedMetadata, createFieldMeasurementsMetadata } from './inventory.ts'
import { createLatest } from './latest.ts'
import { createLatestFieldMeasurements } from './latest-field-measurements.ts'
import { createMonitoringLocations, createTimeSeriesMetadata } from './metadata.ts'
import { createContinuous, createDaily } from './observations.ts'
import { createPeaks } from './peaks.ts'
import { createReferenceTables } from './reference.ts'

/** All collections. */
export interface Tables {
  /** @param version - of the API: `v0` or `v1` */
  find(name: string, version: string): Table | undefined
  all(version: string): readonly Table[]
}

export function createTables(census: Census): Tables {
  const shared: readonly Table[] = [
    plain(createDaily(census)),
    plain(createContinuous(census)),
    plain(createLatest(census, 'daily')),
    plain(createLatest(census, 'continuous')),
    plain(createFieldMeasurements(census)),
    plain(createLatestFieldMeasurements(census)),
    plain(createFieldMeasurementsMetadata(census)),
    plain(createChannelMeasurements(census)),
    plain(createPeaks(census)),
    plain(createMonitoringLocations(census)),
    plain(createCombinedMetadata(census)),
    ...createReferenceTables().map(plain),
  ]
  const byVersion = new Map(
    ['v0', 'v1'].map(version => {
      const tables = [...shared, plain(createTimeSeriesMetadata(census, version))]
      return [version, new Map(tables.map(table => [table.name, table]))]
    }),
  )
  return {
    find: (name, version) => byVersion.get(version)?.get(name),
    all: version => [...(byVersion.get(version)?.values() ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

/** A table for those who hand back to it only the tracks that it gave. */
export function plain<T extends Track>(table: Table<T>): Table {
  return table as unknown as Table
}
