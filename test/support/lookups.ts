import dns from 'node:dns'
import { onTestFinished, vi, type Mock } from 'vitest'

/**
 * Replaces the resolver until the test ends: the first so many look-ups fail with a code, or never end where the code
 * is `hang`; those after them are real.
 */
export function troubleLookups(code: string, times: number): Mock<typeof dns.lookup> {
  const real = dns.lookup
  let seen = 0
  const fake = (host: string, options: object, done: (error: Error | null, ...found: unknown[]) => void): void => {
    seen += 1
    if (seen > times) return real(host, options, done as never)
    if (code === 'hang') return
    const error = Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code, syscall: 'getaddrinfo' })
    setImmediate(() => done(error))
  }
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(fake as never)
  onTestFinished(() => spy.mockRestore())
  return spy as never
}
