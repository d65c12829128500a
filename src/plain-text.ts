/** Text for people: no control character of a service reaches a terminal or a picture, and every width is kept. */

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu
const NO_WIDTH = /[\p{Mn}\p{Me}]/gu

/** Control, direction and other characters that are not seen, shown as the escapes of JavaScript. */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, escapeOf)
}

/** Columns of a terminal that a text takes. */
export function textWidth(text: string): number {
  return [...text].length + count(text, WIDE) - count(text, NO_WIDTH)
}

/** A text made visible and cut to a width, with `…` where something is left out. */
export function fitText(text: string, width: number): string {
  // Longer than could be shown: not worth escaping to its end.
  const visible = visibleText(text.slice(0, 4 * width + 1))
  if (textWidth(visible) <= width && text.length <= 4 * width) return visible
  let kept = ''
  let used = 1
  for (const character of visible) {
    used += textWidth(character)
    if (used > width) break
    kept += character
  }
  return `${kept}…`
}

/** Joins parts by commas to lines of a width; lines after the first are indented. */
export function wrapParts(parts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    const longer = last === undefined ? fitText(part, width) : `${last}, ${part}`
    if (last === undefined) lines.push(longer)
    else if (textWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(`  ${fitText(part, width - 2)}`)
  }
  return lines
}

/** Words in lines of a width; a word that is wider than a line has one of its own, whole. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && textWidth(last) + 1 + textWidth(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function escapeOf(character: string): string {
  const short = SHORT_ESCAPES[character]
  if (short !== undefined) return short
  const code = character.codePointAt(0) ?? 0
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
