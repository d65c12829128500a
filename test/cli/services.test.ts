import { describe, expect, it } from 'vitest'
import { askCommands } from '../../src/cli/ask-commands.ts'
import { callFlags } from '../../src/cli/call-flags.ts'
import { commandName } from '../../src/cli/flag-names.ts'
import { SERVICES } from '../../src/cli/services.ts'
import { simulated } from './headrace.ts'
import { TEST_API_KEY } from '../tooling/secrets.ts'

const descriptions = await Promise.all(
  Object.entries(SERVICES).map(async ([name, { load }]) => ({ name, description: await load() })),
)
const commands = descriptions.flatMap(({ name, description }) =>
  askCommands(name, description).map(command => ({ path: `${name} ${command.name}`, command })),
)

/** Settings of the transport that are functions or objects: no text can say them. */
const CODE_ONLY = ['retryWhen', 'backoff', 'logger']

/** The examples name real sites; the simulator has others. */
const SIMULATED_SITES = { 'USGS-05428500': 'USGS-01000000', 'USGS-05406500': 'USGS-05510007' } as const

describe.each(descriptions)('the description of $name', ({ name, description }) => {
  it('is of the service that its command is named for', () => {
    expect(description.service).toBe(name)
  })

  it('has every getter of the client', async () => {
    const door = (await import(`../../src/adapters/${name}/index.ts`)) as Record<string, unknown>
    const getters = Object.keys(door).filter(one => /^(get|register|request)/.test(one))
    expect(description.operations.map(({ operation }) => operation).sort()).toEqual(getters.sort())
  })

  it('has an option for every setting of the transport that text can state', () => {
    const settings = description.connect({ env: {} }).describeSettings()
    const own = description.options.map(option => option.name)
    const { client } = callFlags(description.options, [])
    const inText = settings.map(({ setting }) => setting).filter(one => !CODE_ONLY.includes(one))
    const flags = client.map(flag => flag.name)
    expect(inText.filter(setting => !flags.includes(setting))).toEqual(
      inText.filter(setting => setting === 'regionCacheMs'),
    )
    expect(flags.filter(flag => !own.includes(flag) && !inText.includes(flag))).toEqual([])
  })

  it.each(description.operations)('$operation has an example that works', async ({ operation, example }) => {
    const { env, simulator } = await simulated()
    const { url } = simulator
    const moved = description.options.filter(option => option.name.endsWith('Url'))
    const addresses = Object.fromEntries(moved.map(option => [option.name, url]))
    const client = description.connect({ env: { ...env, API_USGS_PAT: TEST_API_KEY }, ...addresses, retries: 0 })
    const account = operation === 'register' ? { username: 'somebody', password: 'a-passw0rd!' } : {}
    const text = Object.entries(SIMULATED_SITES).reduce(
      (before, [real, site]) => before.replaceAll(real, site),
      JSON.stringify(example.query),
    )
    const query = JSON.parse(text) as object
    const { columns } = await client.ask(operation, { ...query, ...account }, {}, example.name)
    expect(columns.length).toBeGreaterThan(0)
  })
})

describe('commands', () => {
  it.each(commands)('$path has no two options of one name', ({ command }) => {
    const flags = command.groups.flatMap(group => group.flags)
    const names = [...flags.map(flag => flag.name), 'json', 'quiet', 'verbose', 'version', 'help']
    expect(names.filter((one, at) => names.indexOf(one) !== at)).toEqual([])
  })

  it.each(commands)('$path explains every option but filters, which are fields of the service', ({ command }) => {
    const flags = command.groups.flatMap(group => group.flags)
    expect(flags.filter(flag => flag.text === '' && flag.list === 'no').map(flag => flag.flag)).toEqual([])
  })

  it('has no two commands of one name', () => {
    for (const { description } of descriptions) {
      const names = description.operations.map(({ operation }) => commandName(operation))
      expect(new Set(names).size).toBe(names.length)
    }
  })
})
