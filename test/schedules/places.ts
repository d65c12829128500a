import { insist } from './third-outcome.ts'

/** For every place, how often it is counted. */
export type Places = Uint8Array

/** Places that are in none of these. */
export function without(size: number, ...sets: readonly Places[]): Places {
  return Uint8Array.from({ length: size }, (_, place) => (sets.some(set => set[place]) ? 0 : 1))
}

export function sum(one: Places, other: Places): Places {
  return one.map((count, place) => count + (other[place] ?? 0))
}

/** @throws ThirdOutcome when the sets differ, how often a place is counted included */
export function insistSame(got: Places, expected: Places, claim: string): void {
  const place = got.findIndex((count, at) => count !== expected[at])
  insist(place < 0, claim, `place ${place} of ${got.length}: ${got[place]} times, expected ${expected[place]}`)
}

/** @throws ThirdOutcome when the sets have a place in common */
export function insistApart(one: Places, other: Places, claim: string): void {
  const place = one.findIndex((count, at) => count > 0 && (other[at] ?? 0) > 0)
  insist(place < 0, claim, `place ${place} of ${one.length}`)
}
