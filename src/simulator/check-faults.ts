import { ConfigurationError } from '../errors.ts'
import { epochMs } from './epoch.ts'
import { FAULT_FAMILIES, type Fault, type FaultCondition } from './fault.ts'

const CONDITIONS = new Set<string>([
  'spanOverMs',
  'spanUpToMs',
  'startsFrom',
  'startsBefore',
  'query',
  'tokenNumber',
  'nth',
  'upTo',
  'attempts',
  'probability',
] satisfies (keyof FaultCondition)[])

const FIELDS = new Set(['path', 'when', 'do'])

/**
 * Refuses faults that would never strike, or do nothing when they do: they often come from JSON, where no compiler looks.
 *
 * @throws ConfigurationError naming the fault by its place in the list
 */
export function checkFaults(faults: readonly Fault[]): void {
  faults.forEach((fault, index) => {
    const problem = problemOf(fault)
    if (problem === undefined) return
    throw new ConfigurationError(`fault ${index + 1} of ${faults.length}: ${problem}`, {
      setting: 'faults',
      source: 'option',
    })
  })
}

function problemOf(fault: Fault): string | undefined {
  const { when = {}, do: action } = fault as Partial<Fault>
  const stray =
    Object.keys(fault).find(name => !FIELDS.has(name)) ?? Object.keys(when).find(name => !CONDITIONS.has(name))
  if (stray !== undefined) return `'${stray}' is not a part of a fault`
  if (action === undefined || !Object.hasOwn(FAULT_FAMILIES, action.type)) {
    return `'${String(action?.type)}' is not an action; known are ${Object.keys(FAULT_FAMILIES).join(', ')}`
  }
  const { startsFrom = 0, startsBefore = 0, probability = 1 } = when
  const wrongTime = [startsFrom, startsBefore].find(instant => Number.isNaN(epochMs(instant)))
  if (wrongTime !== undefined) return `'${wrongTime}' is not an instant`
  if (!(probability >= 0 && probability <= 1)) return `probability must lie between 0 and 1, got ${probability}`
  return undefined
}
