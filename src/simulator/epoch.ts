/** An instant given in code: epoch milliseconds, or ISO-8601 text that means UTC when it names no zone. */
export function epochMs(instant: string | number | Date): number {
  if (typeof instant !== 'string') return Number(instant)
  const text = instant.trim().replace(' ', 'T')
  return Date.parse(/T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : text.includes('T') ? `${text}Z` : text)
}
