import type { LegendItem } from './picture.ts'
import { textWidth } from '../plain-text.ts'

/** Pixels of the strip that shows what colours stand for. */
export const RAMP_WIDTH = 180
const RAMP_STEPS = 45
/** Pixels of a character, about: nobody measures text where there is no screen. */
const CHARACTER = 7
const MARK_AND_SPACE = 38

export interface LegendPlace {
  readonly item: LegendItem
  /** Pixels from the left. */
  readonly x: number
  readonly row: number
}

/** Where the items of a legend stand, in as many rows as they need. */
export function layOut(
  items: readonly LegendItem[],
  width: number,
): { readonly rows: number; readonly places: readonly LegendPlace[] } {
  const places: LegendPlace[] = []
  let [x, row] = [0, 0]
  for (const item of items) {
    const needed = MARK_AND_SPACE + CHARACTER * textWidth(item.text)
    if (x > 0 && x + needed > width) [x, row] = [0, row + 1]
    places.push({ item, x, row })
    x += needed
  }
  return { rows: items.length === 0 ? 0 : row + 1, places }
}

/** The strip in steps, each with the number in its middle. */
export function rampSteps([low, high]: readonly [number, number]): {
  readonly x: number
  readonly width: number
  readonly value: number
}[] {
  const width = RAMP_WIDTH / RAMP_STEPS
  return Array.from({ length: RAMP_STEPS }, (_, at) => ({
    x: at * width,
    width,
    value: low + ((at + 0.5) / RAMP_STEPS) * (high - low),
  }))
}
