/**
 * Reads a large page of features slice by slice while it arrives: neither its bytes nor what they say are ever there
 * all at once. Half of the time that a large page takes would be spent on keeping its parts alive.
 */

/** Takes a page's bytes and hands on its features. */
export interface FeatureSlices {
  take(part: Buffer): void
  /** The page without the features that have been handed on. A small page is all there, and so is an unusual one. */
  rest(): Buffer
}

const SLICE_BYTES = 64 * 1024
/** How far behind a slice its border is looked for. */
const BORDER_BYTES = 16 * 1024
const ENOUGH_BYTES = SLICE_BYTES + BORDER_BYTES
const HEAD_BYTES = 4096
const START = /"features"\s*:\s*\[/
const BORDER = /\}\s*,\s*(?=\{)/g
/** Borders that turn out to be none, for one slice: features that hold lists of objects have many. */
const MOST_TRIES = 16
const BRACKET = Buffer.from('[')

/**
 * A border between two features is only guessed, but proven: a slice that begins with a feature and parses as a list
 * ends with one. Where none can be proven, the features from there on are left in the rest.
 */
export function createFeatureSlices(visit: (feature: unknown) => void): FeatureSlices {
  /** What stands in front of the list. */
  let head: Buffer | undefined
  /** From the bracket of the list on; later from the comma in front of the first feature that is left. */
  let room = Buffer.alloc(0)
  let filled = 0
  let isUsual = true

  const put = (part: Buffer): void => {
    if (filled + part.length > room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(filled + part.length, 2 * room.length))
      room.copy(larger, 0, 0, filled)
      room = larger
    }
    filled += part.copy(room, filled)
  }
  const drop = (count: number): void => {
    room.copyWithin(0, count, filled)
    filled -= count
  }

  const begin = (): void => {
    const start = startOfList(room.subarray(0, filled))
    isUsual = start !== undefined
    if (start === undefined) return
    head = Buffer.from(room.subarray(0, start))
    drop(start)
  }

  const handOn = (): void => {
    let from = 0
    while (filled - from >= ENOUGH_BYTES) {
      const list = room.subarray(from, filled)
      const slice = firstSlice(list)
      isUsual = slice !== undefined
      if (slice === undefined) break
      for (const feature of slice.features) visit(feature)
      from += list.indexOf(0x2c, slice.to)
    }
    drop(from)
  }

  return {
    take(part) {
      put(part)
      if (!isUsual || filled < ENOUGH_BYTES) return
      if (head === undefined) begin()
      if (isUsual) handOn()
    },
    rest() {
      const left = room.subarray(0, filled)
      return head === undefined ? left : Buffer.concat([head, BRACKET, left.subarray(1)])
    },
  }
}

/** Place of the bracket of a page's features; nothing where they do not come soon, or are those of something inside. */
function startOfList(page: Buffer): number | undefined {
  const start = START.exec(page.toString('latin1', 0, HEAD_BYTES))
  if (start === null) return undefined
  const bracket = start.index + start[0].length - 1
  try {
    const { features } = Object(JSON.parse(`${page.toString('utf8', 0, bracket)}[]}`)) as { features?: unknown }
    return Array.isArray(features) ? bracket : undefined
  } catch {
    return undefined
  }
}

/** Some features in a row. */
interface Slice {
  readonly features: readonly unknown[]
  /** Just behind the last of them. */
  readonly to: number
}

/** The first features of a list; nothing where no border can be proven. */
function firstSlice(list: Buffer): Slice | undefined {
  let tries = 0
  for (const { index } of list.toString('latin1', SLICE_BYTES, ENOUGH_BYTES).matchAll(BORDER)) {
    const to = SLICE_BYTES + index + 1
    const features = parsed(bracketed(list, to))
    if (features) return { features, to }
    tries += 1
    if (tries === MOST_TRIES) return undefined
  }
  return undefined
}

function parsed(list: string): readonly unknown[] | undefined {
  try {
    return JSON.parse(list) as unknown[]
  } catch {
    return undefined
  }
}

/**
 * The text of a list's first features as a list of its own. The brackets are written over the bytes beside them,
 * which are put back: the text is then made in one piece, and not copied once more to get its brackets.
 */
function bracketed(list: Buffer, to: number): string {
  const before = list[0] as number
  const behind = list[to] as number
  list[0] = 0x5b
  list[to] = 0x5d
  const text = list.toString('utf8', 0, to + 1)
  list[0] = before
  list[to] = behind
  return text
}
