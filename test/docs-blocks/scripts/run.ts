/**
 * Runs programs one after the other in one process, against a simulation of the services at their own addresses. Prints
 * a line for each that ended well. The arguments are the programs.
 */
import { setupServer } from 'msw/node'
import { mockSimulation } from '../../../src/simulator/index.ts'

// Programs of the documentation ask often: not more often than the service allows, but than a test can wait.
const quotas = { withKey: null, withoutKey: null, statistics: null, navigations: null, lookups: null }
// The second account is the one that the README speaks of.
const accounts = [
  { username: 'demo', password: 'demo-pass-1!', plan: 'pro' },
  { username: 'you', password: 'secret', plan: 'pro' },
] as const
setupServer(...mockSimulation({ accounts, streamflow: { quotas } }).handlers).listen({
  // A server that a program starts itself, on this machine, is answered by itself.
  onUnhandledRequest: ({ url }, print) => (new URL(url).hostname === '127.0.0.1' ? undefined : print.error()),
})

for (const program of process.argv.slice(2)) {
  await import(program)
  console.log(`ended well: ${program}`)
}
