/**
 * Takes a value out of the object that brought it and leaves nothing behind.
 *
 * A promise that has waited for its turn is old by the time it is kept, and the garbage collector lets what hangs on
 * it grow old too. Bodies and rows pass through here, so that they can die young: else a stream of a million rows holds
 * on to most of them until the next full collection.
 */
export function takeOut<Bringer extends object, Name extends keyof Bringer>(
  bringer: Bringer,
  name: Name,
): Bringer[Name] {
  const value = bringer[name]
  Object.assign(bringer, { [name]: undefined })
  return value
}
