import type { PullFormat, PullPlan, PullReport, PullSpec } from '../pull/index.ts'
import type { Command, Ending, Surroundings, Typed } from './command-tree.ts'
import { UsageError } from './failures.ts'
import { valueOf, type Flag } from './flags.ts'
import { systemClock } from '../clock.ts'
import { clientSettings, RUN_FLAGS, runOptions, typedValues } from './run-flags.ts'
import { shellWord } from './shell-word.ts'
import { SPEC_FLAGS, SPEC_OPERAND, typedSpec } from './typed-spec.ts'

const plain = { list: 'no', required: false, secret: false } as const

const FORMAT: Flag = {
  ...plain,
  name: 'format',
  flag: '--format',
  kind: 'text',
  text: "csv, jsonl or parquet (default: the file's, the folder's, then csv)",
}
const OUT: Flag = { ...plain, name: 'out', flag: '--out', kind: 'text', text: 'folder for data, metadata and manifest' }
const TASKS: Flag = { ...plain, name: 'tasks', flag: '--tasks', kind: 'boolean', text: 'list every task' }
export const COMPACT: Flag = {
  ...plain,
  name: 'compact',
  flag: '--compact',
  kind: 'boolean',
  text: 'join small files at the end (default: yes)',
}
export const ACCEPT_HOLES: Flag = {
  ...plain,
  name: 'acceptHoles',
  flag: '--accept-holes',
  kind: 'boolean',
  text: 'take the holes as they are: they are listed, and count no more',
}

const EXAMPLE =
  '--service emissions --operation historical --each region=CAISO_NORTH,PJM_DC --start 2024-01-01 --end 2024-02-29T23:55Z'

/** What a pull would cost. */
export const planCommand: Command = {
  name: 'plan',
  summary: 'what a pull would do and cost; no data request is sent',
  operands: [SPEC_OPERAND],
  groups: [
    { title: 'What:', flags: SPEC_FLAGS },
    { title: 'Where:', flags: [{ ...OUT, text: 'folder whose manifest says what is there already' }, FORMAT] },
    { title: 'Output:', flags: [TASKS] },
    ...RUN_FLAGS,
  ],
  examples: ['headrace plan pull.yaml', `headrace plan ${EXAMPLE}`],
  async run(typed, around) {
    const spec = await typedSpec(typed)
    const [{ planPull }, { planText }] = await Promise.all([import('../pull/index.ts'), import('./pull-text.ts')])
    const { parallel } = runOptions(typed, around)
    const plan = await planPull(spec, {
      ...typedValues([OUT], typed),
      ...formatOption(typed),
      ...(parallel === undefined ? {} : { parallel }),
      signal: around.signal,
      settings: clientSettings(typed, around),
    })
    if (!around.json) {
      await around.terminal.data([`${planText(plan)}\n`])
      if (typed.flags['tasks']?.at(-1) === true) await around.terminal.data(await taskTable(plan, around))
    }
    return { outcome: 'ok', document: { plan } }
  },
}

/** Pulls. */
export const pullCommand: Command = {
  name: 'pull',
  summary: 'many series into files; run again, it does what is missing',
  about: 'Can be stopped or killed at any moment: what is done stays done, and no half file stands under a final name.',
  operands: [SPEC_OPERAND],
  groups: [
    { title: 'What:', flags: SPEC_FLAGS },
    { title: 'Where:', flags: [OUT, FORMAT, COMPACT, ACCEPT_HOLES] },
    ...RUN_FLAGS,
  ],
  examples: ['headrace pull pull.yaml --out data --format parquet', `headrace pull ${EXAMPLE} --out data`],
  again: ({ flags }, { report }) =>
    report === undefined ? undefined : `headrace resume ${shellWord(String(flags['out']?.at(-1)))}`,
  async run(typed, around) {
    const [out] = typed.flags['out'] ?? []
    if (!out) throw new UsageError('--out is missing: say into which folder')
    return pullInto(String(out), await typedSpec(typed), typed, around)
  },
}

/** Goes on with what a folder says was begun. */
export const resumeCommand: Command = {
  name: 'resume',
  summary: 'what is left of the newest pull into a folder',
  operands: [{ synopsis: '<folder>', text: 'folder of an earlier pull' }],
  groups: [{ title: 'Where:', flags: [COMPACT, ACCEPT_HOLES] }, ...RUN_FLAGS],
  examples: ['headrace resume data'],
  again: ({ operands: [out = ''] }) => `headrace resume ${shellWord(out)}`,
  async run(typed, around) {
    const [out = ''] = typed.operands
    const spec = await knownFolder(out)
    return pullInto(out, spec, typed, around)
  },
}

/**
 * What was pulled into a folder: a name that is mistyped must not pass for an empty one.
 *
 * @throws UsageError
 */
export async function knownFolder(out: string): Promise<PullSpec> {
  const { status } = await import('../pull/index.ts')
  const { spec } = await status(out)
  if (spec === undefined) throw new UsageError(`nothing was pulled into ${out} yet; begin with: headrace pull`)
  return spec
}

async function pullInto(out: string, spec: PullSpec, typed: Typed, around: Surroundings): Promise<Ending> {
  const [{ pull }, { reportText }, { tellProgress }] = await Promise.all([
    import('../pull/index.ts'),
    import('./pull-text.ts'),
    import('./pull-progress.ts'),
  ])
  const { terminal, quiet, json, verbose } = around
  const told = new Set<string>()
  const report = await pull(spec, {
    ...runOptions(typed, around),
    ...typedValues([COMPACT, ACCEPT_HOLES], typed),
    ...formatOption(typed),
    out,
    ...(quiet
      ? {}
      : { onEvent: tellProgress(json ? { ...terminal, progress: undefined } : terminal, systemClock, verbose, told) }),
  })
  if (!quiet && !json)
    terminal.note(reportText(out, { ...report, warnings: report.warnings.filter(text => !told.has(text)) }))
  return { outcome: hasHoles(report) ? 'holes' : 'ok', document: { report } }
}

/** Whether there are holes that nobody has accepted. */
export function hasHoles({ holes }: Pick<PullReport, 'holes'>): boolean {
  return holes.some(({ accepted }) => !accepted)
}

const PULL_FORMATS: readonly PullFormat[] = ['csv', 'jsonl', 'parquet']

function formatOption({ flags }: Typed): { readonly format?: PullFormat } {
  if (flags['format'] === undefined) return {}
  return { format: valueOf({ ...FORMAT, choices: PULL_FORMATS }, flags['format']) as PullFormat }
}

async function taskTable({ tasks }: PullPlan, { terminal }: Surroundings): Promise<readonly string[]> {
  const [{ tableLines }, { labels }] = await Promise.all([
    import('../retrieval/index.ts'),
    import('./pull-progress.ts'),
  ])
  const rows = tasks.map(({ operation, series, span, requests, expectedRows, covered }) => ({
    operation,
    series: labels(series),
    start: span?.start ?? null,
    end: span?.end ?? null,
    requests: requests.low,
    rows: expectedRows ?? null,
    covered,
  }))
  const columns = [
    { name: 'operation', kind: 'text' },
    { name: 'series', kind: 'text' },
    { name: 'start', kind: 'instant' },
    { name: 'end', kind: 'instant' },
    { name: 'requests', kind: 'number' },
    { name: 'rows', kind: 'number' },
    { name: 'covered', kind: 'boolean' },
  ] as const
  return ['\n', `${tableLines(rows, columns, terminal.width, { head: rows.length, tail: 0 }).join('\n')}\n`]
}
