import type { Checkpoint } from '../../checkpoint.ts'
import {
  collect,
  stream,
  takeUp,
  type AnyRow,
  type Gathering,
  type Retrieval,
  type StreamBatch,
} from '../../retrieval/index.ts'
import type { CallOptions } from '../../transport/index.ts'
import { codesQuestion } from './codes-question.ts'
import { ENDPOINTS, type PortalOperation } from './endpoints.ts'
import { asCut, cutByRows, planOf, planOfSamples } from './plan.ts'
import { portalQuestion } from './portal-question.ts'
import { samplesQuestion, samplesSummaryQuestion } from './samples-question.ts'
import { createService, SERVICE, type WaterQualityOptions } from './service.ts'
import type { WaterQualityClient } from './water-quality-client.ts'

/** Getters whose rows come as a stream as well. */
const STREAMED = ['getResults', 'getSamples']

/** A query that has been given, whatever its getter. */
type Query = Readonly<Record<string, unknown>>

/**
 * Makes a client. Sends nothing yet.
 *
 * @throws ConfigurationError naming a setting that makes no sense, and where it came from
 */
export function createWaterQuality(options: WaterQualityOptions = {}): WaterQualityClient {
  const service = createService(options)
  /** How each getter makes its question, for going on from a checkpoint. */
  const makers = new Map<string, (query: Query, call: CallOptions) => Gathering<AnyRow>>()
  for (const operation of Object.keys(ENDPOINTS) as PortalOperation[]) {
    makers.set(operation, (query, call) => portalQuestion(service, operation, query, call).gathering)
  }

  makers.set('getSamples', (query, call) => samplesQuestion(service, query, call))
  makers.set('getSamplesSummary', (query, call) => samplesSummaryQuestion(service, query, call))
  makers.set('getCodes', (query, call) => codesQuestion(service, query, call))

  const make = (operation: string, query: unknown, call: CallOptions): Gathering<AnyRow> => {
    const maker = makers.get(operation)
    if (maker === undefined) throw new RangeError(`no getter is called ${operation}`)
    return maker(query as Query, call)
  }
  /** What a checkpoint says is missing. Pieces that were cut by rows are not cut anew. */
  const rest = (given: Checkpoint, call: CallOptions = {}, operations: readonly string[]): Gathering<AnyRow> =>
    takeUp(given, SERVICE, operations, (operation, query) =>
      Object.hasOwn(ENDPOINTS, operation)
        ? asCut(service, operation as PortalOperation, query, call)
        : make(operation, query, call),
    )
  const get =
    (operation: PortalOperation) =>
    async (query: unknown, call: CallOptions = {}): Promise<Retrieval> =>
      collect((await cutByRows(service, operation, query as Query, call)).gathering)
  async function* streamed(
    operation: PortalOperation,
    query: unknown,
    call: CallOptions = {},
  ): AsyncGenerator<StreamBatch<AnyRow>, void, void> {
    const { gathering } = await cutByRows(service, operation, query as Query, { priority: 'bulk', ...call }, 'stream')
    yield* stream(gathering)
  }

  return {
    getResults: get('getResults'),
    streamResults: (query, call) => streamed('getResults', query, call),
    planResults: async (query, call = {}) => planOf(service, 'getResults', query as unknown as Query, call),
    getSites: get('getSites'),
    getActivities: get('getActivities'),
    getActivityMetrics: get('getActivityMetrics'),
    getHabitatMetrics: get('getHabitatMetrics'),
    getDetectionLimits: get('getDetectionLimits'),
    getOrganizations: get('getOrganizations'),
    getProjects: get('getProjects'),
    getProjectWeights: get('getProjectWeights'),
    getSummary: get('getSummary'),
    getSamples: async (query, call = {}) => collect(make('getSamples', query, call)),
    async *streamSamples(query, call = {}) {
      yield* stream(make('getSamples', query, call))
    },
    planSamples: (query, call = {}) => planOfSamples(service, query as unknown as Query, call),
    getSamplesSummary: async (query, call = {}) => collect(make('getSamplesSummary', query, call)),
    getCodes: async (query, call = {}) => collect(make('getCodes', query, call)),
    resumeFrom: async (checkpoint, call) => collect(rest(checkpoint, call, [...makers.keys()])),
    streamFrom: (checkpoint, call) => stream(rest(checkpoint, call, STREAMED)),
    describeSettings: service.describeSettings,
  }
}
