/**
 * The house as a table: which rooms there are, what each may import, who owns which package, and what is
 * let off a rule with the reason. The checks in `architecture.ts` read it; change the house here.
 */

/** A part of `src`. */
export interface Room {
  readonly name: string
  /** Which files belong to it, as paths below `src/`. */
  readonly files: RegExp
  /** Rooms it may import from, itself excepted. */
  readonly below: readonly string[]
  /** Must not name a service, in code, texts or comments. */
  readonly neutral?: boolean
  /** The one file other rooms may import. Absent: every file of the room is open. */
  readonly door?: string
}

const ADAPTERS = ['adapters/emissions', 'adapters/streamflow', 'adapters/water-quality']

const adapters = ADAPTERS.map(name => folder(name, ['floor', 'transport', 'retrieval']))

export const ROOMS: readonly Room[] = [
  { name: 'floor', files: /^(?!index\.ts$)[^/]+\.ts$/, below: [], neutral: true },
  { ...folder('transport', ['floor']), neutral: true },
  folder('retrieval', ['floor', 'transport']),
  ...adapters,
  folder('pull', ['floor', 'transport', 'retrieval', ...ADAPTERS]),
  folder('simulator', ['floor']),
  folder('cli', ['floor', 'transport', 'retrieval', ...ADAPTERS, 'pull', 'simulator', 'top']),
  // Not the simulator: `headrace` must work where its optional package is not installed.
  { name: 'top', files: /^index\.ts$/, below: ['floor', 'transport', 'retrieval', ...ADAPTERS, 'pull'] },
]

/** Who may import a package. */
export interface Owner {
  readonly package: string
  /** Paths below `src/` that own it. */
  readonly files: RegExp
  /** Paths below `src/` that may import its types besides. */
  readonly types?: RegExp
  /** How many files may own it in one room. Default: as many as `files` matches. */
  readonly atMost?: number
}

export const OWNERS: readonly Owner[] = [
  { package: 'axios', files: /^transport\/http\.ts$/, types: /^transport\/retry\.ts$/ },
  { package: 'apache-arrow', files: /^retrieval\/arrow\.ts$/ },
  { package: 'cacache', files: /^transport\/cache-store\.ts$/ },
  { package: 'axios-retry', files: /^transport\/retry\.ts$/ },
  { package: 'p-limit', files: /^transport\/limiter\.ts$/ },
  { package: 'luxon', files: /^time\.ts$/ },
  { package: 'papaparse', files: /^adapters\/water-quality\/csv\.ts$/ },
  { package: 'zod', files: /^adapters\/[^/]+\/schemas\.ts$/ },
  { package: '@observablehq/plot', files: /^retrieval\/plot\.ts$/ },
  { package: 'linkedom', files: /^retrieval\/plot\.ts$/ },
  { package: 'hyparquet-writer', files: /^pull\/parquet-writer\.ts$/, types: /^pull\/parquet-column\.ts$/ },
  { package: 'hyparquet', files: /^pull\/parquet-reader\.ts$/, types: /^pull\/parquet-column\.ts$/ },
  { package: '@duckdb/node-api', files: /^pull\/load-duckdb\.ts$/ },
  { package: 'pg', files: /^pull\/load-postgres\.ts$/ },
  { package: 'pg-copy-streams', files: /^pull\/load-postgres\.ts$/ },
  { package: 'yaml', files: /^pull\/yaml-text\.ts$/ },
  { package: 'commander', files: /^cli\/program\.ts$/ },
  { package: 'date-holidays', files: /^adapters\/emissions\/holidays\.ts$/ },
  { package: '@resvg/resvg-js', files: /^retrieval\/png\.ts$/ },
  { package: 'msw', files: /^simulator\//, atMost: 1 },
]

/** What no neutral room may say. */
export const SERVICE_NAME = /wattt?ime|usgs|wqp|nwis|emissions|streamflow|water[-_ ]?quality|moer/i

/** Syntax that is not used here, with what to do instead. */
export const FORBIDDEN: Readonly<Record<string, string>> = {
  enum: 'a union of texts',
  'default export': 'a named export',
  'export *': 'the names, one by one',
  'Date.now': 'the clock that was handed in',
  'new Date()': 'the clock that was handed in',
  'performance.now': 'the clock that was handed in',
  'Math.random': 'the random source that was handed in',
  console: 'the logger that was handed in',
  'process.stdout': 'the logger that was handed in',
  'process.stderr': 'the logger that was handed in',
  setTimeout: 'the clock that was handed in',
  setInterval: 'the clock that was handed in',
  setImmediate: 'the clock that was handed in',
  'AbortSignal.timeout': 'the clock that was handed in',
  'process.hrtime': 'the clock that was handed in',
}

/** What is let off a rule, and why. */
export interface Exception {
  readonly files: RegExp
  readonly what: readonly string[]
  readonly because: string
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    files: /^clock\.ts$/,
    what: ['Date.now', 'performance.now', 'Math.random', 'setTimeout'],
    because: 'it is the clock and the random source that others are handed',
  },
  {
    files: /^simulator\/main\.ts$/,
    what: ['console', 'process.stdout', 'process.stderr'],
    because: 'a program of its own, not part of the library',
  },
  {
    files: /^retrieval\/progress-line\.ts$/,
    what: ['process.stderr'],
    because: 'showing progress there is what its caller asked for',
  },
  {
    files: /^cli\//,
    what: ['console', 'process.stdout', 'process.stderr'],
    because: 'printing is its purpose',
  },
]

/** Names that say nothing about what a file holds. */
export const GRAB_BAGS: ReadonlySet<string> = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'types',
  'misc',
  'shared',
])

export const LONGEST_FILE_LINES = 300

function folder(name: string, below: readonly string[]): Room {
  return { name, files: new RegExp(`^${name}/`), below, door: `${name}/index.ts` }
}
