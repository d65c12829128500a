/**
 * Chance without chance: numbers that look random and are a pure function of what they are drawn for.
 * All words are 32-bit, so results are the same on every machine.
 */

/** Hash of a text (FNV-1a), as an unsigned 32-bit number. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Blends up to three words into one, each bit of the result depending on each bit of the input. */
export function mix(word: number, second = 0, third = 0): number {
  let hash = Math.imul(word ^ 0x2545f491, 0x9e3779b1) ^ second
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) ^ third
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 16), 0x27d4eb2f)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** A hash as a number from 0 (included) to 1 (excluded). */
export function unit(hash: number): number {
  return hash / 2 ** 32
}
