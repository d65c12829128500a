import { jsonAnswer, type Answer } from '../service.ts'
import type { ModelVersion } from '../options.ts'
import type { Signal } from './catalogue.ts'
import { accessOf, type DataAsk, type World } from './world.ts'

/** Endpoints that the list names. It says nothing of forecasts by generation time, nor of the index. */
const LISTED = ['v3/forecast', 'v3/historical', 'v3/fuel-mix']

/** `GET /v3/my-access` */
export function myAccess({ query, account }: DataAsk, { models }: World): Answer {
  const region = query.get('region')
  const signalType = query.get('signal_type')
  const signals = accessOf(account)
    .filter(({ signal }) => signalType === null || signal.name === signalType)
    .map(({ signal, regions }) => ({
      signal_type: signal.name,
      regions: regions
        .filter(({ code }) => region === null || code === region)
        .map(({ code, name, parent }) => ({
          region: code,
          region_full_name: name,
          parent,
          data_point_period_seconds: signal.periodMs / 1000,
          endpoints: signal.endpoints
            .filter(endpoint => LISTED.includes(endpoint))
            .map(endpoint => ({
              endpoint,
              models: models.map(model => describeModel(model, signal, endpoint)),
            })),
        })),
    }))
  return jsonAnswer(200, { signal_types: signals.filter(({ regions }) => regions.length > 0) })
}

function describeModel(
  { date, dataStart }: ModelVersion,
  { modelType }: Signal,
  endpoint: string,
): Record<string, string> {
  return {
    model: date,
    data_start: dataStart,
    train_start: dataStart,
    train_end: date,
    ...(endpoint === 'v3/historical' ? { type: modelType } : {}),
  }
}
