/**
 * A value as it stands in an address. Quotes are encoded as well: the address parser does so, and a length that is
 * measured before would be too short.
 */
export function encodeValue(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27')
}

/** Names and values as the query of an address; what is not set is left out, and a list repeats its name. */
export function queryString(parameters: readonly (readonly [name: string, value: unknown])[]): string {
  return parameters
    .flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map(one => `${encodeValue(name)}=${encodeValue(String(one))}`),
    )
    .join('&')
}
