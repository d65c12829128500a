import { createHash } from 'node:crypto'

/** Hash of plain data: the same whatever the order of names, and the same tomorrow. 16 hexadecimal digits. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, 16)
}

/** JSON with the names of every object in order; what is not set is left out. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  })
}
