import { readStretch } from '../times.ts'
import { boxRing, type Comparison, type Condition, type Literal, type Ring } from './condition.ts'
import { CqlError } from './read-json.ts'

const TOKEN =
  /\s*(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|"([^"]+)"|([A-Za-z_][\w.]*)|(<>|<=|>=|[=<>(),])|(\S))/gy

interface Token {
  readonly kind: 'text' | 'number' | 'word' | 'sign'
  readonly text: string
}

/** A condition given as CQL2 text. */
export function readCqlText(text: string): Condition {
  const parser = createParser(tokensOf(text))
  const condition = parser.condition()
  parser.end()
  return condition
}

function tokensOf(text: string): readonly Token[] {
  return [...text.trim().matchAll(TOKEN)].map(([, quoted, number, name, word, sign, other]) => {
    if (other !== undefined) throw new CqlError(`unexpected '${other}'`)
    if (quoted !== undefined) return { kind: 'text', text: quoted.replaceAll("''", "'") }
    if (number !== undefined) return { kind: 'number', text: number }
    if (sign !== undefined) return { kind: 'sign', text: sign }
    return { kind: 'word', text: name ?? word ?? '' }
  })
}

interface Parser {
  condition(): Condition
  end(): void
}

function createParser(tokens: readonly Token[]): Parser {
  let at = 0
  const is = (text: string): boolean => {
    const token = tokens[at]
    return token !== undefined && token.kind !== 'text' && token.text.toLowerCase() === text
  }
  const take = (text: string): boolean => {
    const found = is(text)
    if (found) at += 1
    return found
  }
  const need = (text: string): void => {
    if (!take(text)) throw new CqlError(`expected '${text}' at '${tokens[at]?.text ?? 'the end'}'`)
  }
  const next = (kind: Token['kind']): string => {
    const token = tokens[at]
    if (token?.kind !== kind) throw new CqlError(`unexpected '${token?.text ?? 'end'}'`)
    at += 1
    return token.text
  }
  const list = <Item>(item: () => Item): Item[] => {
    need('(')
    const items = [item()]
    while (take(',')) items.push(item())
    need(')')
    return items
  }

  const chain = (op: 'and' | 'or', part: () => Condition): Condition => {
    const args = [part()]
    while (take(op)) args.push(part())
    return args.length === 1 ? (args[0] as Condition) : { op, args }
  }
  const condition = (): Condition => chain('or', () => chain('and', negation))
  const negation = (): Condition => (take('not') ? { op: 'not', arg: negation() } : primary())

  const primary = (): Condition => {
    if (take('(')) {
      const inner = condition()
      need(')')
      return inner
    }
    const word = next('word')
    return is('(') ? call(word.toLowerCase()) : predicate(word)
  }

  const predicate = (field: string): Condition => {
    const isNot = take('not')
    const wrap = (found: Condition): Condition => (isNot ? { op: 'not', arg: found } : found)
    if (take('in')) return wrap({ op: 'in', field, values: list(literal) })
    if (take('like')) return wrap({ op: 'like', field, pattern: next('text') })
    if (take('between')) {
      const low = literal()
      need('and')
      return wrap({ op: 'and', args: [compare(field, '>=', low), compare(field, '<=', literal())] })
    }
    if (take('is')) {
      const not = take('not')
      need('null')
      return not ? { op: 'not', arg: { op: 'isNull', field } } : { op: 'isNull', field }
    }
    return compare(field, next('sign') as Comparison, literal())
  }

  const literal = (): Literal => {
    const token = tokens[at]
    if (token?.kind === 'number') return Number(next('number'))
    if (token?.kind === 'text') return next('text')
    const word = next('word').toLowerCase()
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'timestamp' || word === 'date') return list(() => next('text'))[0] ?? ''
    throw new CqlError(`'${word}' is not a value`)
  }

  const call = (name: string): Condition => {
    need('(')
    const field = next('word')
    need(',')
    const found = name.startsWith('s_') ? inside() : during(name, field)
    need(')')
    return found
  }

  const during = (name: string, field: string): Condition => {
    const text = take('interval') ? list(() => next('text')).join('/') : String(literal())
    const stretch = readStretch(text, NaN)
    if (stretch === undefined) throw new CqlError(`'${text}' is not a time`)
    if (name === 't_after') return compare(field, '>', new Date(stretch.to).toISOString())
    if (name === 't_before') return compare(field, '<', new Date(stretch.from).toISOString())
    return { op: 'during', field, ...stretch }
  }

  const inside = (): Condition => {
    const shape = next('word').toLowerCase()
    if (shape === 'polygon') return { op: 'inside', shapes: list(() => list(corner)).slice(0, 1) }
    if (shape !== 'bbox' && shape !== 'envelope') throw new CqlError(`'${shape}' is not an area`)
    const [west = 0, south = 0, east = 0, north = 0] = list(() => Number(next('number')))
    return { op: 'inside', shapes: [boxRing(west, south, east, north)] }
  }

  const corner = (): Ring[number] => [Number(next('number')), Number(next('number'))]

  return {
    condition,
    end() {
      if (at < tokens.length) throw new CqlError(`unexpected '${tokens[at]?.text}'`)
    },
  }
}

function compare(field: string, how: Comparison, value: Literal): Condition {
  if (!['=', '<>', '<', '<=', '>', '>='].includes(how)) throw new CqlError(`'${how}' compares nothing`)
  return { op: 'compare', field, how, value }
}
