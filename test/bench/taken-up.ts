import { isRetrievalInterrupted } from 'headrace'

/** A pull that is taken up again where it was interrupted, at most so often; it counts how often that was. */
export function takenUp<Result>(
  pull: () => Promise<Result>,
  most: number,
): { readonly run: () => Promise<Result>; readonly more: () => object } {
  let resumed = 0
  const go = async (attempt: () => Promise<Result>): Promise<Result> => {
    try {
      return await attempt()
    } catch (thrown) {
      if (!isRetrievalInterrupted(thrown) || resumed === most) throw thrown
      resumed += 1
      return go(() => thrown.resume() as Promise<Result>)
    }
  }
  return { run: () => go(pull), more: () => ({ resumed }) }
}
