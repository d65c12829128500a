import { deflate, type BodyStream } from '../../body-stream.ts'

const UTF8_AND_SIZES_LATER = 0x0808
const DEFLATED = 8
/** 2021-07-04, as such archives count time. */
const DATE = ((2021 - 1980) << 9) | (7 << 5) | 4

/** An archive with one entry, its sizes written after it, as a stream must. */
export function zipStream(name: string, content: BodyStream): BodyStream {
  const label = Buffer.from(name)
  return {
    *chunks() {
      const inner = deflate(content)
      let packed = 0
      const head = record(0x04034b50, 30, view => entry(view, 4, label.length))
      yield Buffer.concat([head, label])
      for (const chunk of inner.chunks()) {
        packed += chunk.length
        yield chunk
      }
      const sizes = (view: Buffer, at: number): void => {
        view.writeUInt32LE(inner.crc, at)
        view.writeUInt32LE(packed, at + 4)
        view.writeUInt32LE(inner.size, at + 8)
      }
      const after = record(0x08074b50, 16, view => sizes(view, 4))
      const central = record(0x02014b50, 46, view => {
        view.writeUInt16LE(20, 4)
        entry(view, 6, label.length)
        sizes(view, 16)
      })
      const start = head.length + label.length + packed + after.length
      const end = record(0x06054b50, 22, view => {
        view.writeUInt16LE(1, 8)
        view.writeUInt16LE(1, 10)
        view.writeUInt32LE(central.length + label.length, 12)
        view.writeUInt32LE(start, 16)
      })
      yield Buffer.concat([after, central, label, end])
    },
  }
}

function record(signature: number, length: number, fill: (view: Buffer) => void): Buffer {
  const view = Buffer.alloc(length)
  view.writeUInt32LE(signature, 0)
  fill(view)
  return view
}

/** What the entry and its line in the directory have in common. Sizes stay zero here. */
function entry(view: Buffer, at: number, nameLength: number): void {
  view.writeUInt16LE(20, at)
  view.writeUInt16LE(UTF8_AND_SIZES_LATER, at + 2)
  view.writeUInt16LE(DEFLATED, at + 4)
  view.writeUInt16LE(DATE, at + 8)
  view.writeUInt16LE(nameLength, at + 22)
}
