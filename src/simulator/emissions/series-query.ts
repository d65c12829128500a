import type { ModelAction } from '../content-action.ts'
import type { ModelVersion } from '../options.ts'
import { newestOf, SIGNALS, type Signal } from './catalogue.ts'
import { readInstant } from './instants.ts'
import { invalidQuery, invalidScope } from './refusals.ts'
import { mayRead, type DataAsk, type World } from './world.ts'

/** Which series a request is about. */
export interface SeriesQuery {
  readonly region: string
  readonly signal: Signal
  readonly model: ModelVersion
  /** What `meta.model.date` will say. */
  readonly statedModel: string | null
}

/** Reads and checks the parameters that every series path has. */
export function readSeriesQuery(
  ask: DataAsk,
  world: World,
  endpoint: string,
  changes: readonly ModelAction[],
): SeriesQuery {
  const { query, account } = ask
  const region = need(query, 'region')
  const signalType = need(query, 'signal_type')
  const signal = SIGNALS.find(({ name }) => name === signalType)
  if (signal === undefined) throw invalidQuery(`signal_type '${signalType}' is not known`)
  // The index is open to everybody, for any region.
  const isOpen =
    endpoint === 'v3/signal-index'
      ? mayRead({ ...account, plan: 'pro' }, signal, region)
      : mayRead(account, signal, region)
  if (!isOpen || !signal.endpoints.includes(endpoint)) throw invalidScope()
  return { region, signal, ...readModel(query, world.models, changes) }
}

/** Reads and checks `start` and `end`. Both are included. */
export function readSpan(
  query: URLSearchParams,
  longestMs: number,
  longest: string,
): { readonly start: number; readonly end: number } {
  const start = needInstant(query, 'start')
  const end = needInstant(query, 'end')
  if (start > end) throw invalidQuery('start must not be after end')
  if (end - start > longestMs) throw invalidQuery(`You may request at most ${longest} of data at a time`)
  return { start, end }
}

/** Reads `horizon_hours`, and says how many rows that makes. */
export function readHorizon(query: URLSearchParams): number {
  const text = query.get('horizon_hours') ?? '24'
  if (!/^\d{1,2}$/.test(text) || Number(text) > 72)
    throw invalidQuery('horizon_hours must be a whole number from 0 to 72')
  return Math.max(1, 12 * Number(text))
}

/** Reads an instant that may be left out. */
export function readInstantMaybe(query: URLSearchParams, name: string): number | undefined {
  return query.has(name) ? needInstant(query, name) : undefined
}

function readModel(
  query: URLSearchParams,
  models: readonly ModelVersion[],
  changes: readonly ModelAction[],
): Pick<SeriesQuery, 'model' | 'statedModel'> {
  const asked = query.get('model')
  const change = changes.find(({ evenWhenAsked = false }) => asked === null || evenWhenAsked)
  const stated = change ? change.date : (asked ?? newestOf(models).date)
  const model = models.find(({ date }) => date === stated)
  if (model) return { model, statedModel: stated }
  if (!change) throw invalidQuery(`model '${asked}' is not known for this region and signal_type`)
  return { model: models.find(({ date }) => date === asked) ?? newestOf(models), statedModel: stated }
}

function needInstant(query: URLSearchParams, name: string): number {
  const text = need(query, name)
  const instant = readInstant(text)
  if (instant === undefined) throw invalidQuery(`${name} must be an ISO 8601 date-time with a time zone, got '${text}'`)
  return instant
}

function need(query: URLSearchParams, name: string): string {
  const value = query.get(name)
  if (value === null || value === '') throw invalidQuery(`${name} is required`)
  return value
}
