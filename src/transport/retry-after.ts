/**
 * Reads a `Retry-After` header as a wait.
 *
 * A date is compared with the response's own `Date` where it has one: our clock may run ahead of the server's.
 * A date already past is no hint, since "at once" is the one answer that hurts a service asking for room.
 *
 * @param value - raw header: seconds (fractions tolerated) or an HTTP-date in any of its three forms
 * @param date - raw `Date` header of the same response
 * @param now - the current instant, epoch milliseconds
 * @returns milliseconds to wait (0 is a real answer), or `undefined` when there is no usable hint
 * @see RFC 9110, sections 5.6.7 and 10.2.3
 */
export function retryAfterMs(value: string | undefined, date: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,10}(?:\.\d{1,9})?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const until = httpDate(text)
  const from = httpDate(date?.trim() ?? '') ?? now
  return until !== undefined && until > from ? until - from : undefined
}

const IMF_OR_RFC850 = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d\d) \d\d:\d\d:\d\d GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** An HTTP-date as epoch milliseconds. The C form states no zone and means GMT; no other form may leave it out. */
function httpDate(text: string): number | undefined {
  const known = IMF_OR_RFC850.test(text) ? text.replaceAll('-', ' ') : ASCTIME.test(text) ? `${text} GMT` : ''
  const ms = Date.parse(known)
  return Number.isNaN(ms) ? undefined : ms
}
