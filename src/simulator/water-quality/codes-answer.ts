import { Refusal } from '../refusal.ts'
import { jsonAnswer, type Answer, type Ask } from '../service.ts'
import { portalError } from './legacy/errors.ts'
import type { Code } from './codes.ts'

/** `/Codes/{name}`, `/Codes/{name}/validate`: lists of values, by name without regard to capitals. */
export function answerCodes(lists: Readonly<Record<string, readonly Code[]>>, { path, query }: Ask): Answer {
  const [, , name = '', validate] = path.split('/')
  const list = lists[name.toLowerCase()]
  if (list === undefined) throw new Refusal(portalError(404, path))
  if ([...query].length === 0) throw new Refusal({ status: 400, headers: {}, body: '' })
  const isJson = query.get('mimeType') === 'json'
  if (validate?.toLowerCase() === 'validate') {
    const found = list.find(({ value }) => value === query.get('value'))
    if (found === undefined) throw new Refusal(portalError(404, path))
    return listAnswer([found], 1, isJson)
  }
  const wanted = list.filter(code => isWanted(name.toLowerCase(), code, query))
  const text = query.get('text')
  if (text !== null) wanted.sort((a, b) => a.value.length - b.value.length)
  const size = Number(query.get('pagesize') ?? wanted.length)
  const first = (Number(query.get('pagenumber') ?? 1) - 1) * size
  return listAnswer(wanted.slice(first, first + size), wanted.length, isJson)
}

function isWanted(name: string, { value, desc }: Code, query: URLSearchParams): boolean {
  const text = query.get('text')?.toLowerCase()
  if (text !== undefined && !`${value} ${desc}`.toLowerCase().includes(text)) return false
  const within = query.get(name === 'countycode' ? 'statecode' : 'countrycode')
  if (within === null || !['countycode', 'statecode'].includes(name)) return true
  return within.split(';').some(code => value.startsWith(`${code}:`))
}

function listAnswer(codes: readonly Code[], recordCount: number, isJson: boolean): Answer {
  if (isJson) return jsonAnswer(200, { codes, recordCount })
  const items = codes.map(({ value, desc }) => `<Code value="${escape(value)}" desc="${escape(desc)}"/>`)
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Codes>${items.join('')}<recordCount>${recordCount}</recordCount></Codes>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body }
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
