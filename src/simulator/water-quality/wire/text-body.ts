import type { BodyStream } from '../../body-stream.ts'

const CHUNK_CHARACTERS = 65_536

/** A text put together from a head, items with a mark before each, and a tail. */
export interface TextParts {
  readonly head: string
  /** Stands before the first item. */
  readonly first: string
  /** Stands before every other one. */
  readonly between: string
  items(): Iterable<string>
  readonly tail: string
}

/** The text as bytes, a piece at a time. */
export function textBody(parts: TextParts): BodyStream {
  return {
    *chunks() {
      let text = parts.head
      let mark = parts.first
      for (const item of parts.items()) {
        text += mark + item
        mark = parts.between
        if (text.length < CHUNK_CHARACTERS) continue
        yield Buffer.from(text)
        text = ''
      }
      text += parts.tail
      if (text !== '') yield Buffer.from(text)
    },
  }
}

/** A collection of features in JSON. */
export function featureBody(features: () => Iterable<object>): BodyStream {
  return textBody({
    head: '{"type":"FeatureCollection","features":[',
    first: '',
    between: ',',
    *items() {
      for (const feature of features()) yield JSON.stringify(feature)
    },
    tail: ']}',
  })
}
