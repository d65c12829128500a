import type { CacheStats } from '../transport/index.ts'
import type { Command, Surroundings, Typed } from './command-tree.ts'
import { bytesText } from './pull-progress.ts'

const FOLDER = {
  synopsis: '[folder]',
  text: "folder of the cache (default: that of HEADRACE_CACHE, else the user's own cache folder)",
}

/** What is kept on disk of earlier answers. */
export const cacheCommands: readonly Command[] = [
  {
    name: 'stats',
    summary: 'how many answers are kept, how large they are and how old',
    operands: [FOLDER],
    groups: [],
    examples: ['headrace cache stats', 'headrace cache stats ./cache'],
    async run(typed, around) {
      const { cacheStats } = await import('../transport/index.ts')
      const cache = await cacheStats(await folderOf(typed, around))
      if (!around.json) await around.terminal.data([statsText(cache)])
      return { outcome: 'ok', document: { cache } }
    },
  },
  {
    name: 'clear',
    summary: 'removes all kept answers, and nothing else that is in the folder',
    operands: [FOLDER],
    groups: [],
    examples: ['headrace cache clear', 'headrace cache clear ./cache'],
    async run(typed, around) {
      const { cacheStats, clearCache } = await import('../transport/index.ts')
      const removed = await cacheStats(await folderOf(typed, around))
      // A folder that was mistyped is left alone: nothing in it is ours.
      if (removed.entries > 0) await clearCache(removed.dir)
      if (!around.json && !around.quiet) around.terminal.note(removedText(removed))
      return { outcome: 'ok', document: { removed } }
    },
  },
]

/** The folder that was named, or that calls use in this environment. */
async function folderOf({ operands: [folder] }: Typed, { env }: Surroundings): Promise<string | undefined> {
  if (folder !== undefined) return folder
  const { resolveSettings } = await import('../transport/index.ts')
  const stated = { source: 'HEADRACE_CACHE', values: { cache: env['HEADRACE_CACHE'] } }
  return resolveSettings([stated]).options.cache?.dir
}

function statsText({ dir, entries, bytes, oldest, newest }: CacheStats): string {
  const rows = [
    ['folder', dir],
    ['answers', entries.toLocaleString('en-US')],
    ['size', bytesText(bytes)],
    ...(oldest && newest
      ? [
          ['oldest', oldest.toISOString()],
          ['newest', newest.toISOString()],
        ]
      : []),
  ]
  return rows.map(([name = '', value = '']) => `${name.padEnd(10)}${value}\n`).join('')
}

function removedText({ dir, entries, bytes }: CacheStats): string {
  if (entries === 0) return `nothing is kept in ${dir}`
  return `removed ${entries.toLocaleString('en-US')} answer${entries === 1 ? '' : 's'} (${bytesText(bytes)}) from ${dir}`
}
