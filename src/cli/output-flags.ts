import type { Flag } from './flags.ts'

const plain = { list: 'no', required: false, secret: false } as const

/** Options of every command whose end is a table of rows. */
export const OUTPUT_FLAGS: readonly Flag[] = [
  {
    ...plain,
    name: 'format',
    flag: '--format',
    kind: 'text',
    text: 'table, csv, json, jsonl or parquet (default: table)',
  },
  { ...plain, name: 'output', flag: '--output', kind: 'text', text: 'file to write; it is there whole or not at all' },
  { ...plain, name: 'failEmpty', flag: '--fail-empty', kind: 'boolean', text: 'exit code 4 when nothing matched' },
  {
    ...plain,
    name: 'acceptHoles',
    flag: '--accept-holes',
    kind: 'boolean',
    text: 'exit code 0 when samples are missing',
  },
]
