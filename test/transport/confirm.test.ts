import { describe, expect, it } from 'vitest'
import { Failure } from '../../src/transport/failure.ts'
import type { RequestSpec } from '../../src/transport/request-spec.ts'
import { askToy, errorIn } from '../support/asking.ts'
import type { ToyAnswer } from '../support/toy-service.ts'
import { toyTransport } from '../support/toy-transport.ts'
import { plainly, toyOperation } from '../support/toy-service.ts'

/** Asks `/word` about every answer; the answer counts when the word is good. */
const confirming = (url: string): Partial<RequestSpec<unknown>> => ({
  confirm: value => ({
    url: `${url}/word`,
    read: reply => reply.json(),
    judge: word => {
      if (word === 'bad') throw new Failure('it was not whole', { class: 'incomplete' })
      return { value, word }
    },
  }),
})

describe('an answer that is asked about', () => {
  const asked = async (words: readonly ToyAnswer[]) => {
    let turn = 0
    const toy = await askToy(({ path }) => (path === '/word' ? (words[turn++] ?? {}) : { body: '1' }))
    const end = await toy.perform(toy.call({ retries: 2 }), confirming(toy.server.url))
    return { end, paths: toy.server.requests.map(({ path }) => path) }
  }

  it('is what the second answer makes of it', async () => {
    const { end, paths } = await asked([{ body: '"good"' }])
    expect(end).toMatchObject({ ok: true, value: { value: 1, word: 'good' } })
    expect(paths).toEqual(['/a', '/word'])
  })

  it('is asked for again where the second answer says that it was not whole', async () => {
    const { end, paths } = await asked([{ body: '"bad"' }, { body: '"good"' }])
    expect(end).toMatchObject({ ok: true, facts: { attempts: 2 } })
    expect(paths).toEqual(['/a', '/word', '/a', '/word'])
  })

  it('fails when it never is whole', async () => {
    const { end } = await asked([{ body: '"bad"' }, { body: '"bad"' }, { body: '"bad"' }])
    expect(errorIn(end)).toMatchObject({ kind: 'bad_response', attempts: 3 })
    expect(errorIn(end).message).toContain('it was not whole')
  })

  it('counts without a word where nobody can give one', async () => {
    const { end } = await asked([{ status: 404 }])
    expect(end).toMatchObject({ ok: true, value: { value: 1, word: undefined } })
  })
})

describe('identifiers and a span together', () => {
  const ids = ['a', 'b', 'c', 'd']

  it('are divided where the span cannot be halved any more, if the operation says so', async () => {
    const groups: string[] = []
    const run = async (dividesSlow: boolean) => {
      const toy = await toyTransport(request => {
        const wanted = new URLSearchParams(request.search).get('ids') ?? ''
        groups.push(wanted)
        return wanted.length > 1 ? { status: 504 } : plainly(request)
      })
      const base = toyOperation(toy.server.url)
      const facts = {
        ...base,
        ...(dividesSlow ? { dividesSlow } : {}),
        request: (piece: Parameters<typeof base.request>[0], pin: string | undefined) => {
          const request = base.request(piece, pin)
          return { ...request, url: `${request.url}&ids=${piece.ids?.join('') ?? ''}` }
        },
      }
      const todo = [{ span: { start: 0, end: 0 }, ids, depth: 0 }]
      groups.length = 0
      await toy.rows({}, { facts: facts as never, todo }).catch(() => {})
      return [...groups]
    }
    expect(await run(true)).toEqual(['abcd', 'ab', 'a', 'b', 'cd', 'c', 'd'])
    expect(new Set(await run(false))).toEqual(new Set(['abcd']))
  })
})

describe('a bound of the call', () => {
  it('R23: that is met while an answer is asked about ends the request: nobody knows what it was worth', async () => {
    const toy = await askToy(() => ({ body: '1' }))
    const end = await toy.perform(toy.call({ retries: 2 }, { maxRequests: 1 }), confirming(toy.server.url))
    expect(errorIn(end).message).toContain('maxRequests')
  })
})
