/** An instant as the engine writes it. */
export const iso = (ms: number): string => new Date(ms).toISOString()

/** An instant in the spelling of a zone so many minutes from UTC. */
export function spelled(ms: number, minutes: number, point: string, digits: number): string {
  const local = iso(ms + minutes * 60_000)
  const sign = minutes < 0 ? '-' : '+'
  const two = (number: number): string => String(number).padStart(2, '0')
  const offset = `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
  return `${local.slice(0, 19)}${digits > 0 ? `${point}${local.slice(20, 20 + digits)}` : ''}${offset}`
}

/** The argument error that is thrown, or a failure when nothing is. */
export function thrownBy(run: () => unknown): { name: string; argument: string; value: string; message: string } {
  try {
    run()
  } catch (thrown) {
    return thrown as ReturnType<typeof thrownBy>
  }
  throw new Error('nothing was thrown')
}
