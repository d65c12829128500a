/** Errors, guards, result and option types, and the version. Getters live in the sub-paths: `headrace/emissions`. */
export { type Checkpoint, type CheckpointPiece } from './checkpoint.ts'
export { type Clock, type Random } from './clock.ts'
export {
  ConfigurationError,
  HeadraceError,
  QueryError,
  RequestError,
  RetrievalInterrupted,
  isHeadraceError,
  isRequestError,
  isRetrievalInterrupted,
  type ErrorCause,
  type FailureKind,
  type RequestErrorFacts,
  type ResumeOptions,
} from './errors.ts'
export { type Logger } from './logger.ts'
export {
  Retrieval,
  csvLines,
  fileStem,
  jsonLines,
  showProgress,
  type AnyRow,
  type ArrowIpcOptions,
  type ArrowTable,
  type ChartHints,
  type ChartKind,
  type ChartOptions,
  type Column,
  type ColumnValues,
  type Completeness,
  type ConnectedService,
  type OperationDescription,
  type OptionDescription,
  type PngOptions,
  type ProgressOptions,
  type QuerySchema,
  type ServiceDescription,
  type StreamBatch,
  type WithMeta,
} from './retrieval/index.ts'
export { type Span } from './span.ts'
export { type InstantInput } from './time.ts'
export {
  cacheStats,
  clearCache,
  defaultVerdict,
  retryReadTimeouts,
  type CacheOptions,
  type CacheStats,
  type CallOptions,
  type FailureClass,
  type FailureFacts,
  type Priority,
  type RateLimit,
  type RequestFacts,
  type ResponseMeta,
  type RetrievalEvent,
  type RetryWhen,
  type ServicePolicy,
  type SettingOrigin,
  type TransportOptions,
  type Verdict,
} from './transport/index.ts'
export { version } from './version.ts'
