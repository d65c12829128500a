import type { Failure } from '../../src/transport/failure.ts'
import { createAxios, exchange, type Exchange, type HttpConfig, type RawAnswer } from '../../src/transport/http.ts'
import { createManualClock, type ManualClock } from './clocks.ts'

/** One exchange on a clock of its own, with what it said on its way. */
export interface Asking {
  readonly clock: ManualClock
  readonly heard: string[]
  readonly controller: AbortController
  readonly end: Promise<RawAnswer>
  readonly settled: () => boolean
}

/** Sends one request, over real sockets, on a clock that stands still. */
export function ask(url: string, more: Partial<Exchange> = {}, config: object = {}): Asking {
  const clock = createManualClock()
  const controller = new AbortController()
  const heard: string[] = []
  const request: Exchange = {
    method: 'GET',
    url,
    headers: {},
    connectTimeoutMs: 100,
    readTimeoutMs: 300,
    maxBytes: 1_000_000,
    proxy: 'none',
    signal: controller.signal,
    clock,
    onSent: () => heard.push('sent'),
    onHeard: () => heard.push('heard'),
    ...more,
  }
  let over = false
  const adapter = async (given: HttpConfig): Promise<unknown> => ({
    data: await exchange(given, request),
    status: 200,
    statusText: '',
    headers: {},
    config: given,
  })
  const end = createAxios()
    .request({ method: request.method, url, adapter: adapter as never, ...config })
    .then(({ data }) => data as RawAnswer)
    .finally(() => (over = true))
  end.catch(() => {})
  return { clock, heard, controller, end, settled: () => over }
}

/** The failure of an exchange, with the clock moved on until it comes. */
export async function failureOf({ clock, end, settled }: Asking): Promise<Failure> {
  await clock.runUntil(settled)
  return end.then(
    () => Promise.reject(new Error('it was expected to fail')),
    (thrown: unknown) => thrown as Failure,
  )
}
