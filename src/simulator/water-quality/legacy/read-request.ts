import { Refusal } from '../../refusal.ts'
import type { Ask } from '../../service.ts'
import { containerError } from './errors.ts'

/** What is said in the address, which outranks the body. */
const ADDRESS_FIRST = new Set(['mimeType', 'zip'])

/** Names and values of a request: of the address, and of a body in JSON or as a form. */
export function readRequest({ query, headers, body, method, path }: Ask): readonly (readonly [string, string])[] {
  const address = [...query]
  if (method !== 'POST') return address
  const inBody = body === '' ? [] : readBody(body, headers['content-type'] ?? '', path)
  const given = new Set(address.map(([name]) => name))
  return [...address, ...inBody.filter(([name]) => !(ADDRESS_FIRST.has(name) && given.has(name)))]
}

function readBody(body: string, type: string, path: string): readonly (readonly [string, string])[] {
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return [...new URLSearchParams(body)]
  const fields = /^application\/json\b/i.test(type) ? parse(body) : undefined
  if (fields === undefined) throw new Refusal(containerError(400, 'Bad Request', path, 'the body cannot be read'))
  return Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().flatMap(item => (item === null || item === undefined ? [] : [[name, String(item)] as const])),
  )
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
