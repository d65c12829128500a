import type { Column } from '../retrieval/index.ts'
import type { Command } from './command-tree.ts'
import { UsageError } from './failures.ts'
import { OUTPUT_FLAGS } from './output-flags.ts'
import { SERVICES } from './services.ts'
import { nearest } from '../nearest.ts'

const COLUMNS: readonly Column[] = ['service', 'setting', 'value', 'source'].map(name => ({ name, kind: 'text' }))

/** Every setting, its value, and where it came from. */
export const configCommand: Command = {
  name: 'config',
  summary: 'every setting, its value, and where it came from',
  about: 'Secrets are shown as set or not set only. Nothing is sent.',
  operands: [{ synopsis: '[service]', text: `one of ${Object.keys(SERVICES).join(', ')} (default: all)` }],
  groups: [{ title: 'Output:', flags: OUTPUT_FLAGS.filter(({ name }) => name === 'format' || name === 'output') }],
  examples: ['headrace config', 'headrace config emissions --format csv'],
  async run(typed, around) {
    const [chosen] = typed.operands
    const services = Object.entries(SERVICES).filter(([name]) => chosen === undefined || name === chosen)
    if (services.length === 0) {
      const guess = nearest(chosen ?? '', Object.keys(SERVICES))
      throw new UsageError(`there is no service '${chosen}'${guess ? `; did you mean ${guess}?` : ''}`)
    }
    const [{ answer }, { Retrieval }] = await Promise.all([import('./answer.ts'), import('../retrieval/index.ts')])
    const rows = await Promise.all(
      services.map(async ([service, { load }]) => {
        const client = (await load()).connect({ env: around.env })
        return client.describeSettings().map(origin => ({ service, ...origin }))
      }),
    )
    const settings = new Retrieval({
      service: 'headrace',
      operation: 'config',
      rows: rows.flat(),
      meta: [],
      columns: COLUMNS,
      warnings: [],
      completeness: undefined,
    })
    return answer(async () => settings, typed, { ...around, quiet: true })
  },
}
