import { epochMs } from '../../time.ts'
import { excerpt, Failure, type Content, type Reply } from '../../transport/index.ts'
import type { ForecastRow, FuelMixRow, HistoricalRow } from './rows.ts'
import { readEnvelope, type SeriesMeta } from './schemas.ts'

/** Reads the bodies that carry a series. Rows are checked one by one, by hand: there are millions of them. */

type Item = Readonly<Record<string, unknown>>
/** A row while it is made: extra fields of the service are passed through. */
type Made<Row> = { -readonly [name in keyof Row]: Row[name] } & Record<string, unknown>

/** Says which row is being read, for an error. Made once for many rows. */
type Where = () => string

export interface SeriesBody {
  readonly data: readonly unknown[]
  readonly meta: SeriesMeta
}

/** The envelope of a series. No content (204) is no rows. */
export function seriesBody(reply: Reply): SeriesBody {
  const json = reply.json()
  if (json === undefined) return { data: [], meta: {} }
  const envelope = readEnvelope('series', json)
  if ('problem' in envelope) throw badResponse(reply, envelope.problem)
  return { data: envelope.value.data, meta: envelope.value.meta ?? {} }
}

export function readHistorical(reply: Reply): Content<HistoricalRow> {
  const { data, meta } = seriesBody(reply)
  let at = 0
  const where: Where = () => `data[${at}]`
  const rows: HistoricalRow[] = []
  for (; at < data.length; at++) rows.push(readPoint(data[at], reply, where))
  return content(rows, meta)
}

export function readForecast(reply: Reply): Content<ForecastRow> {
  const { data, meta } = seriesBody(reply)
  const generated = new Date(data.length > 0 ? instantIn(meta, 'generated_at', reply, () => 'meta') : 0)
  const rows = data.map((item, at) => readRunPoint(item, generated, reply, () => `data[${at}]`))
  return content(rows, meta)
}

export function readHistoricalForecast(reply: Reply): Content<ForecastRow> {
  const { data, meta } = seriesBody(reply)
  const rows: ForecastRow[] = []
  data.forEach((run, at) => {
    const item = asItem(run, reply, () => `data[${at}]`)
    const generated = new Date(instantIn(item, 'generated_at', reply, () => `data[${at}]`))
    const { forecast } = item
    if (!Array.isArray(forecast)) throw badResponse(reply, `data[${at}].forecast: must be a list`)
    let step = 0
    const where: Where = () => `data[${at}].forecast[${step}]`
    for (; step < forecast.length; step++) rows.push(readRunPoint(forecast[step], generated, reply, where))
  })
  return content(rows, meta)
}

export function readFuelMix(reply: Reply): Content<FuelMixRow> {
  const { data, meta } = seriesBody(reply)
  const rows = data.flatMap((point, at) => {
    const item = asItem(point, reply, () => `data[${at}]`)
    const ms = instantIn(item, 'point_time', reply, () => `data[${at}]`)
    const { values } = item
    if (!Array.isArray(values)) throw badResponse(reply, `data[${at}].values: must be a list`)
    return values.map((share, fuel): FuelMixRow => {
      const one = asItem(share, reply, () => `data[${at}].values[${fuel}]`)
      const row: Made<FuelMixRow> = { point_time: new Date(ms), fuel_type: String(one['fuel_type']), value: null }
      setValue(row, one['value'])
      passExtras(row, one, reply, () => `data[${at}].values[${fuel}]`)
      return row
    })
  })
  return content(rows, meta)
}

/** What the service says about itself, in its own words where it has them. */
function content<Row>(rows: Row[], meta: SeriesMeta): Content<Row> {
  const { warnings, model, ...facts } = meta
  const said = (warnings ?? []).map(one =>
    typeof one === 'string' ? one : [one.type, one.message].filter(Boolean).join(': '),
  )
  return {
    rows,
    warnings: said,
    source: { ...facts, ...(model ? { model_date: model.date ?? null, model_type: model.type ?? null } : {}) },
    ...(model?.date ? { pin: model.date } : {}),
  }
}

/** The item that was parsed becomes the row, extra fields and all: nobody else reads it, and there are millions to copy. */
function readPoint(given: unknown, reply: Reply, where: Where): HistoricalRow {
  const row = asItem(given, reply, where) as Made<HistoricalRow>
  const { value, last_updated: revised } = row as Item
  row.point_time = new Date(instantIn(row, 'point_time', reply, where))
  if (typeof value !== 'number') {
    row.value = null
    setValue(row, value)
  }
  if (typeof revised === 'string') row.last_updated = new Date(instantIn(row, 'last_updated', reply, where))
  return row
}

/** @param generated - one object for all rows of a run: half of the memory that dates take */
function readRunPoint(given: unknown, generated: Date, reply: Reply, where: Where): ForecastRow {
  const item = asItem(given, reply, where)
  const row: Made<ForecastRow> = {
    generated_at: generated,
    point_time: new Date(instantIn(item, 'point_time', reply, where)),
    value: null,
  }
  setValue(row, item['value'])
  passExtras(row, item, reply, where)
  return row
}

/** What the service says beyond the documented fields. */
function passExtras(row: Record<string, unknown>, item: Item, reply: Reply, where: Where): void {
  for (const name in item) {
    if (name in row) continue
    const extra = item[name]
    row[name] =
      name === 'last_updated' && typeof extra === 'string' ? new Date(instantIn(item, name, reply, where)) : extra
  }
}

const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** A number, or nothing with the service's text beside it. An empty text is nothing, and never 0. */
function setValue(row: Record<string, unknown>, value: unknown): void {
  if (typeof value === 'number') row['value'] = value
  else if (typeof value === 'string' && PLAIN_NUMBER.test(value) && Number.isFinite(Number(value)))
    row['value'] = Number(value)
  else if (typeof value === 'string' && value !== '') row['value_text'] = value
}

function asItem(value: unknown, reply: Reply, where: Where): Item {
  if (typeof value === 'object' && value !== null) return value as Item
  throw badResponse(reply, `${where()}: must be an object`)
}

function instantIn(item: Item, name: string, reply: Reply, where: Where): number {
  const text = item[name]
  const ms = typeof text === 'string' ? epochMs(text) : Number.NaN
  if (!Number.isNaN(ms)) return ms
  throw badResponse(
    reply,
    `${where()}.${name}: is not an instant with a zone (${text === undefined ? 'missing' : excerpt(JSON.stringify(text))})`,
  )
}

/** The failure of an answer that does not keep the contract. */
export function badResponse(reply: Reply, problem: string): Failure {
  return new Failure(`the answer is not as promised: ${problem}`, {
    class: 'bad_response',
    status: reply.status,
    headers: reply.headers,
  })
}
