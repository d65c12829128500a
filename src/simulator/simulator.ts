import { systemClock } from '../clock.ts'
import type { SimulatorOptions } from './options.ts'
import { openServer } from './server.ts'
import { createSimulation, type Simulation } from './simulation.ts'

/** A simulated service on a port of this machine. */
export interface Simulator extends Simulation {
  /** `http://127.0.0.1:` and the port: what a client takes for the base address. */
  readonly url: string
  /** Breaks every connection and frees the port. Leaves no timer behind. */
  close(): Promise<void>
}

/**
 * Starts a server on 127.0.0.1 that answers as the emissions service does, and misbehaves as told.
 *
 * @throws Error of Node's own (`EADDRINUSE`) when the port is taken
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { core, simulation } = createSimulation(options)
  const { url, close } = await openServer(core, {
    port: options.port ?? 0,
    clock: options.clock ?? systemClock,
    gzip: options.gzip ?? false,
  })
  // Not a copy: the record and the figures are getters, and must stay so.
  return Object.defineProperties({ url, close }, Object.getOwnPropertyDescriptors(simulation)) as Simulator
}
