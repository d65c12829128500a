import type { Clock } from '../clock.ts'
import { silentLogger, type Logger } from '../logger.ts'
import type { RunOptions } from './options.ts'
import type { PullEvent, PullProgress } from './pull-events.ts'

/** An event without what is the same for all. */
export type PullEventBody = PullEvent extends infer E
  ? E extends PullEvent
    ? Omit<E, 'at' | 'progress'>
    : never
  : never

/** Counts what a run does, and tells it. */
export class ProgressBoard {
  tasks = 0
  tasksDone = 0
  rows = 0
  expectedRows: number | undefined
  bytes = 0
  requests = 0
  readonly #begun: number
  readonly #clock: Clock
  readonly #listener: ((event: PullEvent) => void) | undefined
  readonly #logger: Logger

  constructor(clock: Clock, { onEvent, logger = silentLogger }: Pick<RunOptions, 'onEvent' | 'logger'>) {
    this.#clock = clock
    this.#begun = clock.monotonic()
    this.#listener = onEvent
    this.#logger = logger
  }

  get elapsedMs(): number {
    return Math.round(this.#clock.monotonic() - this.#begun)
  }

  get progress(): PullProgress {
    const { tasks, tasksDone, rows, expectedRows, bytes, requests, elapsedMs } = this
    const share = expectedRows === undefined || expectedRows === 0 ? undefined : Math.min(1, rows / expectedRows)
    return {
      tasks,
      tasksDone,
      rows,
      expectedRows,
      bytes,
      requests,
      elapsedMs,
      leftMs: share === undefined || share === 0 ? undefined : Math.round((elapsedMs * (1 - share)) / share),
    }
  }

  /** What a listener throws is its own affair: it ends no pull. */
  tell(body: PullEventBody): void {
    if (body.type === 'warning') this.#logger.warn(body.message)
    const complain = (thrown: unknown): void => this.#logger.error(`onEvent threw: ${String(thrown)}`)
    try {
      const event = { at: new Date(this.#clock.now()), progress: this.progress, ...body } as PullEvent
      const answer: unknown = this.#listener?.(event)
      if (answer instanceof Promise) answer.catch(complain)
    } catch (thrown) {
      complain(thrown)
    }
  }
}
