import { describe, expect, it } from 'vitest'
import { Failure } from '../../src/transport/failure.ts'
import { asAxiosError, createAxios, type HttpConfig } from '../../src/transport/http.ts'
import { retryConfig, withRetries } from '../../src/transport/retry.ts'

/** Sends through an adapter that fails so many times. Says how often it was asked, and what was decided. */
async function send(
  times: number,
  decisions: { retries: number; again: boolean } | undefined,
  failWith?: (config: HttpConfig) => unknown,
) {
  let attempts = 0
  const asked: string[] = []
  const adapter = async (config: HttpConfig): Promise<unknown> => {
    attempts += 1
    if (attempts <= times)
      throw failWith?.(config) ?? asAxiosError(new Failure(`no ${attempts}`, { class: 'lost' }), config)
    return { data: 'fine', status: 200, statusText: '', headers: {}, config }
  }
  const config =
    decisions &&
    retryConfig({
      retries: decisions.retries,
      again: failure => {
        asked.push(`again ${failure.message}`)
        return decisions.again
      },
      wait: async failure => void asked.push(`wait ${failure.message}`),
    })
  const end = await withRetries(createAxios())
    .request({ url: 'https://toy.test/', adapter: adapter as never, ...config })
    .then(
      ({ data }) => data as unknown,
      (thrown: Error) => thrown.message,
    )
  return { attempts, asked, end }
}

describe('withRetries', () => {
  it('R16: repeats nothing without decisions of a request', async () => {
    expect(await send(1, undefined)).toMatchObject({ attempts: 1, end: 'no 1' })
  })

  it('R16: repeats as often as is left, and waits in between as it is told', async () => {
    expect(await send(2, { retries: 2, again: true })).toEqual({
      attempts: 3,
      asked: ['again no 1', 'wait no 1', 'again no 2', 'wait no 2'],
      end: 'fine',
    })
    expect(await send(9, { retries: 2, again: true })).toMatchObject({ attempts: 3, end: 'no 3' })
    expect(await send(1, { retries: 0, again: true })).toEqual({ attempts: 1, asked: [], end: 'no 1' })
  })

  it('R14: a no is a no', async () => {
    expect(await send(1, { retries: 5, again: false })).toEqual({ attempts: 1, asked: ['again no 1'], end: 'no 1' })
  })

  it.each<[string, (config: HttpConfig) => unknown]>([
    [
      'an error of the library alone',
      config => Object.assign(asAxiosError(new Failure('x', { class: 'lost' }), config), { failure: undefined }),
    ],
    ['a plain error', () => new Error('x')],
  ])('R14: %s is not ours to repeat', async (_name, failWith) => {
    expect(await send(1, { retries: 5, again: true }, failWith)).toEqual({ attempts: 1, asked: [], end: 'x' })
  })
})
