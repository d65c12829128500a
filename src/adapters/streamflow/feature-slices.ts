/**
 * Reads a large page of features slice by slice, so that what is parsed is soon forgotten and never all of it is
 * there at once: half of the time that a large page takes is spent on keeping its parts alive.
 */

/** What stands around the features of a page: everything but they. */
export type Surroundings = Readonly<Record<string, unknown>>

/** A shorter page is parsed whole. */
const LEAST_BYTES = 256 * 1024
const SLICE_BYTES = 64 * 1024
/** How far behind a slice its border is looked for. */
const BORDER_BYTES = 16 * 1024
const HEAD_BYTES = 4096
const START = /"features"\s*:\s*\[/
const BORDER = /\}\s*,\s*(?=\{)/g
/** Borders that turn out to be none, for one slice: features that hold lists of objects have many. */
const MOST_TRIES = 16

/**
 * Hands on the features of a page one by one.
 *
 * A border between two features is only guessed, but proven: a slice that begins with a feature and parses as a list
 * ends with one.
 *
 * @returns what stands around them; `undefined`, before anything is handed on or after, where the page is not as it
 *   usually is: then it must be read whole
 */
export function eachFeature(body: Buffer, visit: (feature: unknown) => void): Surroundings | undefined {
  if (body.length < LEAST_BYTES) return undefined
  const start = START.exec(body.toString('latin1', 0, HEAD_BYTES))
  if (start === null) return undefined
  const first = start.index + start[0].length
  for (let from = first; ;) {
    const slice = sliceFrom(body, from)
    if (slice === undefined) return undefined
    for (const feature of slice.features) visit(feature)
    if (slice.isLast) return surroundings(body.toString('utf8', 0, first) + body.toString('utf8', slice.to))
    // Behind the comma.
    from = body.indexOf(0x2c, slice.to) + 1
  }
}

/** Some features in a row. */
interface Slice {
  readonly features: readonly unknown[]
  /** Just behind the last of them. */
  readonly to: number
  readonly isLast: boolean
}

/** The features from a place on; nothing where no border can be proven. */
function sliceFrom(body: Buffer, from: number): Slice | undefined {
  const near = from + SLICE_BYTES
  if (near < body.length) {
    let tries = 0
    for (const { index } of body.toString('latin1', near, near + BORDER_BYTES).matchAll(BORDER)) {
      const to = near + index + 1
      const features = parsed(bracketed(body, from, to))
      if (features) return { features, to, isLast: false }
      tries += 1
      if (tries === MOST_TRIES) return undefined
    }
  }
  // No border behind it: these are the last, or the next one is far.
  const to = endOfList(body, from)
  const features = to === undefined ? undefined : parsed(bracketed(body, from, to))
  return features && to !== undefined ? { features, to, isLast: true } : undefined
}

function parsed(list: string): readonly unknown[] | undefined {
  try {
    return JSON.parse(list) as unknown[]
  } catch {
    return undefined
  }
}

/**
 * The text of some features as a list. The brackets are written over the bytes beside them, which are put back: the
 * text is then made in one piece, and not copied once more to get its brackets.
 */
function bracketed(body: Buffer, from: number, to: number): string {
  const before = body[from - 1] as number
  const behind = body[to] as number
  body[from - 1] = 0x5b
  body[to] = 0x5d
  const list = body.toString('utf8', from - 1, to + 1)
  body[from - 1] = before
  body[to] = behind
  return list
}

/** Place of the bracket that ends the list in which a place lies. */
function endOfList(body: Buffer, from: number): number | undefined {
  let depth = 0
  let inText = false
  for (let at = from; at < body.length; at++) {
    const byte = body[at]
    if (inText) {
      if (byte === 0x5c) at += 1
      else if (byte === 0x22) inText = false
    } else if (byte === 0x22) inText = true
    else if (byte === 0x7b || byte === 0x5b) depth += 1
    else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) return byte === 0x5d ? at : undefined
      depth -= 1
    }
  }
  return undefined
}

/** The page with its list left empty. */
function surroundings(text: string): Surroundings | undefined {
  try {
    const value = JSON.parse(text) as Surroundings
    const { features } = value
    return Array.isArray(features) && features.length === 0 ? value : undefined
  } catch {
    return undefined
  }
}
