/**
 * Tab-separated tables as the surveys publish them: comments, a line of names, a line of widths, and rows. Everything
 * is text, and stays so.
 */

/** A table as it stands in a file. */
export interface RdbTable {
  /** Lines that begin with a number sign, without it. */
  readonly comments: readonly string[]
  readonly columns: readonly string[]
  /** Widths and kinds, such as `15s`, one for each column. */
  readonly formats: readonly string[]
  readonly rows: readonly Readonly<Record<string, string>>[]
}

/** A text that is no such table. */
export class RdbError extends Error {
  override readonly name = 'RdbError'
}

const FORMAT = /^\d+[a-z]$/i

/**
 * Reads a table.
 *
 * @throws RdbError saying which line is not as it should be
 */
export function parseRdb(text: string): RdbTable {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const comments: string[] = []
  let at = 0
  for (; at < lines.length && (lines[at]?.startsWith('#') || lines[at]?.trim() === ''); at++) {
    if (lines[at] !== '') comments.push((lines[at] as string).slice(1).trim())
  }
  const columns = fieldsOf(lines[at])
  const formats = fieldsOf(lines[at + 1])
  if (columns.length === 0) throw new RdbError('no table: there is no line of names')
  if (formats.length !== columns.length || !formats.every(format => FORMAT.test(format.trim()))) {
    throw new RdbError(
      `line ${at + 2} must state a width for each of ${columns.length} columns: ${lines[at + 1]?.slice(0, 80) ?? 'nothing'}`,
    )
  }
  if (new Set(columns).size !== columns.length)
    throw new RdbError(`line ${at + 1} names a column twice: ${columns.join(', ')}`)
  const rows = lines
    .slice(at + 2)
    .flatMap((line, index) => (line === '' || line.startsWith('#') ? [] : [rowOf(line, columns, at + 3 + index)]))
  return { comments, columns, formats: formats.map(format => format.trim()), rows }
}

/** Facts that comments state in the form `WORDS NAME="value" OTHER=value`, under `WORDS NAME`; of several, the last. */
export function factsIn(comments: readonly string[]): Record<string, string> {
  const facts: Record<string, string> = {}
  for (const comment of comments) {
    const words = /^(?:\/\/)?([A-Z_ ]*?)(?=[A-Z_\d]+=)/.exec(comment)?.[1]?.trim() ?? ''
    for (const [, name = '', quoted, bare] of comment.matchAll(/([A-Z_\d]+)=(?:"([^"]*)"|(\S*))/g)) {
      facts[[words, name].filter(Boolean).join(' ')] = (quoted ?? bare ?? '').trim()
    }
  }
  return facts
}

function fieldsOf(line: string | undefined): readonly string[] {
  return line === undefined || line === '' ? [] : line.split('\t')
}

/** Fields at the end may be left out; more than there are columns would be lost. */
function rowOf(line: string, columns: readonly string[], number: number): Record<string, string> {
  const fields = line.split('\t')
  if (fields.length > columns.length)
    throw new RdbError(`line ${number} has ${fields.length} fields, and there are ${columns.length} columns`)
  return Object.fromEntries(columns.map((name, at) => [name, fields[at] ?? '']))
}
