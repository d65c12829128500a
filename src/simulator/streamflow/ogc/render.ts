import { head } from '../world/ids.ts'
import { fixedOf, type Found } from './plan.ts'
import type { Table, Track } from './table.ts'

/** Writes records as features. */
export type Writer = (found: Found) => string

/** What of a record is wanted. */
export interface Choice {
  /** Fields, in this order. */
  readonly properties: readonly string[]
  readonly skipGeometry: boolean
}

/** A feature with gaps: what is the same for all records of a track is written once. */
interface Form {
  readonly pieces: readonly string[]
  readonly fill: readonly ((track: Track, index: number) => string)[]
  readonly end: string
}

/** A writer for one choice. Keep it: it remembers the tracks that it has seen. */
export function createWriter(table: Table, choice: Choice): Writer {
  const forms = new WeakMap<Track, Form>()
  const isSingle = table.timing?.salt === undefined
  let word = -1
  let group = ''
  return found => {
    const { track, index } = found
    let form = forms.get(track)
    if (form === undefined) {
      form = formOf(table, track, choice)
      forms.set(track, form)
    }
    const { pieces, fill, end } = form
    let text = pieces[0] as string
    for (let gap = 0; gap < fill.length; gap++) {
      text += (fill[gap] as (track: Track, index: number) => string)(track, index) + (pieces[gap + 1] as string)
    }
    if (table.idText) return text + table.idText(track, index) + end
    if (isSingle) return `${text}${JSON.stringify(track.tail)}${end}`
    if (found.word !== word) {
      word = found.word
      group = head(word)
    }
    return `${text}"${group}${track.tail}"${end}`
  }
}

function formOf(table: Table, track: Track, { properties, skipGeometry }: Choice): Form {
  const pieces: string[] = []
  const fill: ((track: Track, index: number) => string)[] = []
  const fixed = fixedOf(table, track)
  let text = '{"type":"Feature","properties":{'
  properties.forEach((name, place) => {
    text += `${place === 0 ? '' : ','}"${name}":`
    const varying = table.varying[name]
    if (varying) {
      pieces.push(text)
      fill.push(varying)
      text = ''
    } else {
      text += JSON.stringify(fixed[name] ?? null)
    }
  })
  pieces.push(`${text}},"id":`)
  return { pieces, fill, end: `${geometryText(table, track, skipGeometry)}}` }
}

function geometryText(table: Table, { site }: Track, skipGeometry: boolean): string {
  const { geometry } = table.style
  if (geometry === 'absent') return ''
  // Some places are not known.
  const isKnown = geometry === 'point' && !skipGeometry && site !== undefined && site.n % 61 !== 60
  if (!isKnown) return ',"geometry":null'
  return `,"geometry":{"type":"Point","coordinates":[${site.coordinates.join(',')}]}`
}
