import { askCommands } from './ask-commands.ts'
import { codesCommand } from './codes-command.ts'
import { configCommand } from './config-command.ts'
import { statusCommand, syncCommand, verifyCommand } from './folder-commands.ts'
import type { Branch } from './command-tree.ts'
import type { CommandGroup } from './program.ts'
import { loadCommand } from './load-command.ts'
import { planCommand, pullCommand, resumeCommand } from './pull-commands.ts'
import { SERVICES } from './services.ts'
import { simulateCommand } from './simulate-command.ts'

const cacheBranch: Branch = {
  name: 'cache',
  summary: 'answers kept on disk: how many, and away with them',
  load: async () => (await import('./cache-commands.ts')).cacheCommands,
}

/** All commands. What is behind them is loaded when one is chosen. */
export function commandGroups(): readonly CommandGroup[] {
  return [
    {
      title: 'One call:',
      commands: Object.entries(SERVICES).map(([name, { summary, load }]) => ({
        name,
        summary,
        load: async () => askCommands(name, await load()),
      })),
    },
    {
      title: 'Bulk pulls:',
      commands: [planCommand, pullCommand, resumeCommand, statusCommand, verifyCommand, syncCommand, loadCommand],
    },
    { title: 'More:', commands: [codesCommand, configCommand, cacheBranch, simulateCommand] },
  ]
}
