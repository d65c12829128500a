/** What options of the official clients are called here, where the nearest name would mislead. */
const FOREIGN_NAMES: Readonly<Record<string, string>> = {
  time: "give start, end, or last: 'P7D'",
  datetime: "give start, end, or last: 'P7D'",
  startdate: 'give start',
  enddate: 'give end',
  limit: 'give pageSize for the records of a page, or maxRows, in the second argument, for those of the result',
  maxrows: 'it belongs into the second argument: getDaily(query, { maxRows: 10 })',
  skipgeometry: "give geometry: 'none'",
  filterlang: 'a filter in text is CQL text, an object is CQL JSON',
  converttype: 'values, times and codes have their types always',
  cql: 'give filter',
  sites: 'give monitoringLocationId',
  siteno: 'give monitoringLocationId',
  parametercd: 'give parameterCode',
}

/** How to say it here, for names that people bring along. */
export function hintFor(name: string): string | undefined {
  const plain = name.toLowerCase().replace(/[-_]/g, '')
  return Object.hasOwn(FOREIGN_NAMES, plain) ? FOREIGN_NAMES[plain] : undefined
}
