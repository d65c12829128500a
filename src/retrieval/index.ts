/** What is done with rows: kept with their record, shown, written. The only door of this folder. */
export { type ChartOptions } from './chart.ts'
export { collect, stream, type Gathering, type StreamBatch } from './gather.ts'
export { type AnyRow, type Column, type ColumnKind } from './columns.ts'
export { measureCompleteness, type Completeness } from './completeness.ts'
export { type CsvOptions } from './csv.ts'
export { type RetrievalParts } from './parts.ts'
export { Retrieval, type WithMeta } from './retrieval.ts'
