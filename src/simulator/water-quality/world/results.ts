import { mix, unit } from '../../hash.ts'
import type { Activity } from './activities.ts'
import { ABOVE_WORDS, BELOW_WORDS, HELD_BACK, type Censoring } from './censoring.ts'
import { PANELS, type Characteristic } from './characteristics.ts'

/** The two ways the same data are told. Samples speaks the newer one. */
export type Telling = 'older' | 'newer'

/** One measured value, or the word that there is none. */
export interface Result {
  readonly activity: Activity
  /** Place in the activity, from 0. */
  readonly slot: number
  readonly characteristic: Characteristic
  /** Value as it is written: a number, a word, or nothing. */
  readonly text: string
  readonly condition: string
  readonly limit: string
  readonly comment: string
  /** What the text means; `null` where it is no number, or where it must not count. */
  readonly value: number | null
  readonly censored: Censoring
}

/** Places of an activity's results, the twin of the first one last. */
export function slotsOf({ panel, hasTwin, specimen }: Activity): number {
  if (specimen) return specimen.results.length
  return panel.characteristics.length + (hasTwin ? 1 : 0)
}

/** What a place holds. */
export function characteristicAt({ panel, specimen }: Activity, slot: number): Characteristic {
  const found = panel.characteristics[specimen || slot >= panel.characteristics.length ? 0 : slot]
  // A specimen stands for phosphorus, whatever its panel.
  const told = specimen ? PHOSPHORUS : found
  if (told === undefined) throw new RangeError(`no characteristic at ${slot}`)
  return told
}

/** A pure function of the site, the activity and the place. */
export function resultAt(activity: Activity, slot: number, telling: Telling): Result {
  const characteristic = characteristicAt(activity, slot)
  const { specimen } = activity
  if (specimen) {
    const { text = '', condition = '', limit = '', comment = '', value, censored } = specimen.results[slot] ?? {}
    return {
      activity,
      slot,
      characteristic,
      text,
      condition,
      limit,
      comment,
      value: value ?? null,
      censored: censored ?? null,
    }
  }
  // The twin repeats the first: same value, another identifier.
  const own = slot >= activity.panel.characteristics.length ? 0 : slot
  return { activity, slot, characteristic, comment: '', ...measure(activity, own, characteristic, telling) }
}

type Measured = Pick<Result, 'text' | 'condition' | 'limit' | 'value' | 'censored'>

function measure(activity: Activity, slot: number, characteristic: Characteristic, telling: Telling): Measured {
  const draw = mix(activity.hash, slot, 31)
  const { middle, decimals, limit, undetected = 0 } = characteristic
  const isSurvey = activity.feed.site.organization.provider === 'NWIS'
  if (limit !== undefined && unit(draw) < undetected) return notDetected(activity, characteristic, draw)
  const value = Number((middle * (0.5 + unit(mix(draw, 1)))).toFixed(decimals))
  const text = isSurvey && telling === 'newer' ? exactText(value) : value.toFixed(decimals)
  // Limits stand beside ordinary values, too, and say nothing there.
  const shown = limit !== undefined && draw % 5 === 0 ? String(limit) : ''
  if (draw % 400 === 3 && limit !== undefined) {
    return {
      text: '',
      condition: ABOVE_WORDS[draw % 2] ?? '',
      limit: String(middle * 2),
      value: null,
      censored: 'above',
    }
  }
  if (isSurvey && telling === 'older' && draw % 500 === 4) {
    return { text: '', condition: HELD_BACK, limit: shown, value: null, censored: 'below' }
  }
  return { text, condition: '', limit: shown, value, censored: null }
}

function notDetected({ site }: Activity, { limit = 0 }: Characteristic, draw: number): Measured {
  const none = { value: null, censored: 'below' } as const
  const { provider, zoneHabit } = site.organization
  // Some write the limit into the value, and no condition.
  if (zoneHabit === 'volunteer') return { ...none, text: `<${limit}`, condition: '', limit: '' }
  const condition = provider === 'NWIS' ? 'Not Detected' : (BELOW_WORDS[(draw >>> 3) % BELOW_WORDS.length] ?? '')
  // A few say that there is a limit, and not which.
  return { ...none, text: draw % 300 === 0 ? '0' : '', condition, limit: draw % 250 === 1 ? '' : String(limit) }
}

/** As a language writes a double: `8.0`, `1e-05`. */
function exactText(value: number): string {
  if (Number.isInteger(value)) return `${value}.0`
  return value < 1e-4 ? value.toExponential().replace(/e-(\d)$/, 'e-0$1') : String(value)
}

const PHOSPHORUS = PANELS.flatMap(({ characteristics }) => characteristics).find(({ name }) => name === 'Phosphorus')
