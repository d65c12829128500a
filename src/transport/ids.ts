import { QueryError } from '../errors.ts'

/**
 * Divides identifiers into groups whose request fits a byte budget. The order is kept and every identifier stands in
 * exactly one group.
 *
 * @param bytesOf - length of the encoded request for a group
 * @param budget - longest request that the service takes, bytes
 * @param argument - name of the identifiers, for the error
 * @throws QueryError when one identifier alone does not fit
 */
export function groupIds(
  ids: readonly string[],
  bytesOf: (group: readonly string[]) => number,
  budget: number,
  argument: string,
): string[][] {
  const groups: string[][] = []
  let group: string[] = []
  for (const id of ids) {
    if (group.length > 0 && bytesOf([...group, id]) > budget) {
      groups.push(group)
      group = []
    }
    if (group.length === 0 && bytesOf([id]) > budget) {
      throw new QueryError(
        `${argument} '${id.slice(0, 60)}' is too long to be asked for (${bytesOf([id])} bytes of ${budget})`,
        { argument, value: id },
      )
    }
    group.push(id)
  }
  return group.length > 0 ? [...groups, group] : groups
}

/** Two halves of a group that was too much for one request, or `undefined` for a single identifier. */
export function splitIds(
  ids: readonly string[] | undefined,
): readonly [readonly string[], readonly string[]] | undefined {
  if (ids === undefined || ids.length < 2) return undefined
  const middle = Math.ceil(ids.length / 2)
  return [ids.slice(0, middle), ids.slice(middle)]
}
