import { describe, expect, it } from 'vitest'
import type { Fault } from '../../src/simulator/index.ts'
import { createFaultBook, type FaultBook, type Question } from '../../src/simulator/strikes.ts'

const DAY = 86_400_000
const start = Date.UTC(2024, 2, 1)

function question(more: Partial<Question> & { days?: number } = {}): Question {
  const span = { start, end: start + (more.days ?? 1) * DAY }
  return {
    path: '/v3/historical',
    isAccount: false,
    key: 'k',
    span,
    query: new URLSearchParams(),
    tokenNumber: 1,
    ...more,
  }
}

/** Whether each of these questions, asked in this order, is struck. */
function struck(faults: FaultBook, ...questions: Question[]): boolean[] {
  return questions.map(asked => faults.strike(asked).length > 0)
}

function book(fault: Omit<Fault, 'do'>, seed = 1): FaultBook {
  return createFaultBook([{ ...fault, do: { type: 'hang' } }], seed)
}

describe('path', () => {
  it.each<[Fault['path'], string, boolean, boolean]>([
    [undefined, '/v3/historical', false, true],
    [undefined, '/login', true, false],
    ['/login', '/login', true, true],
    ['/v3/forecast', '/v3/forecast/historical', false, false],
    [/^\/v3\/forecast/g, '/v3/forecast/historical', false, true],
    [/maps/, '/v3/historical', false, false],
  ])('%s and %s', (path, asked, isAccount, expected) => {
    const asker = book(path === undefined ? {} : { path })
    const same = question({ path: asked, isAccount })
    expect(struck(asker, same, same)).toEqual([expected, expected])
  })
})

describe('conditions on the span', () => {
  it.each<[NonNullable<Fault['when']>, number, boolean]>([
    [{ spanOverMs: 15 * DAY }, 15, false],
    [{ spanOverMs: 15 * DAY }, 15.01, true],
    [{ spanUpToMs: 15 * DAY }, 15, true],
    [{ spanUpToMs: 15 * DAY }, 15.01, false],
    [{ startsFrom: '2024-03-01' }, 1, true],
    [{ startsFrom: '2024-03-01T00:00:01Z' }, 1, false],
    [{ startsBefore: start }, 1, false],
    [{ startsBefore: '2024-03-01 00:00:01' }, 1, true],
    [{ startsFrom: '2024-03-01T01:00+01:00', startsBefore: '2024-04-01' }, 1, true],
  ])('%j and %d days', (when, days, expected) => {
    expect(struck(book({ when }), question({ days }))).toEqual([expected])
  })

  it('are never met by a request without one', () => {
    expect(struck(book({ when: { spanUpToMs: DAY } }), question({ span: undefined }))).toEqual([false])
  })
})

describe('what is asked, and with which token', () => {
  const query = new URLSearchParams({ region: 'PSCO', signal_type: 'co2_moer' })

  it.each<[NonNullable<Fault['when']>, boolean]>([
    [{ query: { region: 'PSCO' } }, true],
    [{ query: { region: 'PSCO', signal_type: 'co2_aoer' } }, false],
    [{ query: { model: '2023-03-01' } }, false],
    [{ tokenNumber: 1 }, true],
    [{ tokenNumber: 2 }, false],
  ])('%j', (when, expected) => {
    expect(struck(book({ when }), question({ query }))).toEqual([expected])
  })
})

describe('counting', () => {
  const one = question({ key: 'one' })
  const two = question({ key: 'two' })

  it.each<[string, NonNullable<Fault['when']>, boolean[]]>([
    ['the n-th only', { nth: 2 }, [false, true, false, false, false]],
    ['several of them', { nth: [1, 4] }, [true, false, false, true, false]],
    ['so many in all', { upTo: 2 }, [true, true, false, false, false]],
    ['the first attempts at each question', { attempts: 1 }, [true, false, true, false, false]],
    ['the n-th, as long as it is a first attempt', { nth: [2, 3], attempts: 1 }, [false, false, true, false, false]],
  ])('%s', (_, when, expected) => {
    expect(struck(book({ when }), one, one, two, two, one)).toEqual(expected)
  })

  it('is per fault, and only over its own path', () => {
    const other = question({ path: '/v3/forecast' })
    expect(struck(book({ path: '/v3/historical', when: { nth: 2 } }), one, other, two)).toEqual([false, false, true])
  })
})

describe('probability', () => {
  const questions = Array.from({ length: 2000 }, (_, index) => question({ key: `k${index}` }))

  it('strikes about that share', () => {
    const share = struck(book({ when: { probability: 0.05 } }), ...questions).filter(Boolean).length / questions.length
    expect(share).toBeGreaterThan(0.035)
    expect(share).toBeLessThan(0.065)
  })

  it('does not depend on the order of arrival', () => {
    const forward = struck(book({ when: { probability: 0.3 } }), ...questions)
    const backward = struck(book({ when: { probability: 0.3 } }), ...questions.toReversed())
    expect(backward.toReversed()).toEqual(forward)
  })

  it('is drawn anew for the next attempt, for another seed, and for another place in the list', () => {
    const draws = struck(book({ when: { probability: 0.5 } }), ...questions)
    const again = book({ when: { probability: 0.5 } })
    struck(again, ...questions)
    expect(struck(again, ...questions)).not.toEqual(draws)
    expect(struck(book({ when: { probability: 0.5 } }, 2), ...questions)).not.toEqual(draws)
    const second = createFaultBook(
      [
        { path: '/none', do: { type: 'hang' } },
        { when: { probability: 0.5 }, do: { type: 'hang' } },
      ],
      1,
    )
    expect(struck(second, ...questions)).not.toEqual(draws)
  })

  it.each([
    [0, false],
    [1, true],
  ])('of %d means %s', (probability, expected) => {
    expect(new Set(struck(book({ when: { probability } }), ...questions))).toEqual(new Set([expected]))
  })
})

describe('a fault that could never work', () => {
  it.each<[string, unknown, string]>([
    ['an action nobody knows', { do: { type: 'hangs' } }, "'hangs' is not an action"],
    ['no action', { when: {} }, "'undefined' is not an action"],
    ['an inherited name for an action', { do: { type: 'toString' } }, "'toString' is not an action"],
    ['a condition nobody knows', { when: { spanOver: 1 }, do: { type: 'hang' } }, "'spanOver' is not a part"],
    ['a field nobody knows', { paths: '/login', do: { type: 'hang' } }, "'paths' is not a part"],
    ['an instant that is none', { when: { startsFrom: 'spring' }, do: { type: 'hang' } }, "'spring' is not an instant"],
    [
      'a probability in percent',
      { when: { probability: 5 }, do: { type: 'hang' } },
      'probability must lie between 0 and 1',
    ],
  ])('is refused with its place: %s', (_, fault, message) => {
    const make = (): FaultBook => createFaultBook([{ do: { type: 'hang' } }, fault as Fault], 1)
    expect(make).toThrow(`fault 2 of 2: ${message}`)
    expect(make).toThrow(expect.objectContaining({ code: 'HEADRACE_CONFIGURATION' }) as Error)
  })
})
