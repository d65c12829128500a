import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A body kept in `fixtures/emissions`, as it came. */
export function emissionsBody(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../fixtures/emissions', name), 'utf8')
}
