/** Forms in which an answer can come. */
export type Format = 'csv' | 'tsv' | 'xlsx' | 'xml' | 'kml' | 'kmz' | 'json' | 'geojson'

const TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  kml: 'application/vnd.google-earth.kml+xml',
  kmz: 'application/vnd.google-earth.kmz',
  json: 'application/json',
  geojson: 'application/vnd.geo+json',
}

/** What the header says of a form. */
export function contentTypeOf(format: Format): string {
  return format === 'csv' || format === 'tsv' ? `${TYPES[format]};charset=UTF-8` : TYPES[format]
}

/**
 * The form asked for: by `mimeType`, else by `Accept`, else the first that the path offers.
 *
 * @returns `undefined` when the path cannot make it, or nobody knows it
 */
export function formatOf(
  mimeType: string | undefined,
  accept: string | undefined,
  offered: readonly Format[],
): Format | undefined {
  if (mimeType !== undefined) return offered.find(format => format === (mimeType === 'tab' ? 'tsv' : mimeType))
  const wanted = (accept ?? '').split(',').map(part => part.split(';')[0]?.trim() ?? '')
  const named = offered.find(format => wanted.includes(TYPES[format]))
  const isOpen = wanted.some(type => type === '' || type === '*/*')
  return named ?? (isOpen ? offered[0] : undefined)
}
