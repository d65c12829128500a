/** What a runner prints, as far as the table shows it. */
export interface Line {
  readonly outcome: 'ok' | 'raised'
  readonly error?: string
  readonly correct?: boolean
  readonly ordered?: boolean
  readonly cpuS: number
  readonly wallS: number
  readonly peakRssMB: number
  readonly rows?: number
  readonly requests: number
  readonly repeats: number
  /** Requests that the server failed, or that were given up. */
  readonly failed: number
  /** Requests that came while a wait stated by the server was not over. */
  readonly duringRetryAfter: number
  readonly logins: number
  /** How often a pull was taken up again. */
  readonly resumed?: number
  readonly clientAborts: number
  readonly peakPerSecond: number
  readonly byPathStatus: Readonly<Record<string, number>>
}

/** Below so many CPU seconds a program's start outweighs its work, and a ratio says nothing. */
const SMALLEST_FLOOR = 0.2

interface Compared {
  readonly job: string
  readonly about: string
  readonly floors: readonly Line[]
  readonly ours: readonly Line[]
}

const COLUMNS: readonly (readonly [title: string, cell: (compared: Compared) => string])[] = [
  ['job', ({ job, about }) => `${job}: ${about}`],
  [
    'outcome',
    ({ ours }) => every(ours, line => (line.outcome === 'ok' ? 'ok' : `raised (${line.error?.split(':')[0]})`)),
  ],
  ['correct', ({ ours }) => every(ours, line => line.correct)],
  ['in order', ({ ours }) => every(ours, line => line.ordered)],
  ['CPU / floor', ({ ours, floors }) => ratio(ours, floors, line => line.cpuS)],
  ['peak memory / floor', ({ ours, floors }) => ratio(ours, floors, line => line.peakRssMB)],
  ['peak memory, MB', ({ ours }) => middle(ours, line => line.peakRssMB)],
  ['wall, s', ({ ours }) => middle(ours, line => line.wallS)],
  ['rows', ({ ours }) => middle(ours, line => line.rows)],
  ['requests', ({ ours }) => middle(ours, line => line.requests)],
  ['failed', ({ ours }) => middle(ours, line => line.failed)],
  ['needed', ({ ours }) => every(ours, line => line.requests - line.failed)],
  ['repeats', ({ ours }) => middle(ours, line => line.repeats)],
  ['resumed runs', ({ ours }) => `${ours.filter(({ resumed = 0 }) => resumed > 0).length} of ${ours.length}`],
  ['time-outs', ({ ours }) => middle(ours, line => line.clientAborts)],
  ['429', ({ ours }) => middle(ours, line => line.byPathStatus['429'] ?? 0)],
  ['in a pause', ({ ours }) => middle(ours, line => line.duringRetryAfter)],
  ['logins', ({ ours }) => middle(ours, line => line.logins)],
  ['most in a second', ({ ours }) => middle(ours, line => line.peakPerSecond)],
]

export function heading(): string {
  return [row(COLUMNS.map(([title]) => title)), row(COLUMNS.map((_, at) => (at < 4 ? '---' : '---:')))].join('\n')
}

/** One job as a line: medians of its runs. */
export function rowOf(compared: Compared): string {
  return row(COLUMNS.map(([, cell]) => cell(compared)))
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function every(lines: readonly Line[], value: (line: Line) => unknown): string {
  return [...new Set(lines.map(line => String(value(line) ?? '-')))].join(', ')
}

function middle(lines: readonly Line[], value: (line: Line) => number | undefined): string {
  const found = median(lines.map(value))
  return found === undefined ? '-' : String(Math.round(found * 100) / 100)
}

function ratio(ours: readonly Line[], floors: readonly Line[], value: (line: Line) => number): string {
  const [own, floor] = [median(ours.map(value)), median(floors.map(value))]
  return own === undefined || floor === undefined || floor < SMALLEST_FLOOR ? '-' : (own / floor).toFixed(2)
}

/** The lower median, as the neutral bench takes it. */
function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter(value => value !== undefined).sort((a, b) => a - b)
  return known[Math.floor((known.length - 1) / 2)]
}
