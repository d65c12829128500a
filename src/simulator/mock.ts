import { ConfigurationError } from '../errors.ts'
import { isDeliveryAction, type Fault } from './fault.ts'
import { createHandlers, type HandlerSet } from './handlers.ts'
import type { SimulationOptions } from './options.ts'
import { createSimulation, type Simulation } from './simulation.ts'

/** A simulation without a server: handlers for msw's own `setupServer`, and what goes with them. */
export interface MockedSimulation extends Simulation {
  readonly handlers: HandlerSet['handlers']
}

/** Where mocked clients believe the service to be. */
export interface MockOptions extends SimulationOptions {
  /** @defaultValue the real origin of each service */
  readonly baseUrl?: string
}

/**
 * The simulation as msw request handlers, for tests without a server.
 *
 * @throws ConfigurationError for faults that only a connection can show: `silent`, `drip`, `cut`, `reset` inside a body
 */
export function mockSimulation(options: MockOptions = {}): MockedSimulation {
  refuseSocketFaults(options.faults ?? [])
  const { core, simulation } = createSimulation(options)
  const set = createHandlers(core, options.baseUrl)
  const setFaults = (faults: readonly Fault[]): void => {
    refuseSocketFaults(faults)
    simulation.setFaults(faults)
  }
  // Not a copy: the record and the figures are getters, and must stay so.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(simulation),
      ...Object.getOwnPropertyDescriptors({ handlers: set.handlers, setFaults }),
    },
  ) as MockedSimulation
}

/** Handlers alone: short for `mockSimulation(options).handlers`. */
export function handlers(options: MockOptions = {}): HandlerSet['handlers'] {
  return mockSimulation(options).handlers
}

/** Refuses faults that handlers cannot show, rather than pass over them. */
function refuseSocketFaults(faults: readonly Fault[]): void {
  const fault = faults.find(
    ({ do: action }) =>
      isDeliveryAction(action) &&
      action.type !== 'hang' &&
      !(action.type === 'reset' && action.at === 'before-headers'),
  )
  if (fault === undefined) return
  throw new ConfigurationError(`the fault '${fault.do.type}' needs a real connection: use startSimulator`, {
    setting: 'faults',
    source: 'option',
  })
}
