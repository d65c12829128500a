import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  checkCycles,
  checkDirection,
  checkDoors,
  checkLength,
  checkNeutrality,
  checkOwners,
  checkPlaces,
  checkSyntax,
  type Check,
} from './tooling/architecture.ts'
import { parseSource } from './tooling/source-file.ts'

const root = join(import.meta.dirname, '..')
const house = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => join(entry.parentPath, entry.name))
  .map(file => ({
    path: file
      .slice(root.length + 1)
      .split(sep)
      .join('/'),
    text: readFileSync(file, 'utf8'),
  }))
  .map(parseSource)

/** A house with nothing in it but what a test plants. */
type Planted = Readonly<Record<string, string>>

function violations(check: Check, planted: Planted): string[] {
  return check(Object.entries(planted).map(([path, text]) => parseSource({ path, text })))
}

/** A check, what it lets pass, and violations that it must find, each with a piece of the report. */
interface Proof {
  readonly promise: string
  readonly check: Check
  readonly clean: Planted
  readonly broken: readonly (readonly [what: string, planted: Planted, report: string])[]
}

const door = { 'src/transport/index.ts': '' }

const proofs: readonly Proof[] = [
  {
    promise: 'every file has a place and a name',
    check: checkPlaces,
    clean: { 'src/time.ts': '', 'src/transport/retry-after.ts': '', 'src/index.ts': '', 'src/simulator/main.ts': '' },
    broken: [
      ['a room nobody planned', { 'src/plumbing/pipe.ts': '' }, 'no room'],
      ['an adapter nobody planned', { 'src/adapters/tides/index.ts': '' }, 'no room'],
      ['a file beside the rooms', { 'src/adapters/index.ts': '' }, 'no room'],
      ['a file outside src', { 'lib/time.ts': '' }, 'no room'],
      ['camel case', { 'src/transport/retryAfter.ts': '' }, 'kebab-case'],
      ['a grab-bag', { 'src/transport/utils.ts': '' }, 'one idea'],
      ['something that is no source', { 'src/transport/notes.md': '' }, 'not a TypeScript source'],
    ],
  },
  {
    promise: 'imports point down',
    check: checkDirection,
    clean: {
      'src/time.ts': '',
      'src/errors.ts': `import './time.ts'`,
      'src/transport/index.ts': `import '../errors.ts'`,
      'src/retrieval/index.ts': `import '../transport/index.ts'`,
      'src/adapters/emissions/index.ts': `import '../../retrieval/index.ts'\nimport './client.ts'`,
      'src/adapters/emissions/client.ts': `import type { Span } from '../../time.ts'`,
      'src/pull/index.ts': `import '../adapters/emissions/index.ts'`,
      'src/simulator/index.ts': `import '../time.ts'`,
      'src/index.ts': `export { version } from './time.ts'`,
      'src/cli/index.ts': `import '../index.ts'\nimport '../simulator/index.ts'`,
    },
    broken: [
      ['floor on transport', { ...door, 'src/time.ts': `import './transport/index.ts'` }, 'floor may not'],
      ['floor on top', { 'src/index.ts': '', 'src/time.ts': `import './index.ts'` }, 'floor may not'],
      [
        'transport on an adapter, by type only',
        {
          'src/adapters/emissions/index.ts': '',
          'src/transport/x.ts': `import type { A } from '../adapters/emissions/index.ts'`,
        },
        'transport may not import from adapters/emissions',
      ],
      [
        'one adapter on another, by re-export',
        {
          'src/adapters/streamflow/index.ts': '',
          'src/adapters/emissions/x.ts': `export { a } from '../streamflow/index.ts'`,
        },
        'adapters/emissions may not',
      ],
      [
        'the simulator on transport',
        { ...door, 'src/simulator/x.ts': `import '../transport/index.ts'` },
        'simulator may not',
      ],
      [
        'retrieval on pull',
        { 'src/pull/index.ts': '', 'src/retrieval/x.ts': `await import('../pull/index.ts')` },
        'retrieval may not',
      ],
      [
        'top on the simulator',
        { 'src/simulator/index.ts': '', 'src/index.ts': `import './simulator/index.ts'` },
        'top may not',
      ],
      [
        'an import type in a signature',
        { 'src/pull/index.ts': '', 'src/time.ts': `export type P = import('./pull/index.ts').P` },
        'floor may not import from pull',
      ],
      ['a file that is not there', { 'src/time.ts': `import './gone.ts'` }, 'not a source file'],
      ['a name with .js', { 'src/errors.ts': '', 'src/time.ts': `import './errors.js'` }, 'not a source file'],
    ],
  },
  {
    promise: 'a room is entered through its door',
    check: checkDoors,
    clean: {
      ...door,
      'src/retrieval/x.ts': `import '../transport/index.ts'`,
      'src/transport/x.ts': `import './y.ts'`,
      'src/transport/y.ts': '',
    },
    broken: [
      [
        'a side entrance',
        { 'src/transport/plan.ts': '', 'src/retrieval/x.ts': `import '../transport/plan.ts'` },
        'src/transport/index.ts',
      ],
      [
        'a side entrance for types',
        {
          'src/transport/plan.ts': '',
          'src/adapters/emissions/x.ts': `import type { P } from '../../transport/plan.ts'`,
        },
        'src/transport/index.ts',
      ],
    ],
  },
  {
    promise: 'a package has one owner',
    check: checkOwners,
    clean: {
      'src/transport/http.ts': `import axios from 'axios'\nimport { Agent } from 'node:http'`,
      'src/transport/retry.ts': `import axiosRetry from 'axios-retry'\nimport type { AxiosError } from 'axios'`,
      'src/adapters/emissions/schemas.ts': `import { z } from 'zod'`,
      'src/adapters/streamflow/schemas.ts': `import { z } from 'zod/mini'`,
      'src/simulator/handlers.ts': `import { http } from 'msw'`,
    },
    broken: [
      ['a second user', { 'src/transport/plan.ts': `import axios from 'axios'` }, 'axios belongs to another file'],
      [
        'a value where types are let in',
        { 'src/transport/retry.ts': `import { type A, isAxiosError } from 'axios'` },
        'axios belongs',
      ],
      ['types elsewhere', { 'src/errors.ts': `import type { DateTime } from 'luxon'` }, 'luxon belongs'],
      ['a package nobody owns', { 'src/time.ts': `import 'left-pad'` }, 'left-pad has no owner'],
      [
        'a dynamic import',
        { 'src/time.ts': `const a = await import('@scope/thing/deep')` },
        '@scope/thing has no owner',
      ],
      ['a computed import', { 'src/time.ts': `const a = (n: string) => import(n)` }, 'a computed import has no owner'],
      ['a built-in without node:', { 'src/time.ts': `import { join } from 'path'` }, 'path has no owner'],
      [
        'two owners in one room',
        { 'src/simulator/a.ts': `import 'msw'`, 'src/simulator/b.ts': `import 'msw/node'` },
        '2 files import it',
      ],
    ],
  },
  {
    promise: 'nothing imports itself through others',
    check: checkCycles,
    clean: { 'src/a.ts': `import './b.ts'\nimport './c.ts'`, 'src/b.ts': `import './c.ts'`, 'src/c.ts': '' },
    broken: [
      [
        'two files',
        { 'src/a.ts': `import './b.ts'`, 'src/b.ts': `import './a.ts'` },
        'src/a.ts -> src/b.ts -> src/a.ts',
      ],
      [
        'types',
        { 'src/a.ts': `import type { B } from './b.ts'`, 'src/b.ts': `import type { A } from './a.ts'` },
        'cycle',
      ],
      [
        'a long way round',
        {
          'src/a.ts': `import './b.ts'`,
          'src/b.ts': `export { c } from './c.ts'`,
          'src/c.ts': `const b = () => import('./b.ts')`,
        },
        'src/b.ts -> src/c.ts -> src/b.ts',
      ],
    ],
  },
  {
    promise: 'what serves every service names none',
    check: checkNeutrality,
    clean: { 'src/adapters/emissions/index.ts': '// WattTime', 'src/transport/x.ts': '// the service' },
    broken: [
      ['a comment', { 'src/transport/x.ts': '// as WattTime does' }, 'src/transport/x.ts:1: names a service: WattTime'],
      ['a text', { 'src/settings.ts': `\nconst name = 'API_USGS_PAT'` }, 'src/settings.ts:2'],
      ['an identifier', { 'src/transport/x.ts': `const waterQualityRows = 1` }, 'waterQuality'],
      ['a file name', { 'src/transport/moer.ts': '' }, 'src/transport/moer.ts:name'],
    ],
  },
  {
    promise: 'time, chance and printing come from outside',
    check: checkSyntax,
    clean: {
      'src/clock.ts': `const now = () => Date.now() + Math.random(); setTimeout(() => {}, 1)`,
      'src/simulator/main.ts': `console.log('listening')`,
      'src/time.ts': `// Date.now() and console.log\nconst a = 'new Date()'; const b = new Date(0); socket.setTimeout(5); interface C { console: 1 }`,
    },
    broken: [
      ['Date.now', { 'src/time.ts': `const at = Date.now()` }, 'Date.now; use the clock'],
      ['Date.now as a value', { 'src/time.ts': `const now = Date.now` }, 'Date.now'],
      ['new Date()', { 'src/time.ts': `const at = new Date()` }, 'new Date()'],
      ['Math.random', { 'src/time.ts': `Math.random()` }, 'Math.random'],
      ['console', { 'src/time.ts': `console.warn('x')` }, 'console; use the logger'],
      ['console as a value', { 'src/time.ts': `const log = { console }` }, 'console'],
      ['setTimeout', { 'src/transport/x.ts': `setTimeout(f, 1)` }, 'setTimeout'],
      ['setTimeout of the global object', { 'src/transport/x.ts': `globalThis.setTimeout(f, 1)` }, 'setTimeout'],
      [
        'timers as a module',
        { 'src/transport/x.ts': `import { setTimeout as wait } from 'node:timers/promises'` },
        'node:timers',
      ],
      ['a time-out signal', { 'src/transport/x.ts': `AbortSignal.timeout(5)` }, 'AbortSignal.timeout'],
      ['enum', { 'src/time.ts': `export enum A { B }` }, 'enum'],
      ['a const enum', { 'src/time.ts': `export const enum A { B }` }, 'enum'],
      ['a default export', { 'src/time.ts': `export default 1` }, 'default export'],
      ['a default function', { 'src/time.ts': `export default function f() {}` }, 'default export'],
      ['a name exported as default', { 'src/time.ts': `const a = 1\nexport { a as default }` }, 'default export'],
      ['export *', { 'src/time.ts': `export * from './errors.ts'` }, 'export *'],
      ['export * as', { 'src/time.ts': `export * as errors from './errors.ts'` }, 'export *'],
    ],
  },
  {
    promise: 'a file holds one idea',
    check: checkLength,
    clean: { 'src/time.ts': 'x\n'.repeat(300) },
    broken: [['301 lines', { 'src/time.ts': 'x\n'.repeat(301) }, '301 lines']],
  },
]

describe('the house', () => {
  it('was read: sources were found and their imports were seen', () => {
    expect(house.length).toBeGreaterThan(0)
    expect(house.flatMap(({ imports }) => imports).length).toBeGreaterThan(0)
  })

  it.each(proofs)('holds: $promise', ({ check }) => {
    expect(check(house)).toEqual([])
  })
})

describe.each(proofs)('the check that $promise', ({ check, clean, broken }) => {
  it('lets a sound house pass', () => {
    expect(violations(check, clean)).toEqual([])
  })

  it.each(broken)('finds %s', (_what, planted, report) => {
    expect(violations(check, planted).join('\n')).toContain(report)
  })
})
