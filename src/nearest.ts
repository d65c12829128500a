/**
 * The known name that somebody most likely meant, or `undefined` when none is near.
 *
 * @param name - as written
 * @param known - names that exist
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name)
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const distance = isStartOf(wanted, plain(candidate)) ? 1 : editDistance(wanted, plain(candidate))
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Spelling differences that do not count: case, underscores, hyphens. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

/** A name left unfinished is near, however much is left out. */
function isStartOf(wanted: string, candidate: string): boolean {
  return wanted.length >= 4 && candidate.startsWith(wanted) && candidate !== wanted
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }
    row = next
  }
  return row[b.length] ?? 0
}
