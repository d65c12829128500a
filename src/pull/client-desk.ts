import type { AskingOptions } from './options.ts'
import type { ServiceClient } from './service-entry.ts'
import { SERVICES } from './services.ts'

/** Clients by service: those that were handed in, the others made when first needed. */
export function clientDesk({ clients = {}, settings = {} }: AskingOptions): (service: string) => ServiceClient {
  const made = new Map<string, ServiceClient>()
  const given = clients as Readonly<Record<string, ServiceClient | undefined>>
  const options = settings as Readonly<Record<string, object | undefined>>
  return service => {
    const known = given[service] ?? made.get(service)
    if (known) return known
    const client = SERVICES[service]?.create(options[service] ?? {})
    if (client === undefined) throw new TypeError(`no service '${service}'`)
    made.set(service, client)
    return client
  }
}
