import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import {
  EXCEPTIONS,
  FORBIDDEN,
  GRAB_BAGS,
  LONGEST_FILE_LINES,
  OWNERS,
  ROOMS,
  SERVICE_NAME,
  type Room,
} from './house-map.ts'
import type { ImportFound, ParsedSource } from './source-file.ts'

/** A check takes every source file and returns one line per violation; an empty list is a pass. */
export type Check = (sources: readonly ParsedSource[]) => string[]

/** Every file has a place: a room of the house, a kebab-case name, a name that says something. */
export const checkPlaces: Check = sources =>
  sources.flatMap(({ path }) => {
    const parts = inSrc(path).replace(/\.ts$/, '').split('/')
    const wrong: string[] = []
    if (!path.startsWith('src/') || roomOf(path) === undefined) wrong.push(`${path}: no room of the house holds it`)
    if (!path.endsWith('.ts') || path.endsWith('.d.ts')) wrong.push(`${path}: not a TypeScript source`)
    if (!parts.every(part => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(part))) wrong.push(`${path}: not kebab-case`)
    if (parts.some(part => GRAB_BAGS.has(part))) wrong.push(`${path}: name it for its one idea`)
    return wrong
  })

/** Imports point down, and resolve to a source file by its full name. */
export const checkDirection: Check = sources =>
  everyOwnImport(sources).flatMap(({ from, to, at, exists }) => {
    if (!exists) return [`${at}: ${to} is not a source file; write its full name with .ts`]
    const [own, other] = [roomOf(from), roomOf(to)]
    if (own === undefined || other === undefined || own === other || own.below.includes(other.name)) return []
    return [`${at}: ${own.name} may not import from ${other.name} (${to})`]
  })

/** Another room is entered through its door only. */
export const checkDoors: Check = sources =>
  everyOwnImport(sources).flatMap(({ from, to, at }) => {
    const other = roomOf(to)
    if (other?.door === undefined || other === roomOf(from) || inSrc(to) === other.door) return []
    return [`${at}: ${to} is inside ${other.name}; import src/${other.door}`]
  })

/** Each third-party package has one owner; Node's own modules carry `node:`. */
export const checkOwners: Check = sources => {
  const wrong: string[] = []
  for (const source of sources) {
    for (const found of source.imports) {
      const name = packageOf(found)
      if (name !== undefined) wrong.push(...checkOwner(name, found, source.path))
    }
  }
  for (const { package: name, atMost } of OWNERS) {
    const users = sources.filter(({ imports }) => imports.some(found => packageOf(found) === name))
    if (atMost !== undefined && users.length > atMost) {
      wrong.push(
        `${name}: ${users.length} files import it, ${atMost} may (${users.map(({ path }) => path).join(', ')})`,
      )
    }
  }
  return wrong
}

/** No file imports itself through others, types included. */
export const checkCycles: Check = sources => {
  const edges = new Map<string, string[]>(sources.map(({ path }) => [path, []]))
  for (const { from, to, exists } of everyOwnImport(sources)) if (exists) edges.get(from)?.push(to)
  const done = new Set<string>()
  const wrong: string[] = []
  const walk = (path: string, trail: readonly string[]): void => {
    const begin = trail.indexOf(path)
    if (begin >= 0) wrong.push(`cycle: ${[...trail.slice(begin), path].join(' -> ')}`)
    if (begin >= 0 || done.has(path)) return
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) walk(path, [])
  return wrong
}

/** Rooms that serve every service name none, not even in a comment. */
export const checkNeutrality: Check = sources =>
  sources
    .filter(({ path }) => roomOf(path)?.neutral === true)
    .flatMap(({ path, text }) =>
      [path, ...text.split('\n')].flatMap((line, number) => {
        const name = SERVICE_NAME.exec(line)?.[0]
        return name === undefined ? [] : [`${path}:${number || 'name'}: names a service: ${name}`]
      }),
    )

/** No forbidden syntax, but for the exceptions of the house map; no import that brings the same in. */
export const checkSyntax: Check = sources =>
  sources.flatMap(({ path, syntax, imports }) => {
    const allowed = EXCEPTIONS.filter(({ files }) => files.test(inSrc(path))).flatMap(({ what }) => what)
    const used = syntax.flatMap(({ what, line }) => {
      const rule = [what, what.replace(/^globalThis\./, '')].find(name => name in FORBIDDEN)
      return rule === undefined || allowed.includes(rule) ? [] : [`${path}:${line}: ${what}; use ${FORBIDDEN[rule]}`]
    })
    const imported = imports.filter(({ specifier }) => /^node:(timers|console)\b/.test(specifier ?? ''))
    return [...used, ...imported.map(({ specifier, line }) => `${path}:${line}: ${specifier}; use what was handed in`)]
  })

/** One idea a file. */
export const checkLength: Check = sources =>
  sources.flatMap(({ path, text }) => {
    const lines = text.replace(/\n$/, '').split('\n').length
    return lines > LONGEST_FILE_LINES ? [`${path}: ${lines} lines, at most ${LONGEST_FILE_LINES}`] : []
  })

interface OwnImport {
  readonly from: string
  readonly to: string
  /** Where it is written, for the report. */
  readonly at: string
  readonly exists: boolean
}

function everyOwnImport(sources: readonly ParsedSource[]): OwnImport[] {
  const known = new Set(sources.map(({ path }) => path))
  return sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier, line }) => {
      if (!specifier?.startsWith('.')) return []
      const to = posix.join(posix.dirname(path), specifier)
      return [{ from: path, to, at: `${path}:${line}`, exists: known.has(to) }]
    }),
  )
}

function checkOwner(name: string, { typeOnly, line }: ImportFound, path: string): string[] {
  const owner = OWNERS.find(({ package: owned }) => owned === name)
  if (owner === undefined) return [`${path}:${line}: ${name} has no owner in the house map`]
  const file = inSrc(path)
  if (owner.files.test(file) || (typeOnly && owner.types?.test(file) === true)) return []
  return [`${path}:${line}: ${name} belongs to another file (${owner.files.source})`]
}

/** The third-party package of an import. A computed import and a bare built-in name count as packages nobody owns. */
function packageOf({ specifier }: ImportFound): string | undefined {
  if (specifier === undefined) return 'a computed import'
  if (specifier.startsWith('.')) return undefined
  if (specifier.startsWith('node:') && builtinModules.includes(specifier.slice(5))) return undefined
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function roomOf(path: string): Room | undefined {
  return ROOMS.find(({ files }) => files.test(inSrc(path)))
}

function inSrc(path: string): string {
  return path.replace(/^src\//, '')
}
