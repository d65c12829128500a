/** How a value shows itself: in a terminal, in a notebook, wherever a tool asks it. */
export interface Shown {
  /** Lines of at most 100 columns, without colour. */
  readonly text: () => string
  /** Markup in which every value is escaped. */
  readonly html: () => string
  /** More of it, by media type, where it can be had. */
  readonly more?: () => Promise<Readonly<Record<string, string>>>
}

/**
 * Makes a value, or all values of a prototype, show themselves: to Node's `util.inspect`, which `console.log` asks, and to
 * notebooks, which ask `Symbol.for('Jupyter.display')` for a bundle of media types. Nothing is printed by it.
 */
export function showsItself<T extends object>(target: T, shownOf: (self: T) => Shown): T {
  // Not enumerable: whoever copies or compares the value does not meet them.
  Object.defineProperties(target, {
    [Symbol.for('nodejs.util.inspect.custom')]: {
      value(this: T): string {
        return shownOf(this).text()
      },
    },
    [Symbol.for('Jupyter.display')]: {
      async value(this: T): Promise<Readonly<Record<string, string>>> {
        const { text, html, more } = shownOf(this)
        return { 'text/plain': text(), 'text/html': html(), ...(await more?.()) }
      },
    },
  })
  return target
}

/** Text as markup shows it: nothing in it is markup, also inside an attribute. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, character => ESCAPES[character] as string)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
