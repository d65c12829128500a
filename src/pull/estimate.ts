import { spanOf } from '../span.ts'
import type { SettingOrigin } from '../transport/index.ts'
import type { PlannedTask, QuotaShare, RequestCount } from './pull-plan.ts'
import { planOf, type ClientPlan, type ServiceClient } from './service-entry.ts'
import { SERVICES } from './services.ts'
import type { PullFormat } from './spec.ts'
import { queryOf, type ListedTask } from './tasks.ts'

/** A task with what its client says of it. */
export interface EstimatedTask {
  readonly planned: PlannedTask
  readonly client: ClientPlan
}

/** Share of the requests that may have to be sent again or in parts. */
const TROUBLE = 0.1
const HOUR_SECONDS = 3600

/**
 * What a task costs.
 *
 * @param asks - whether a service may be asked how many rows there are; if not, nothing is sent
 * @throws QueryError when the service would not take the query
 */
export async function estimateTask(
  { id, series, span, covered }: ListedTask,
  client: ServiceClient,
  asks = false,
  signal?: AbortSignal,
): Promise<EstimatedTask> {
  const { service, operation, entry, labels } = series
  const plan = await planOf(client, entry, queryOf(series, span), asks && !covered, signal)
  const expectedRows = plan.expectedRows ?? (span && entry.expectedRows?.(span, series.query))
  // Where nobody knows the rows, nobody knows the pages: each walk may have one more.
  const unknownPages = expectedRows === undefined ? plan.requests : 0
  const high = Math.ceil(plan.requests * (1 + TROUBLE)) + unknownPages
  return {
    client: plan,
    planned: {
      id,
      service,
      operation,
      series: labels,
      span: span && spanOf(span),
      requests: { low: plan.requests, high },
      expectedRows,
      covered,
    },
  }
}

/** Sums of the tasks that are left to do. Unknown rows of one make the whole unknown. */
export function sumOf(tasks: readonly PlannedTask[]): {
  readonly requests: RequestCount
  readonly expectedRows: number | undefined
} {
  const left = tasks.filter(({ covered }) => !covered)
  return {
    requests: {
      low: left.reduce((sum, { requests }) => sum + requests.low, 0),
      high: left.reduce((sum, { requests }) => sum + requests.high, 0),
    },
    expectedRows: left.reduce<number | undefined>(
      (sum, { expectedRows }) => (sum === undefined || expectedRows === undefined ? undefined : sum + expectedRows),
      0,
    ),
  }
}

/** Bytes of a row, measured on the files of the examples: text is long, columns are short. */
const ROW_BYTES: Readonly<Record<string, Readonly<Record<PullFormat, number>>>> = {
  emissions: { csv: 48, jsonl: 103, parquet: 4 },
  streamflow: { csv: 230, jsonl: 430, parquet: 12 },
  'water-quality': { csv: 550, jsonl: 2500, parquet: 75 },
}
const OTHER_ROW_BYTES: Readonly<Record<PullFormat, number>> = { csv: 300, jsonl: 600, parquet: 80 }

/** Bytes of the rows that are left to write, roughly. */
export function bytesOf(tasks: readonly PlannedTask[], format: PullFormat): number | undefined {
  return tasks
    .filter(({ covered }) => !covered)
    .reduce<number | undefined>(
      (sum, { service, expectedRows }) =>
        sum === undefined || expectedRows === undefined
          ? undefined
          : sum + expectedRows * (ROW_BYTES[service] ?? OTHER_ROW_BYTES)[format],
      0,
    )
}

/** How much of each service's allowance the plan takes. */
export function quotasOf(tasks: readonly EstimatedTask[]): QuotaShare[] {
  return [...perService(tasks)].flatMap(([service, own]): QuotaShare[] => {
    const requests = own.reduce((sum, { client }) => sum + client.requests, 0)
    const said = own.find(({ client }) => client.quota)?.client.quota
    const known = SERVICES[service]?.quota
    const allowed = said ? (said.remaining ?? said.perHour) : known?.requests
    if (allowed === undefined) return []
    const windowSeconds = said ? HOUR_SECONDS : (known?.seconds ?? HOUR_SECONDS)
    return [{ service, allowed, windowSeconds, share: allowed > 0 ? requests / allowed : Infinity }]
  })
}

/**
 * Seconds that the plan takes: of the services, which are asked side by side, the one that takes longest. For each,
 * the larger of what its rate and quota allow and what its answers take.
 */
export function secondsOf(
  tasks: readonly EstimatedTask[],
  clientOf: (service: string) => ServiceClient,
  parallel: number,
): number {
  const seconds = [...perService(tasks)].map(([service, own]) => {
    const requests = own.reduce((sum, { client }) => sum + client.requests, 0)
    const settings = clientOf(service).describeSettings()
    const slots = Math.min(numberOf(settings, 'concurrency') ?? 1, requests)
    // A task asks for its parts side by side, and so many tasks run at a time.
    const lanes = Math.max(1, Math.min(slots, own.length < parallel ? slots : requests))
    const latency = (requests / lanes) * (SERVICES[service]?.answerSeconds ?? 1)
    const quota = own.find(({ client }) => client.quota)?.client.quota
    return Math.max(latency, rateSeconds(settings, requests), quota ? waitingSeconds(requests, quota) : 0)
  })
  return Math.round(Math.max(0, ...seconds))
}

function perService(tasks: readonly EstimatedTask[]): Map<string, EstimatedTask[]> {
  const all = new Map<string, EstimatedTask[]>()
  for (const task of tasks) {
    const { service, covered } = task.planned
    if (covered) continue
    all.set(service, [...(all.get(service) ?? []), task])
  }
  return all
}

function numberOf(settings: readonly SettingOrigin[], name: string): number | undefined {
  const value = Number(settings.find(({ setting }) => setting === name)?.value)
  return Number.isFinite(value) && value > 0 ? value : undefined
}

/** Time that the rates allow: of several windows the narrowest. */
function rateSeconds(settings: readonly SettingOrigin[], requests: number): number {
  const text = settings.find(({ setting }) => setting === 'rate')?.value ?? '[]'
  const windows = text.startsWith('[') ? (JSON.parse(text) as { requests: number; perMs: number }[]) : []
  return Math.max(0, ...windows.map(window => (requests / window.requests) * (window.perMs / 1000)))
}

/** Hours of waiting for a quota to be filled again. */
function waitingSeconds(requests: number, { perHour, remaining }: NonNullable<ClientPlan['quota']>): number {
  const beyond = requests - (remaining ?? perHour)
  return beyond <= 0 ? 0 : Math.ceil(beyond / perHour) * HOUR_SECONDS
}
