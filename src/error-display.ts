import { visibleText, wrapWords } from './plain-text.ts'
import { escapeMarkup, type Shown } from './self-display.ts'

/** An error as it is shown: what it is, what it says, what is known besides, where it was thrown. */
export interface ShownError {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  /** By name, in order; what is not known is left out. */
  readonly facts: Readonly<Record<string, unknown>>
}

const WIDTH = 100
const MOST_FRAMES = 5
const MOST_LISTED = 3

/** An error at a glance: the message first, which says what to do, and not a page of stack. */
export function errorDisplay({ name, message, stack = '', facts }: ShownError): Shown {
  const known = Object.entries(facts).flatMap(([fact, value]) => {
    const text = factText(value)
    return text === '' ? [] : [[fact, text] as const]
  })
  return {
    text: () =>
      [
        ...wrapWords(visibleText(`${name}: ${message}`), WIDTH),
        ...known
          .flatMap(([fact, text]) => wrapWords(visibleText(`${fact}: ${text}`), WIDTH - 2))
          .map(line => `  ${line}`),
        ...framesOf(stack),
      ].join('\n'),
    html: () =>
      [
        `<div style="border-left:3px solid #b03a5b;padding-left:8px"><p><b>${escaped(name)}</b>: ${escaped(message)}</p>`,
        ...(known.length === 0
          ? []
          : [
              '<table>',
              ...known.map(
                ([fact, text]) => `<tr><th style="text-align:left">${escaped(fact)}</th><td>${escaped(text)}</td></tr>`,
              ),
              '</table>',
            ]),
        '</div>',
      ].join('\n'),
  }
}

function escaped(text: string): string {
  return escapeMarkup(visibleText(text))
}

function framesOf(stack: string): string[] {
  return stack
    .split('\n')
    .filter(line => /^\s+at /.test(line) && !/node:internal|node_modules/.test(line))
    .slice(0, MOST_FRAMES)
    .map(line => `    ${line.trim()}`)
}

function factText(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (Array.isArray(value)) {
    const texts = value.slice(0, MOST_LISTED).map(factText)
    return value.length > MOST_LISTED ? `${texts.join(', ')} and ${value.length - MOST_LISTED} more` : texts.join(', ')
  }
  const { start, end } = Object(value) as { start?: unknown; end?: unknown }
  if (start instanceof Date && end instanceof Date) return `${instantText(start)} to ${instantText(end)}`
  return String(value)
}

function instantText(instant: Date): string {
  return instant.toISOString().replace('.000Z', 'Z')
}
