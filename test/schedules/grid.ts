/** The instants that a span asks for: whole multiples of the step, both ends included. */
export interface Grid {
  readonly size: number
  /** Place of an instant; -1 where it is none of the grid. */
  placeOf(instant: number): number
  /** Places of the first and the last instant inside a stretch; the first behind the last where there is none. */
  within(stretch: Stretch): { readonly from: number; readonly to: number }
}

/** A stretch of time in any of the forms in which it is told. */
export interface Stretch {
  readonly start: Date | number | string
  readonly end: Date | number | string
}

export function createGrid(start: number, end: number, stepMs: number): Grid {
  const first = Math.ceil(start / stepMs)
  const size = Math.max(0, Math.floor(end / stepMs) - first + 1)
  return {
    size,
    placeOf(instant) {
      const place = instant / stepMs - first
      return Number.isInteger(place) && place >= 0 && place < size ? place : -1
    },
    within: stretch => ({
      from: Math.max(0, Math.ceil(new Date(stretch.start).getTime() / stepMs) - first),
      to: Math.min(size - 1, Math.floor(new Date(stretch.end).getTime() / stepMs) - first),
    }),
  }
}
