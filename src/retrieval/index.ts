/** What is done with rows: kept with their record, shown, written. The only door of this folder. */
export { type ArrowIpcOptions, type ArrowTable } from './arrow.ts'
export { type ChartHints } from './chart-hints.ts'
export { type ChartKind, type ChartOptions } from './chart-options.ts'
export { collect, stream, type Gathering, type StreamBatch } from './gather.ts'
export { type AnyRow, type Column, type ColumnKind } from './columns.ts'
export {
  describedSchema,
  type ConnectedService,
  type OperationDescription,
  type OptionDescription,
  type QuerySchema,
  type ServiceDescription,
} from './description.ts'
export { fileStem } from './file-name.ts'
export { arrange, type Finished, type WholeOrder } from './finish.ts'
export { measureCompleteness, type Completeness, type MissingSpan } from './completeness.ts'
export { instantText, jsonText } from './cell.ts'
export { csvLines, type CsvOptions } from './csv.ts'
export { jsonLines } from './jsonl.ts'
export { summaryOf } from './display.ts'
export { showsPlan } from './plan-display.ts'
export { type PngOptions } from './png.ts'
export { type RetrievalParts } from './parts.ts'
export { showProgress, type ProgressOptions } from './progress-line.ts'
export { type ColumnValues } from './typed-columns.ts'
export { Retrieval, type WithMeta } from './retrieval.ts'
export { tableLines } from './table.ts'
export { takeUp } from './take-up.ts'
