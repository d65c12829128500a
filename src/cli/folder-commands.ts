import { systemClock } from '../clock.ts'
import type { Command } from './command-tree.ts'
import type { Flag } from './flags.ts'
import { ACCEPT_HOLES, COMPACT, hasHoles, knownFolder } from './pull-commands.ts'
import { shellWord } from './shell-word.ts'
import { RUN_FLAGS, runOptions, typedValues } from './run-flags.ts'

const plain = { list: 'no', required: false, secret: false } as const
const FOLDER = { synopsis: '<folder>', text: 'folder of an earlier pull' }

const REPAIR: Flag = {
  ...plain,
  name: 'repair',
  flag: '--repair',
  kind: 'boolean',
  text: 'ask for what is damaged or missing, nothing else',
}
const UNTIL: Flag = { ...plain, name: 'until', flag: '--until', kind: 'text', text: 'up to when (default: now)' }
const LOOK_BACK: Flag = {
  ...plain,
  name: 'lookBack',
  flag: '--look-back',
  kind: 'text',
  text: 'ask again for this much and compare, such as P30D',
}
const FAIL_UNCHANGED: Flag = {
  ...plain,
  name: 'failUnchanged',
  flag: '--fail-unchanged',
  kind: 'boolean',
  text: 'exit code 9 when there is nothing new',
}

/** What is in a folder. */
export const statusCommand: Command = {
  name: 'status',
  summary: 'what is in a folder, by its manifest; nothing is asked',
  operands: [FOLDER],
  groups: [],
  examples: ['headrace status data'],
  async run({ operands: [out = ''] }, { terminal, json }) {
    const [{ status }, { statusText }] = await Promise.all([import('../pull/index.ts'), import('./pull-text.ts')])
    const found = await status(out)
    if (!json) await terminal.data([`${statusText(found)}\n`])
    return { outcome: 'ok', document: { status: found } }
  },
}

/** Whether a folder is what its manifest says. */
export const verifyCommand: Command = {
  name: 'verify',
  summary: 'whether every file is what the manifest says, and what is missing',
  operands: [FOLDER],
  groups: [{ title: 'What to do:', flags: [REPAIR, ACCEPT_HOLES] }, ...RUN_FLAGS],
  examples: ['headrace verify data', 'headrace verify data --repair'],
  again: ({ operands: [out = ''], flags }) =>
    `headrace verify ${shellWord(out)}${flags['repair']?.at(-1) === true ? ' --repair' : ''}`,
  async run(typed, around) {
    const [out = ''] = typed.operands
    const [{ verify }, { verifyText }] = await Promise.all([import('../pull/index.ts'), import('./pull-text.ts')])
    await knownFolder(out)
    const { acceptHoles, ...rest } = typedValues([REPAIR, ACCEPT_HOLES], typed)
    const found = await verify(out, { ...runOptions(typed, around), ...rest, accept: acceptHoles === true })
    if (!around.json) await around.terminal.data([`${verifyText(found)}\n`])
    const outcome = found.damaged.length > 0 ? 'local' : hasHoles(found) ? 'holes' : 'ok'
    return { outcome, document: { verify: found } }
  },
}

/** Brings a folder up to date. */
export const syncCommand: Command = {
  name: 'sync',
  summary: 'what is new or revised since the last pull or sync',
  operands: [FOLDER],
  groups: [{ title: 'What:', flags: [UNTIL, LOOK_BACK, COMPACT, ACCEPT_HOLES, FAIL_UNCHANGED] }, ...RUN_FLAGS],
  examples: ['headrace sync data', 'headrace sync data --look-back P30D --fail-unchanged'],
  again: ({ operands: [out = ''] }) => `headrace sync ${shellWord(out)}`,
  async run(typed, around) {
    const [out = ''] = typed.operands
    const [{ sync }, { syncText }, { tellProgress }] = await Promise.all([
      import('../pull/index.ts'),
      import('./pull-text.ts'),
      import('./pull-progress.ts'),
    ])
    const { terminal, quiet, json, verbose } = around
    const told = new Set<string>()
    await knownFolder(out)
    const report = await sync(undefined, {
      ...runOptions(typed, around),
      ...typedValues([UNTIL, LOOK_BACK, COMPACT, ACCEPT_HOLES], typed),
      out,
      ...(quiet
        ? {}
        : {
            onEvent: tellProgress(json ? { ...terminal, progress: undefined } : terminal, systemClock, verbose, told),
          }),
    })
    if (!quiet && !json)
      terminal.note(syncText(out, { ...report, warnings: report.warnings.filter(text => !told.has(text)) }))
    const isIdle = report.outcome === 'unchanged' && typed.flags['failUnchanged']?.at(-1) === true
    return { outcome: hasHoles(report) ? 'holes' : isIdle ? 'unchanged' : 'ok', document: { report } }
  },
}
