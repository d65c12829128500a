import { describe, expect, it } from 'vitest'
import { fitText, textWidth, visibleText, wrapParts } from '../src/plain-text.ts'

describe('visibleText', () => {
  it.each([
    ['\u001b[31mred', String.raw`\u001b[31mred`],
    ['a\nb\r\tc', String.raw`a\nb\r\tc`],
    ['\u0000\u009b', String.raw`\u0000\u009b`],
    ['left\u202eright', String.raw`left\u202eright`],
    ['a\u2028b', String.raw`a\u2028b`],
    ['half \ud83d', String.raw`half \ud83d`],
    ['tag \u{e0001}', String.raw`tag \u{e0001}`],
    ['Río 川 😀', 'Río 川 😀'],
  ])('shows %j as %s', (text, shown) => {
    expect(visibleText(text)).toBe(shown)
  })
})

describe('fitText', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['exactly ten', 10, 'exactly t…'],
    ['川川川川', 8, '川川川川'],
    ['川川川川', 7, '川川川…'],
    ['e\u0301e\u0301e\u0301', 3, 'e\u0301e\u0301e\u0301'],
    ['x'.repeat(1_000_000), 4, 'xxx…'],
    ['\u0301'.repeat(100), 4, `${'\u0301'.repeat(17)}…`],
    ['', 5, ''],
  ])('fits %j into %d columns', (text, width, fitted) => {
    expect(fitText(text, width)).toBe(fitted)
    expect(textWidth(fitted)).toBeLessThanOrEqual(width)
  })
})

describe('wrapParts', () => {
  it('fills lines, indents those that follow, and cuts what is longer than a line', () => {
    expect(wrapParts(['aaaa', 'bbbb', 'cccc', 'd'.repeat(20)], 12)).toEqual(['aaaa, bbbb', '  cccc', '  ddddddddd…'])
    expect(wrapParts(['e'.repeat(20)], 12)).toEqual(['eeeeeeeeeee…'])
  })
})
