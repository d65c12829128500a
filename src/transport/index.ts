/** How any service is asked. The only door: nothing else of this folder is imported from outside. */
export { type Backoff, type BackoffOptions } from './backoff.ts'
export { type CacheOptions } from './cache-options.ts'
export { cacheStats, clearCache, type CacheStats } from './cache-store.ts'
export { CALL_OPTIONS, mostRows, type CallOptions } from './call.ts'
export { type BodyReader } from './arriving.ts'
export { type Batch, type Stretch } from './chunk.ts'
export { keyCredential, tokenCredential, type Credential } from './credential.ts'
export { failureInBody } from './error-body.ts'
export { type RetrievalEvent } from './events.ts'
export { Failure, type FailureClass, type FailureFacts } from './failure.ts'
export { isLoopback } from './http.ts'
export { groupIds } from './ids.ts'
export { readKey } from './key-setting.ts'
export { type Priority } from './lanes.ts'
export { type ResponseMeta } from './meta.ts'
export { type AnswerHead, type Confirmation, type RequestSpec } from './request-spec.ts'
export { type Answer, type Content, type Operation } from './operation.ts'
export { type ResolvedOptions, type TransportOptions } from './options.ts'
export { fromCheckpointPiece, spansOf, toCheckpointPiece, type Piece } from './piece.ts'
export { planSpan, type SpanRules } from './plan.ts'
export { type RateLimit } from './rate-window.ts'
export { excerpt, looksLikeMarkup, serverWords, type Reply } from './reply.ts'
export {
  checkOptionNames,
  environmentLayer,
  resolveSettings,
  type EnvironmentNames,
  type SettingOrigin,
  type SettingsLayer,
} from './settings.ts'
export { shareBounds, type SharedBounds } from './shared-bounds.ts'
export { type RowOrder } from './tidy.ts'
export { createTransport, type Question, type Retrieving, type Transport } from './transport.ts'
export {
  DEFAULT_POLICY,
  defaultVerdict,
  retryReadTimeouts,
  type RequestFacts,
  type RetryWhen,
  type ServicePolicy,
  type Verdict,
} from './verdict.ts'
