import type { AnyRow } from '../../retrieval/index.ts'
import { Failure, serverWords, type Content, type Reply, type RowOrder } from '../../transport/index.ts'
import { badResponse } from './read-series.ts'
import type { AccessRow, MapRow, RegionRow } from './rows.ts'
import { readEnvelope } from './schemas.ts'

/** Reads the bodies that are tables rather than series. */

type Item = Readonly<Record<string, unknown>>

/** 404 says that no region covers the place for the signal: an answer, not an error (contract, section 4). */
export function readRegion(reply: Reply): Content<RegionRow> {
  if (reply.status === 404 || reply.status === 400) {
    const words = serverWords(reply.body) ?? ''
    if (/no coverage/i.test(words)) return { rows: [], source: { answer: words }, warnings: [] }
    throw new Failure(`the service answered ${reply.status}`, {
      class: 'status',
      status: reply.status,
      headers: reply.headers,
      serverMessage: words,
    })
  }
  const envelope = readEnvelope('region', reply.json())
  if ('problem' in envelope) throw badResponse(reply, envelope.problem)
  const { region, region_full_name = null, signal_type = null } = envelope.value
  return { rows: [withExtras(envelope.value, { region, region_full_name, signal_type })], source: {}, warnings: [] }
}

/** Four levels (signal, region, endpoint, model) as one flat table. */
export function readAccess(reply: Reply): Content<AccessRow> {
  const envelope = readEnvelope('access', reply.json())
  if ('problem' in envelope) throw badResponse(reply, envelope.problem)
  const rows = envelope.value.signal_types.flatMap(signal =>
    list(signal, 'regions').flatMap(region =>
      list(region, 'endpoints').flatMap(endpoint =>
        list(endpoint, 'models').map((model): AccessRow =>
          withExtras(model, {
            signal_type: text(signal, 'signal_type') ?? '',
            region: text(region, 'region') ?? '',
            region_full_name: text(region, 'region_full_name'),
            parent: text(region, 'parent'),
            data_point_period_seconds: number(region, 'data_point_period_seconds'),
            endpoint: text(endpoint, 'endpoint') ?? '',
            model: text(model, 'model'),
            type: text(model, 'type'),
            data_start: text(model, 'data_start'),
            data_end: text(model, 'data_end'),
            train_start: text(model, 'train_start'),
            train_end: text(model, 'train_end'),
          }),
        ),
      ),
    ),
  )
  return { rows, source: {}, warnings: [] }
}

export function readMaps(reply: Reply): Content<MapRow> {
  const envelope = readEnvelope('maps', reply.json())
  if ('problem' in envelope) throw badResponse(reply, envelope.problem)
  const rows = envelope.value.features.map((feature): MapRow => {
    const { properties, geometry } = Object(feature) as Item
    return withExtras(properties, {
      region: text(properties, 'region') ?? '',
      region_full_name: text(properties, 'region_full_name'),
      geometry: geometry ?? null,
    })
  })
  return { rows, source: { ...envelope.value.meta }, warnings: [] }
}

/** Rows keep the order in which the service sent them. */
export function asSent<Row extends AnyRow>(): RowOrder<Row> {
  return { compare: () => -1, instant: () => undefined, equal: (a, b) => a === b }
}

/** A row with what else the service says of it. */
function withExtras<Row extends AnyRow>(item: unknown, row: Row): Row {
  return { ...row, ...Object.fromEntries(Object.entries(Object(item) as Item).filter(([name]) => !(name in row))) }
}

function list(value: unknown, name: string): readonly unknown[] {
  const inner = (Object(value) as Item)[name]
  return Array.isArray(inner) ? (inner as unknown[]) : []
}

function text(value: unknown, name: string): string | null {
  const inner = (Object(value) as Item)[name]
  return typeof inner === 'string' ? inner : null
}

function number(value: unknown, name: string): number | null {
  const inner = (Object(value) as Item)[name]
  return typeof inner === 'number' ? inner : null
}
