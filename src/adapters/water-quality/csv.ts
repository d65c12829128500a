import { StringDecoder } from 'node:string_decoder'
import Papa from 'papaparse'
import { excerpt, Failure, looksLikeMarkup, type BodyReader } from '../../transport/index.ts'

/** What takes a table in, row by row. */
export interface TableSink {
  /** Names of the columns as they came, once, before any row. */
  header(names: readonly string[]): void
  /** One row, as many fields as there are names. The list is the sink's to keep and to change. */
  row(fields: string[]): void
}

/** What is known of a table when all of it has been read. */
export interface TableEnd {
  /** Rows without the line of names. */
  readonly rows: number
}

/** The words of a query that broke down after rows had been sent: glued to the last field. */
const BROKE_DOWN = /Something bad happened\. Contact us with Reference Number: -?\d+\s*$/
/** What the first field of a row says when a provider behind the service gave up. */
const INCOMPLETE = 'ERROR: INCOMPLETE DATA'
/** The same where it is glued to the last field, as other failures are. */
const ENDS_INCOMPLETE = /ERROR: INCOMPLETE DATA\s*$/
/** How far behind the end the words of a failure are looked for. */
const TAIL = 300
/** Text is parsed in parts of this size: young text dies cheaply. */
const PART_BYTES = 64 * 1024
/** A row is shorter than this: a longer one is a quote that is never closed. */
const MOST_ROW_LENGTH = 4 * 1024 * 1024

/**
 * Reads comma-separated text while it arrives, strictly: every row has as many fields as there are names, and a quote
 * that is opened is closed. A byte-order mark, either line end, and blank lines are no part of the table.
 *
 * @throws Failure for what is no whole table: class `incomplete` where it says so itself or breaks off
 */
export function createTableReader(sink: TableSink): BodyReader {
  const decoder = new StringDecoder('utf8')
  let parser: InstanceType<typeof Papa.Parser> | undefined
  let names: readonly string[] | undefined
  let rest = ''
  let tail = ''
  let rows = 0
  /** Of the text that has been parsed. */
  let lines = 0

  const take = (part: Buffer): void => {
    for (let at = 0; at < part.length; at += PART_BYTES) read(decoder.write(part.subarray(at, at + PART_BYTES)))
  }

  const read = (text: string): void => {
    if (text === '') return
    rest += text
    tail = text.length >= TAIL ? text.slice(-TAIL) : (tail + text).slice(-TAIL)
    parser ??= begun(false)
    if (parser) parse(parser, false)
    if (rest.length > MOST_ROW_LENGTH) throw broken(`a quote on line ${lines + 1} is not closed`)
  }

  /** Once the first line is there, it says how lines end. */
  const begun = (isEnd: boolean): InstanceType<typeof Papa.Parser> | undefined => {
    const end = rest.indexOf('\n')
    if (end < 0 && !isEnd) return undefined
    if (rest.startsWith('\uFEFF')) rest = rest.slice(1)
    if (looksLikeMarkup(rest)) throw bad(`a web page came where a table was due: ${excerpt(rest)}`)
    if (/^\s*[{[]/.test(rest)) throw bad(`no table: its first line is ${excerpt(rest)}`)
    return new Papa.Parser({
      delimiter: ',',
      newline: rest.slice(0, rest.indexOf('\n')).endsWith('\r') ? '\r\n' : '\n',
    })
  }

  const parse = (by: InstanceType<typeof Papa.Parser>, isEnd: boolean): void => {
    const { data, errors, meta } = by.parse(rest, 0, !isEnd) as Papa.ParseResult<string[]>
    const parsed = isEnd ? rest : rest.slice(0, meta.cursor)
    rest = isEnd ? '' : rest.slice(meta.cursor)
    // A row that is parsed again when more of it is there may look wrong until then.
    const wrong = errors.find(({ row = 0 }) => row < data.length)
    if (wrong) throw broken(`${wrong.message.toLowerCase()}, near line ${lines + 1 + (wrong.row ?? 0)}`)
    for (let at = 0; at < data.length; at++) {
      const fields = data[at] as string[]
      if (fields.length === 1 && fields[0] === '') continue
      if (names === undefined) begin(fields)
      else accept(fields, names.length)
    }
    lines += linesIn(parsed)
  }

  const begin = (fields: readonly string[]): void => {
    if (fields.length < 2 || !fields.every(isName)) {
      throw BROKE_DOWN.test(tail) ? brokeDown() : bad(`no table: its first line is ${excerpt(fields.join(','))}`)
    }
    names = fields
    sink.header(fields)
  }

  const accept = (fields: string[], count: number): void => {
    if (fields[0]?.startsWith(INCOMPLETE))
      throw incomplete(`${excerpt(fields.join(' '))} (after ${rows} rows)`, fields[0])
    if (fields.length !== count)
      throw broken(`row ${rows + 1} has ${fields.length} fields, and there are ${count} columns`)
    rows += 1
    sink.row(fields)
  }

  const broken = (what: string): Failure =>
    BROKE_DOWN.test(tail) ? brokeDown() : incomplete(`the table breaks off after ${rows} rows: ${what}`)

  const brokeDown = (): Failure => {
    const words = BROKE_DOWN.exec(tail)?.[0].trim() ?? ''
    return incomplete(`the service broke down after ${rows} rows: ${words}`, words)
  }

  return {
    take,
    end(): TableEnd {
      read(decoder.end())
      if (rest === '' && names === undefined)
        throw bad('an empty answer where a table was due: not even a line of names')
      // Before the last row is looked at: the words are glued to it.
      if (BROKE_DOWN.test(tail)) throw brokeDown()
      parser ??= begun(true)
      if (parser && rest !== '') parse(parser, true)
      if (ENDS_INCOMPLETE.test(tail)) throw incomplete(`${INCOMPLETE}, at the end of row ${rows}`, INCOMPLETE)
      return { rows }
    },
  }
}

/** Names of columns: letters, digits and a few signs, never a sentence and never markup. */
function isName(text: string): boolean {
  return /^[A-Za-z][\w/.-]*$/.test(text)
}

function linesIn(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

function bad(message: string): Failure {
  return new Failure(message, { class: 'bad_response', status: 200 })
}

/** Half an answer says nothing about how much is too much: it has begun. */
function incomplete(message: string, serverMessage?: string): Failure {
  return new Failure(message, { class: 'incomplete', status: 200, begun: true, serverMessage })
}
