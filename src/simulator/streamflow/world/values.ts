import { mix } from '../../hash.ts'
import { textOf } from './parameters.ts'
import type { Series } from './series.ts'

const DAY_MS = 86_400_000

/** Rows from here on are provisional; before it, approved. */
export const PROVISIONAL_FROM = Date.UTC(2025, 9, 1)

/** How far a statistic lies from the mean, in levels. */
const SHIFTS: Readonly<Record<string, number>> = { '00001': 12, '00002': -12 }

const SEASON = Float64Array.from({ length: 366 }, (_, day) => Math.cos((2 * Math.PI * (day - 105)) / 365.25))

/**
 * Value of a series as text, at an instant that is one of its own. Now and then it is no number: `null` on a row that is
 * present, `Ice`, or an empty text.
 */
export function valueAt(series: Series, at: number): string | null {
  const odd = oddityAt(series, at)
  if (odd !== undefined) return odd
  return textOf(series.parameter, levelAt(series, at))
}

/** True when there is a row. */
export function hasRow(series: Series, at: number): boolean {
  if (!series.hasGaps) return true
  // A stretch of ten days at a time.
  return mix(series.hash, Math.floor(at / (10 * DAY_MS)), 31) % 12 !== 0
}

/** Level of a series: a whole number. */
export function levelAt({ parameter, statistic, hash, stepMs }: Series, at: number): number {
  const day = Math.floor(at / DAY_MS)
  const ofSite = (hash % 9) * 0.06 + 0.76
  const drift = ((mix(hash, day >> 3, 1) % 1024) / 1024 - 0.5) * parameter.noise * 2
  const daily = ((mix(hash, day, 2) % 1024) / 1024 - 0.5) * parameter.noise
  const instant = stepMs < DAY_MS ? ((mix(hash, at / 60_000, 3) % 1024) / 1024 - 0.5) * parameter.noise * 0.3 : 0
  const season = parameter.swing * (SEASON[dayOfYear(day)] ?? 0)
  return Math.max(
    0,
    Math.round(parameter.middle * ofSite + season + drift + daily + instant + (SHIFTS[statistic] ?? 0)),
  )
}

/** Good enough for a season: a year of 365.25 days. */
function dayOfYear(day: number): number {
  return Math.floor((((day % 1461) + 1461) % 1461) % 365.25)
}

function oddityAt(series: Series, at: number): string | null | undefined {
  const draw = drawAt(series, at)
  if (draw % 1009 === 0) return null
  if (draw % 4001 === 1) return 'Ice'
  if (draw % 7919 === 2) return ''
  return undefined
}

function drawAt({ hash, statistic }: Series, at: number): number {
  return mix(hash, at / 60_000, 40 + Number(statistic))
}

/** What is said about a value, or `null`. */
export function qualifierAt(series: Series, at: number): readonly string[] | null {
  const draw = drawAt(series, at)
  if (draw % 1009 === 0 || draw % 4001 === 1) return ICE
  if (draw % 7919 === 2) return EQUIPMENT
  if (draw % 211 === 3) return ESTIMATED
  return null
}

const ICE = ['ICE']
const EQUIPMENT = ['EQUIP', 'ESTIMATED']
const ESTIMATED = ['ESTIMATED']

/** `null` once in a while: seen on real rows. */
export function approvalAt(series: Series, at: number): string | null {
  if (drawAt(series, at) % 1511 === 5) return null
  return at < PROVISIONAL_FROM ? 'Approved' : 'Provisional'
}

/** When a row last changed. Years are approved as a whole; what is provisional appeared the day after. */
export function modifiedAt({ hash }: Series, at: number): string {
  if (at >= PROVISIONAL_FROM) return `${dateText(Math.floor(at / DAY_MS) + 1)}T15:43:16.002990+00:00`
  const year = Math.floor(at / (365.25 * DAY_MS))
  return STAMPS[mix(hash, year, 5) % STAMPS.length] ?? ''
}

const STAMPS: readonly string[] = Array.from({ length: 64 }, (_, n) => {
  const text = new Date(Date.UTC(2024, 11, 3, 9, 23, 1) + n * 600_000_000).toISOString().slice(0, 19)
  return `${text}.${String((n * 506_761 + 17) % 1_000_000).padStart(6, '0')}+00:00`
})

const dates = new Map<number, string>()

/** A day, counted from 1970, as `2024-02-29`. */
export function dateText(day: number): string {
  const known = dates.get(day) ?? new Date(day * DAY_MS).toISOString().slice(0, 10)
  if (dates.size > 200_000) dates.clear()
  dates.set(day, known)
  return known
}
