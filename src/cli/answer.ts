import { jsonText, showProgress, summaryOf, type Retrieval } from '../retrieval/index.ts'
import type { CallOptions } from '../transport/index.ts'
import type { Ending, Surroundings, Typed } from './command-tree.ts'
import { OUTCOMES, type Outcome } from './exit-code.ts'
import { UsageError } from './failures.ts'
import { version } from '../version.ts'
import { verboseLogger } from './log-lines.ts'
import { openOutput, type OutputFile } from './output-file.ts'
import { formatOf, jsonRows, leftOut, textOf, type Format } from './output-format.ts'

/** Asks, with what is needed beside the question: options of a client, options of the call. */
export type Asking = (options: Readonly<Record<string, unknown>>, call: CallOptions) => Promise<Retrieval>

/** Asks once and writes what came, to standard output or to a file. */
export async function answer(ask: Asking, typed: Typed, around: Surroundings): Promise<Ending> {
  const { terminal, json, quiet, verbose, signal, tag } = around
  const path = textBehind(typed, 'output')
  const given = textBehind(typed, 'format')
  if (json && given !== undefined && path === undefined)
    throw new UsageError('--json is a format of its own: leave out --format, or write to a file with --output')
  const format = json && path === undefined ? 'json' : formatOf(given, path)
  const file = path === undefined ? undefined : await openOutput(path, tag)
  try {
    // What is not installed is known before anything is asked for.
    const table = file && format === 'parquet' ? await parquetInto(file) : undefined
    const logger = verboseLogger(terminal, verbose)
    const progress = quiet || json ? undefined : terminal.progress
    const result = await ask(logger ? { logger } : {}, {
      signal,
      ...(progress ? { onEvent: showProgress({ stream: progress }) } : {}),
    })
    signal.throwIfAborted()
    const outcome = outcomeOfResult(result, typed)
    const written = file && (await store(file, result, format, table))
    if (json) await terminal.data(documentOf(result, outcome, written))
    else if (!written && format !== 'parquet') await terminal.data(textOf(result, format, terminal.width))
    if (!quiet && !json) tell(result, format, written, around)
    return { outcome }
  } finally {
    await file?.discard()
  }
}

interface Written {
  readonly file: string
  readonly format: Format
  readonly bytes: number
  /** What the format could not hold. */
  readonly losses: readonly string[]
}

async function store(
  file: OutputFile,
  result: Retrieval,
  format: Format,
  parquet: ((result: Retrieval) => Promise<readonly string[]>) | undefined,
): Promise<Written> {
  const losses = (await parquet?.(result)) ?? []
  if (format !== 'parquet') await file.write(textOf(result, format, 100))
  const { bytes } = await file.finish()
  return { file: file.path, format, bytes, losses }
}

/** Writes a result as bulk pulls do: instants are UTC timestamps, units stand in the file's own metadata. */
async function parquetInto(file: OutputFile): Promise<(result: Retrieval) => Promise<readonly string[]>> {
  const { openTable } = await import('../pull/index.ts')
  await openTable('parquet', { write: async () => {} }, [])
  return async ({ rows, columns, service, operation }) => {
    const table = await openTable('parquet', { write: part => file.write([part]) }, columns)
    await table.add(rows)
    await table.end({ headrace: version, service, operation })
    return table.losses()
  }
}

function outcomeOfResult({ rows, completeness }: Retrieval, { flags }: Typed): Outcome {
  if (rows.length === 0 && flags['failEmpty']?.at(-1) === true) return 'empty'
  const holes = completeness !== undefined && completeness.missing.length > 0
  return holes && flags['acceptHoles']?.at(-1) !== true ? 'holes' : 'ok'
}

/** Everything about a result in one JSON document; the rows last, since they may be many. */
function* documentOf(result: Retrieval, outcome: Outcome, written: Written | undefined): Generator<string, void, void> {
  const { service, operation, columns, warnings, completeness = null, meta } = result
  const head = { outcome, exitCode: OUTCOMES[outcome].exitCode, service, operation, count: result.length, columns }
  const { losses = [], ...output } = written ?? {}
  const facts = {
    ...head,
    warnings: [...warnings, ...losses],
    completeness,
    meta,
    ...(written ? { output } : {}),
  }
  const text = jsonText(facts)
  if (written) return yield `${text}\n`
  yield `${text.slice(0, -1)},"rows":[`
  yield* jsonRows(result)
  yield ']}\n'
}

/** What a result is, what it took and what is missing, for people. */
function tell(result: Retrieval, format: Format, written: Written | undefined, { terminal }: Surroundings): void {
  const { head, tail } = summaryOf(result)
  const left = written ? undefined : leftOut(result.length, format)
  const where = written ? `written to ${written.file}: ${written.bytes} bytes of ${written.format}` : undefined
  for (const loss of written?.losses ?? []) terminal.mark('warning', loss)
  terminal.note([...head, ...tail, ...(left ? [left] : []), ...(where ? [where] : [])].join('\n'))
}

function textBehind({ flags }: Typed, name: string): string | undefined {
  const given = flags[name]
  if (given !== undefined && given.length > 1) throw new UsageError(`--${name} is given more than once`)
  return given === undefined ? undefined : String(given[0])
}
