import type { Clock } from '../clock.ts'
import type { Column } from '../retrieval/index.ts'
import { isoText } from '../time.ts'
import type { CallOptions } from '../transport/index.ts'
import { version } from '../version.ts'
import type { Disk } from './disk.ts'
import { GridWatch } from './holes.ts'
import { dataFolder, metaFolder, partName } from './layout.ts'
import type { TaskLine } from './manifest-lines.ts'
import { META_COLUMNS, metaRow } from './meta-table.ts'
import { batchesOf, type PlainQuery, type ServiceClient } from './service-entry.ts'
import { tableOf } from './series.ts'
import type { PullFormat } from './spec.ts'
import { TableFiles } from './table-files.ts'
import type { FileFacts } from './table-shape.ts'
import { queryOf, type Task } from './tasks.ts'

/** Where tasks put what they bring. */
export interface Workplace {
  readonly disk: Disk
  readonly out: string
  readonly format: PullFormat
  readonly partition: readonly string[] | undefined
  readonly clock: Clock
  readonly planId: string
}

/** What a task hears and obeys. */
export interface TaskCall extends CallOptions {
  readonly countRows: (rows: number) => void
  readonly requestsSent: () => number
}

/**
 * Does one task: asks, writes rows and metadata rows to files of its own, makes them last, and says what it did.
 * When it throws, nothing of it stands under a final name.
 *
 * @returns the line for the manifest: with it the files count
 */
export async function runTask(task: Task, client: ServiceClient, place: Workplace, call: TaskCall): Promise<TaskLine> {
  const { series, span } = task
  const { countRows, requestsSent, ...options } = call
  const startedAt = isoText(place.clock.now())
  const query = queryOf(series, span, task.more)
  const { data, meta } = filesOf(task, place)
  const grid = new GridWatch(series.entry)
  const heard = new Sources()
  let rows = 0
  let columns: readonly Column[] = []
  try {
    for await (const batch of batchesOf(client, series.entry, query, options)) {
      heard.hear(batch.meta.map(({ source }) => source))
      grid.see(batch.rows)
      columns = withConstants(batch.columns(), columns, series.constants)
      await data.add(batch.rows, columns, factsOf(task, place, heard))
      await meta.add(
        batch.meta.map(one => metaRow(task.id, one)),
        META_COLUMNS,
        factsOf(task, place, heard),
      )
      rows += batch.rows.length
      countRows(batch.rows.length)
    }
    const facts = factsOf(task, place, heard)
    const files = [...(await data.finish(facts)), ...(await meta.finish(facts))]
    const measured = span && grid.measure([span], series.query, heard.source)
    return {
      type: 'task',
      task: task.id,
      plan: place.planId,
      at: isoText(place.clock.now()),
      startedAt,
      seriesId: series.id,
      service: series.service,
      operation: series.operation,
      labels: series.labels,
      query: series.query,
      span: span ? { start: isoText(span.start), end: isoText(span.end) } : null,
      rows,
      ...(measured ? { expected: measured.expected, received: measured.received } : {}),
      holes: measured?.holes ?? [],
      files,
      ...(grid.newest === undefined ? {} : { newest: isoText(grid.newest) }),
      requests: requestsSent(),
      warnings: [...heard.warnings, ...data.losses],
      versions: { headrace: version, ...heard.source },
    }
  } catch (thrown) {
    await data.discard()
    await meta.discard()
    throw thrown
  }
}

/** What the service said about itself, response after response. */
class Sources {
  #source: PlainQuery = {}
  readonly #warnings = new Set<string>()

  hear(sources: readonly PlainQuery[]): void {
    for (const { warnings, ...source } of sources) {
      this.#source = source
      if (Array.isArray(warnings)) for (const warning of warnings) this.#warnings.add(String(warning))
    }
  }

  /** Of the last response. */
  get source(): PlainQuery {
    return this.#source
  }

  get warnings(): string[] {
    return [...this.#warnings]
  }
}

function filesOf(task: Task, place: Workplace): { readonly data: TableFiles; readonly meta: TableFiles } {
  const { disk, out, format } = place
  const about = { series: [task.series.id], tasks: [task.id] }
  const table = tableOf(task.series)
  const folder = dataFolder(task.series, task.span, place.partition)
  const notes = metaFolder(task.series)
  const { fileId = task.id } = task
  return {
    data: new TableFiles({
      disk,
      out,
      format,
      path: nth => `${folder}/${partName(fileId, nth, format)}`,
      about: { ...about, holds: 'data', table },
      constants: task.series.constants,
    }),
    meta: new TableFiles({
      disk,
      out,
      format,
      path: nth => `${notes}/${partName(fileId, nth, format)}`,
      about: { ...about, holds: 'meta', table: `${table}_meta` },
    }),
  }
}

/** Units and provenance, for formats that have a place for them. */
function factsOf({ id, series, span }: Task, { planId }: Workplace, { source }: Sources): FileFacts {
  return {
    'headrace.version': version,
    'headrace.service': series.service,
    'headrace.operation': series.operation,
    'headrace.query': JSON.stringify(series.query),
    'headrace.plan': planId,
    'headrace.task': id,
    ...(span ? { 'headrace.span': `${isoText(span.start)}/${isoText(span.end)}` } : {}),
    'headrace.source': JSON.stringify(source),
  }
}

/** Columns that tell the series stand in front. What is known already stays as it is, unless one more has come. */
function withConstants(now: readonly Column[], before: readonly Column[], constants: object): readonly Column[] {
  if (now.every(({ name }) => before.some(column => column.name === name)) && before.length > 0) return before
  const names = Object.keys(constants).filter(name => !now.some(column => column.name === name))
  return [...names.map((name): Column => ({ name, kind: 'text' })), ...now]
}
