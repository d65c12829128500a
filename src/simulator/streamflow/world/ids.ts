import { hashText, mix } from '../../hash.ts'

/**
 * Identifiers of records. They look random and come in an order that has nothing to do with time; yet the order of any
 * selection of them is known without sorting them all: the first group says which instant, the rest which series.
 */

/** Turns the number of an instant into the first group of its identifiers, one to one. */
export function scatter(index: number, salt: number): number {
  let word = (index ^ salt) >>> 0
  word = Math.imul(word ^ (word >>> 16), 0x21f0aaad)
  word = Math.imul(word ^ (word >>> 15), 0x735a2d97)
  return (word ^ (word >>> 15)) >>> 0
}

/** The way back: `gather(scatter(index, salt), salt)` is `index`. */
export function gather(word: number, salt: number): number {
  let index = word ^ (word >>> 15) ^ (word >>> 30)
  index = Math.imul(index, 0x97132227)
  index ^= (index >>> 15) ^ (index >>> 30)
  index = Math.imul(index, 0x333c4925)
  index ^= index >>> 16
  return (index ^ salt) | 0
}

/** The first group of an identifier. */
export function head(word: number): string {
  return word.toString(16).padStart(8, '0')
}

/** All groups but the first, of a series that nothing else is named like. */
export function tail(name: string): string {
  const hash = hashText(name)
  const [second = '', third = '', fourth = ''] = [1, 2, 3].map(word => head(mix(hash, word, name.length)))
  const variant = '89ab'[hash % 4] ?? '8'
  return `-${second.slice(0, 4)}-4${second.slice(5)}-${variant}${third.slice(5)}-${third.slice(0, 4)}${fourth}`
}

/** A whole identifier, for a record that is the only one of its name. */
export function uuid(name: string): string {
  return head(mix(hashText(name), 9, 9)) + tail(name)
}
