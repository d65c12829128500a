/** Bytes rendered once and used again, oldest thrown out when there are too many. */
export interface ByteCache<Entry extends { readonly bytes: Uint8Array }> {
  get(key: string, render: () => Entry): Entry
}

/** @param maxBytes - how much is kept */
export function createByteCache<Entry extends { readonly bytes: Uint8Array }>(maxBytes: number): ByteCache<Entry> {
  const entries = new Map<string, Entry>()
  let total = 0
  return {
    get(key, render) {
      const known = entries.get(key)
      if (known) return known
      const entry = render()
      entries.set(key, entry)
      total += entry.bytes.length
      for (const [oldKey, old] of entries) {
        if (total <= maxBytes) break
        entries.delete(oldKey)
        total -= old.bytes.length
      }
      return entry
    },
  }
}
