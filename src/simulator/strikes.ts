import { checkFaults } from './check-faults.ts'
import { epochMs } from './epoch.ts'
import { FAULT_FAMILIES, type Fault, type FaultAction, type FaultCondition } from './fault.ts'
import { hashText, mix, unit } from './hash.ts'

/** What the choice of faults depends on. */
export interface Question {
  readonly path: string
  /** True for login and the like, which only a fault that names a path strikes. */
  readonly isAccount: boolean
  /** The question without its spelling. */
  readonly key: string
  readonly span: { readonly start: number; readonly end: number } | undefined
  readonly query: URLSearchParams
  readonly tokenNumber: number | undefined
}

/** Faults with their counters. */
export interface FaultBook {
  readonly faults: readonly Fault[]
  /** Counts the question, and returns what strikes it, in the order of the list. */
  strike(question: Question): readonly FaultAction[]
}

/**
 * A new book, all counters at zero.
 *
 * @throws ConfigurationError for a fault that could never work
 */
export function createFaultBook(faults: readonly Fault[], seed: number): FaultBook {
  checkFaults(faults)
  const counters = faults.map(() => ({ matched: 0, struck: 0 }))
  const attempts = new Map<string, number>()

  return {
    faults,
    strike(question) {
      const attempt = (attempts.get(question.key) ?? 0) + 1
      attempts.set(question.key, attempt)
      const chosen: FaultAction[] = []
      faults.forEach((fault, index) => {
        const counter = counters[index]
        if (counter === undefined || !isForPath(fault, question)) return
        counter.matched += 1
        const draw = unit(mix(hashText(`${seed}|${index}|${question.key}`), attempt))
        if (!holds(fault.when ?? {}, question, { ...counter, attempt, draw })) return
        if (chosen.some(other => excludes(other, fault.do))) return
        counter.struck += 1
        chosen.push(fault.do)
      })
      return chosen
    },
  }
}

function isForPath(fault: Fault, question: Question): boolean {
  if (fault.path === undefined) return !question.isAccount
  if (typeof fault.path === 'string') return fault.path === question.path
  // `search`, not `test`: an expression with the g or y flag remembers where it stopped.
  return question.path.search(fault.path) >= 0
}

interface Tally {
  readonly matched: number
  readonly struck: number
  readonly attempt: number
  readonly draw: number
}

function holds(when: FaultCondition, question: Question, tally: Tally): boolean {
  const { nth, upTo = Infinity, attempts = Infinity, probability = 1 } = when
  if (nth !== undefined && !(typeof nth === 'number' ? nth === tally.matched : nth.includes(tally.matched)))
    return false
  if (!isAbout(when, question) || !holdsForSpan(when, question.span)) return false
  return tally.struck < upTo && tally.attempt <= attempts && tally.draw < probability
}

function isAbout({ query = {}, tokenNumber }: FaultCondition, question: Question): boolean {
  if (tokenNumber !== undefined && tokenNumber !== question.tokenNumber) return false
  return Object.entries(query).every(([name, value]) => question.query.get(name) === value)
}

function holdsForSpan(when: FaultCondition, span: Question['span']): boolean {
  const { spanOverMs, spanUpToMs, startsFrom, startsBefore } = when
  if ([spanOverMs, spanUpToMs, startsFrom, startsBefore].every(limit => limit === undefined)) return true
  if (span === undefined) return false
  const length = span.end - span.start
  return (
    (spanOverMs === undefined || length > spanOverMs) &&
    (spanUpToMs === undefined || length <= spanUpToMs) &&
    (startsFrom === undefined || span.start >= epochMs(startsFrom)) &&
    (startsBefore === undefined || span.start < epochMs(startsBefore))
  )
}

function excludes(first: FaultAction, second: FaultAction): boolean {
  const family = FAULT_FAMILIES[first.type]
  return (family === 'answer' || family === 'delivery') && family === FAULT_FAMILIES[second.type]
}
