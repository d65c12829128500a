/** How a table is written down. */
export interface Dialect {
  readonly separator: string
  /** One value. */
  field(text: string): string
}

/** Quoted only where it must be; quotes doubled. */
export const CSV: Dialect = {
  separator: ',',
  field: text => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
}

/** No quotes at all: what would break a row becomes a blank. */
export const TSV: Dialect = {
  separator: '\t',
  field: text => text.replaceAll(/[\t\r\n]/g, ' '),
}
