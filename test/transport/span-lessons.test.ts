import { describe, expect, it } from 'vitest'
import { createSpanLessons, type SpanLessons } from '../../src/transport/span-lessons.ts'

const CHUNK = 960
const TIMEOUT = 800
const QUICK = TIMEOUT / 8 - 1

/** Asks for pieces as a run does, so many; each is answered quickly. Returns the sizes asked for. */
function answerQuickly(lessons: SpanLessons, times: number): number[] {
  return Array.from({ length: times }, () => {
    const size = lessons.size(CHUNK)
    lessons.answered(size, QUICK, TIMEOUT)
    return size
  })
}

/** A service that was too slow for more than 240. */
function taught(): SpanLessons {
  const lessons = createSpanLessons()
  lessons.tooSlow(480)
  lessons.tooSlow(240)
  return lessons
}

describe('createSpanLessons', () => {
  it('R30: plans with the chunk until something was too slow', () => {
    const lessons = createSpanLessons()
    expect(lessons.size(CHUNK)).toBe(CHUNK)
    expect(lessons.answered(CHUNK, 1, TIMEOUT)).toBeUndefined()
    expect(answerQuickly(lessons, 40)).toEqual(Array(40).fill(CHUNK))
  })

  it('R30: a split teaches the size that is asked for instead, and says so once', () => {
    const lessons = createSpanLessons()
    expect(lessons.tooSlow(480)).toBe(480)
    expect(lessons.tooSlow(480)).toBeUndefined()
    expect(lessons.tooSlow(600)).toBeUndefined()
    expect(lessons.size(CHUNK)).toBe(480)
    expect(lessons.tooSlow(240)).toBe(240)
    expect(lessons.size(CHUNK)).toBe(240)
    expect(lessons.size(100)).toBe(100)
  })

  it('R30: after sixteen quick answers in a row one piece, and only one, tries twice the size', () => {
    const lessons = taught()
    expect(answerQuickly(lessons, 16)).toEqual(Array(16).fill(240))
    expect([lessons.size(CHUNK), lessons.size(CHUNK), lessons.size(CHUNK)]).toEqual([480, 240, 240])
  })

  it('R30: however many quick answers come while the try is under way', () => {
    const lessons = taught()
    answerQuickly(lessons, 16)
    expect(lessons.size(CHUNK)).toBe(480)
    for (let more = 0; more < 40; more++) lessons.answered(240, QUICK, TIMEOUT)
    expect(lessons.size(CHUNK)).toBe(240)
  })

  it('R30: only when the try is answered do the others follow', () => {
    const lessons = taught()
    answerQuickly(lessons, 16)
    expect(lessons.size(CHUNK)).toBe(480)
    expect(lessons.answered(240, QUICK, TIMEOUT)).toBeUndefined()
    expect(lessons.answered(431, QUICK, TIMEOUT)).toBeUndefined()
    expect(lessons.size(CHUNK)).toBe(240)
    expect(lessons.answered(432, TIMEOUT * 10, TIMEOUT)).toBe(480)
    expect(lessons.size(CHUNK)).toBe(480)
  })

  it('R30: the size grows back to the chunk, step by step, and no further', () => {
    const sizes = answerQuickly(taught(), 60)
    expect(sizes).toEqual([...Array(16).fill(240), 480, ...Array(16).fill(480), ...Array(27).fill(CHUNK)] as number[])
  })

  it('R30: a try is never longer than the chunk', () => {
    const lessons = createSpanLessons()
    lessons.tooSlow(500)
    answerQuickly(lessons, 16)
    expect(lessons.size(CHUNK)).toBe(CHUNK)
  })

  it('R30: a try that was too early costs twice the patience, up to 1024 answers', () => {
    const lessons = taught()
    for (const patience of [16, 32, 64, 128, 256, 512, 1024, 1024]) {
      const sizes = answerQuickly(lessons, patience)
      expect(new Set(sizes)).toEqual(new Set([240]))
      expect(lessons.size(CHUNK)).toBe(480)
      expect(lessons.tooSlow(240)).toBeUndefined()
    }
    expect(lessons.size(CHUNK)).toBe(240)
  })

  it('R30: a known size that is too slow now is a new lesson, not a try that failed', () => {
    const lessons = taught()
    answerQuickly(lessons, 16)
    expect(lessons.size(CHUNK)).toBe(480)
    expect(lessons.tooSlow(120)).toBe(120)
    expect(lessons.answered(480, QUICK, TIMEOUT)).toBe(480)
    expect(lessons.size(CHUNK)).toBe(480)
  })

  it.each([
    ['a slow answer starts the count anew', (lessons: SpanLessons) => lessons.answered(240, TIMEOUT / 8, TIMEOUT)],
    ['a split starts the count anew', (lessons: SpanLessons) => lessons.tooSlow(240)],
  ])('R30: %s', (_name, interrupt) => {
    const lessons = taught()
    answerQuickly(lessons, 15)
    interrupt(lessons)
    expect(answerQuickly(lessons, 16)).toEqual(Array(16).fill(240))
    expect(lessons.size(CHUNK)).toBe(480)
  })

  it('R30: short pieces, such as the last of a span, prove nothing', () => {
    const lessons = taught()
    for (let piece = 0; piece < 100; piece++) lessons.answered(215, QUICK, TIMEOUT)
    expect(lessons.size(CHUNK)).toBe(240)
    for (let piece = 0; piece < 16; piece++) lessons.answered(216, QUICK, TIMEOUT)
    expect(lessons.size(CHUNK)).toBe(480)
  })
})
