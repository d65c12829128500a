import type { PullHole, PullPlan, PullReport, PullStatus, SyncReport, VerifyReport } from '../pull/index.ts'
import { shellWord } from './shell-word.ts'
import { bytesText, durationText, labels } from './pull-progress.ts'

const FEW = 10

/** A plan for people. */
export function planText({
  id,
  format,
  tasks,
  requests,
  expectedRows,
  seconds,
  quotas,
  bytes,
  covered,
}: PullPlan): string {
  return lines([
    ['plan', id],
    ['tasks', `${tasks.length}, of which ${covered.tasks} are there already`],
    ['requests', requests.low === requests.high ? `${requests.low}` : `${requests.low} to ${requests.high}`],
    ['rows', expectedRows === undefined ? 'nobody can know' : expectedRows.toLocaleString('en-US')],
    ['time', `about ${durationText(seconds)}`],
    ['files', `${format}, ${bytes === undefined ? 'of a size that nobody can know' : `about ${bytesText(bytes)}`}`],
    ...quotas.map(({ service, allowed, windowSeconds, share }): [string, string] => [
      'quota',
      `${service}: ${percent(share)} of ${allowed.toLocaleString('en-US')} requests in ${durationText(windowSeconds)}`,
    ]),
  ])
}

/** What a pull did. */
export function reportText(
  out: string,
  { outcome, tasks, rows, bytes, requests, holes, warnings }: PullReport,
): string {
  const words = outcome === 'unchanged' ? 'everything was there already' : outcome
  return [
    `${out}: ${words}: ${counted(tasks.done, 'task')} done, ${tasks.covered} there before, ${tasks.left} left`,
    `${counted(rows, 'row')} in ${bytesText(bytes)}, ${counted(requests, 'request')}`,
    ...holeLines(holes),
    ...warnings.map(warning => `warning: ${warning}`),
  ].join('\n')
}

/** What is in a folder. */
export function statusText({ out, format, plans, tasks, rows, bytes, files, holes, lockedBy }: PullStatus): string {
  const [newest] = plans
  return [
    lines([
      ['folder', out],
      ['plan', newest ? newest.id : 'none: nothing was pulled into it'],
      ...(tasks ? [['tasks', `${tasks.covered} of ${tasks.total} done`] as [string, string]] : []),
      ['files', `${files.length}${format ? ` (${format})` : ''}, ${bytesText(bytes)}`],
      ['rows', rows.toLocaleString('en-US')],
      ...(lockedBy ? [['in use', `by process ${lockedBy.pid} on ${lockedBy.host}`] as [string, string]] : []),
    ]),
    ...holeLines(holes),
  ].join('\n')
}

/** What a check found. */
export function verifyText({ out, sound, files, rows, damaged, strays, holes, tasks, repaired }: VerifyReport): string {
  const fixed = repaired.files + repaired.holes > 0
  return [
    `${out}: ${sound ? 'sound' : 'not sound'}: ${counted(files, 'file')}, ${counted(rows, 'row')}`,
    ...damaged.map(({ message }) => `damaged: ${message}`).sort(),
    ...strays.map(path => `left behind: ${path}`).sort(),
    ...(tasks !== undefined && tasks.left > 0
      ? [`never pulled: ${tasks.left} of ${tasks.total} tasks; to do them: headrace resume ${shellWord(out)}`]
      : []),
    ...(fixed
      ? [
          `repaired: ${counted(repaired.files, 'file')}, ${counted(repaired.holes, 'hole')}, ${counted(repaired.rows, 'row')}`,
        ]
      : []),
    ...holeLines(holes),
  ].join('\n')
}

/** What came new. */
export function syncText(
  out: string,
  { outcome, added, revised, removed, requests, holes, warnings }: SyncReport,
): string {
  return [
    outcome === 'unchanged'
      ? `${out}: nothing new (${counted(requests, 'request')})`
      : `${out}: ${counted(added, 'row')} added, ${revised.toLocaleString('en-US')} revised${removed === 0 ? '' : `, ${removed.toLocaleString('en-US')} removed`} (${counted(requests, 'request')})`,
    ...holeLines(holes),
    ...warnings.map(warning => `warning: ${warning}`),
  ].join('\n')
}

function holeLines(all: readonly PullHole[]): string[] {
  const holes = all.filter(({ accepted }) => !accepted)
  const accepted = all.length - holes.length
  const first = holes.slice(0, FEW).map(({ operation, series, within, start, end, samples }) => {
    const where = [operation, labels(series), within].filter(Boolean).join(' ')
    return `  ${where}: ${instant(start)} to ${instant(end)} (${counted(samples, 'sample')})`
  })
  return [
    `holes: ${holes.length === 0 ? 'none' : holes.length}${accepted > 0 ? ` (and ${accepted} accepted)` : ''}`,
    ...first,
    ...(holes.length > FEW ? [`  and ${holes.length - FEW} more`] : []),
  ]
}

function lines(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${name.padEnd(10)}${value}`).join('\n')
}

function counted(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`
}

function instant(at: Date): string {
  return at.toISOString().replace('.000Z', 'Z')
}

function percent(share: number): string {
  return share < 0.001 ? 'less than 0.1 %' : `${(share * 100).toFixed(1)} %`
}
