import { describe, expect, it } from 'vitest'
import { QueryError } from '../../src/errors.ts'
import { readCheckpoint } from '../../src/retrieval/take-up.ts'

const checkpoint = { version: 1, service: 'toy', operation: 'getToy', query: {}, left: [] }
const read = (given: unknown) => () => readCheckpoint(given, 'toy', ['getToy', 'getOther'])

describe('readCheckpoint', () => {
  it('takes what checkpoint() gave, also through JSON', () => {
    expect(read(JSON.parse(JSON.stringify(checkpoint)))()).toEqual(checkpoint)
  })

  it.each<[string, unknown, RegExp]>([
    ['text', JSON.stringify(checkpoint), /this is text: JSON\.parse it first/],
    ['a batch or an error', { checkpoint: () => checkpoint }, /call its checkpoint\(\)/],
    ['nothing', undefined, /no checkpoint: pass on what checkpoint\(\) gave/],
    ['a number', 7, /no checkpoint/],
    ['an object of another kind', { rows: [] }, /no checkpoint/],
    ['a list of what is left that is none', { ...checkpoint, left: 'all' }, /no checkpoint/],
    ['another version', { ...checkpoint, version: 2 }, /of version 2; this package reads version 1/],
    ['another service', { ...checkpoint, service: 'game' }, /of game, not of toy: a client of that service/],
    ['another getter', { ...checkpoint, operation: 'constructor' }, /of constructor, .* what can: getToy, getOther$/],
  ])('says what is wrong with %s', (_what, given, message) => {
    expect(read(given)).toThrow(QueryError)
    expect(read(given)).toThrow(message)
  })
})
