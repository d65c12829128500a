const PART_LENGTH = 65_536

/**
 * Lines ended by `\n`, joined to parts of some 64 KiB: small enough to stream, large enough to write at once.
 * Joined and not appended one by one: such a text would be put together only when it is read, and slowly.
 *
 * @param first - a line before those of the rows
 */
export function* lineParts<Row>(
  rows: Iterable<Row>,
  lineOf: (row: Row) => string,
  first?: string,
): Generator<string, void, void> {
  let lines = first === undefined ? [] : [first]
  let length = 0
  for (const row of rows) {
    const line = lineOf(row)
    lines.push(line)
    length += line.length + 1
    if (length < PART_LENGTH) continue
    yield joined(lines)
    lines = []
    length = 0
  }
  if (lines.length > 0) yield joined(lines)
}

function joined(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}
