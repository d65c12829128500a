import { describe, expect, it } from 'vitest'
import { PAGES } from './pages.ts'
import type { PagedSchedule } from './paged-schedule.ts'

const CALL: PagedSchedule['call'] = {
  how: 'get',
  concurrency: 1,
  retries: 0,
  maxSplitDepth: 0,
  learnSpans: false,
  readTimeoutMs: 1200,
  stallMs: 0,
  perSecond: null,
  onFailure: 'stop',
  maxRows: null,
  maxRequests: null,
  deadlineMs: null,
  abortMs: null,
  consumerMs: 0,
  leaveAfter: null,
  takeUp: 'resume',
}
const START = 1_740_787_200_000
const SCHEDULE: PagedSchedule = {
  kind: 'pages',
  seed: 1,
  series: 1,
  start: START,
  end: START + 120_000,
  chunkMs: 120_000,
  pageSize: 2,
  ends: 'trimmed',
  relative: false,
  call: CALL,
  faults: [],
}

/** Schedules that once ended as none may, as small as they could be made. */
describe('R25, R58, R61: what was once found stays found', () => {
  it.each<[string, Partial<PagedSchedule>, string]>([
    ['pages of one walk that speak of different versions', { faults: [{ page: 1, do: { type: 'older' } }] }, 'whole'],
    [
      'a stray row that belongs to the other half of a split piece',
      {
        end: START + 60_001,
        call: { ...CALL, maxSplitDepth: 1 },
        faults: [{ upTo: 1, do: { type: 'hang' } }, { do: { type: 'beyond', rows: 1 } }],
      },
      'whole',
    ],
    [
      'a cap on rows behind a part that failed',
      {
        end: START + 180_000,
        call: { ...CALL, how: 'stream', onFailure: 'collect', maxRows: 1 },
        faults: [{ upTo: 1, do: { type: 'status', status: 429 } }],
      },
      'interrupted (rate_limited), taken up',
    ],
  ])('%s', async (_, schedule, outcome) => {
    expect(await PAGES.run({ ...SCHEDULE, ...schedule })).toBe(outcome)
  })
})
