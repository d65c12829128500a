import { jsonAnswer, type Answer } from '../service.ts'
import { regionsOf, SIGNALS, type Region } from './catalogue.ts'
import { invalidParameter, invalidScope } from './refusals.ts'
import { writeInstant } from './instants.ts'
import type { DataAsk } from './world.ts'

const MAPS_MADE = Date.UTC(2026, 2, 18)

/** `GET /v3/region-from-loc`. A point outside every region is a 404, and no mistake. */
export function regionFromLocation({ query }: DataAsk): Answer {
  const latitude = readDegrees(query, 'latitude', 90)
  const longitude = readDegrees(query, 'longitude', 180)
  const signalType = readSignal(query, 'co2_moer')
  const region = regionsOf(signalType).find(
    ({ box: [west, south, east, north] }) =>
      longitude >= west && longitude <= east && latitude >= south && latitude <= north,
  )
  if (region) return jsonAnswer(200, { region: region.code, region_full_name: region.name, signal_type: signalType })
  return jsonAnswer(404, {
    error: 'No coverage available for these coordinates and signal_type',
    latitude: query.get('latitude'),
    longitude: query.get('longitude'),
    signal_type: signalType,
  })
}

/** `GET /v3/maps`: shapes of all regions of a signal. */
export function maps({ query, account }: DataAsk): Answer {
  const signalType = readSignal(query)
  if (account.plan !== 'pro') throw invalidScope()
  return jsonAnswer(200, {
    type: 'FeatureCollection',
    features: regionsOf(signalType).map(featureOf),
    meta: { last_updated: writeInstant(MAPS_MADE), signal_type: signalType },
  })
}

function featureOf({ code, name, box: [west, south, east, north] }: Region): object {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return {
    type: 'Feature',
    properties: { region: code, region_full_name: name },
    geometry: { type: 'MultiPolygon', coordinates: [[ring]] },
  }
}

function readDegrees(query: URLSearchParams, name: string, limit: number): number {
  const text = query.get(name)
  if (text === null) throw invalidParameter(name, 'field required', 'value_error.missing')
  const degrees = text.trim() === '' ? NaN : Number(text)
  if (Math.abs(degrees) <= limit) return degrees
  throw invalidParameter(name, 'value is not a valid float', 'type_error.float')
}

function readSignal(query: URLSearchParams, otherwise?: string): string {
  const name = query.get('signal_type') ?? otherwise
  if (name === undefined) throw invalidParameter('signal_type', 'field required', 'value_error.missing')
  if (SIGNALS.some(signal => signal.name === name)) return name
  throw invalidParameter('signal_type', 'value is not a valid enumeration member', 'type_error.enum')
}
