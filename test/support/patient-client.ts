import type { EmissionsClient, EmissionsOptions } from '../../src/adapters/emissions/index.ts'
import { clientOf, SHORT } from './emissions.ts'
import { PATIENT } from './field-case.ts'

/** Short waits between repeats, and time-outs that no slow machine reaches. */
export const UNHURRIED: EmissionsOptions = { ...SHORT, ...PATIENT }

/** A client for tests whose subject is not time. */
export function patientClient(server: { readonly url: string }, options: EmissionsOptions = {}): EmissionsClient {
  return clientOf(server, { ...PATIENT, ...options })
}
