import { describe, expect, it } from 'vitest'
import type { CallPlan } from './call-plan.ts'
import { PAGES } from './pages.ts'
import type { PagedSchedule } from './paged-schedule.ts'
import { SERIES } from './series.ts'
import { STEP_MS, type SeriesSchedule } from './series-schedule.ts'

const CALL: CallPlan = {
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

/** One series in pages of two rows, one a minute. */
const WALK: PagedSchedule = {
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

/** Three chunks of four rows. */
const CHUNKS: SeriesSchedule = {
  kind: 'series',
  seed: 1,
  operation: 'historical',
  start: START,
  end: START + 11 * STEP_MS,
  chunkMs: 4 * STEP_MS,
  call: CALL,
  gzip: false,
  faults: [],
}
const SECOND_CHUNK = { startsFrom: START + 4 * STEP_MS, startsBefore: START + 8 * STEP_MS }
const REFUSED = { type: 'status', status: 403 } as const

/** Schedules that once ended as none may, as small as they could be made. */
describe('R25, R58, R61: what was once found in walks stays found', () => {
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
    ['R24: a row at the instant at which two pieces meet', { ends: 'shared', end: START + 240_000 }, 'whole'],
    [
      'R54: a series that had failed in front of one that had come',
      {
        series: 2,
        call: { ...CALL, concurrency: 2 },
        faults: [
          { series: 0, do: { type: 'latency', ms: 800 } },
          { series: 0, page: 2, upTo: 1, do: { type: 'status', status: 404 } },
        ],
      },
      'interrupted (http_4xx), taken up',
    ],
  ])('%s', async (_, schedule, outcome) => {
    expect(await PAGES.run({ ...WALK, ...schedule })).toBe(outcome)
  })
})

describe('R57, R58, R60, R61: what was once found in series stays found', () => {
  it.each<[string, Partial<SeriesSchedule>, string]>([
    [
      'R61: a collected result to which nothing came says what is missing',
      { call: { ...CALL, onFailure: 'collect' }, faults: [{ do: REFUSED }] },
      'collected',
    ],
    [
      'R61: a stream that collects does not end as if it were whole',
      { call: { ...CALL, how: 'stream', onFailure: 'collect' }, faults: [{ when: SECOND_CHUNK, do: REFUSED }] },
      'interrupted (http_4xx), taken up',
    ],
    [
      'R60: the checkpoint of a batch behind a part that failed knows of that part',
      {
        call: { ...CALL, how: 'stream', onFailure: 'collect', leaveAfter: 2 },
        faults: [{ when: SECOND_CHUNK, do: REFUSED }],
      },
      'left, taken up',
    ],
    [
      'R49: a stream that is taken up gives no more rows than were wanted in all',
      { call: { ...CALL, how: 'stream', maxRows: 6 }, faults: [{ when: SECOND_CHUNK, do: REFUSED }] },
      'interrupted (http_4xx), taken up',
    ],
    [
      'R58: nothing is handed on in front of a chunk that must be asked again',
      {
        seed: 1,
        start: 1_704_138_300_001,
        end: 1_704_156_900_001,
        chunkMs: 9_300_000,
        call: { ...CALL, how: 'stream', concurrency: 2, onFailure: 'collect', consumerMs: 60 },
        faults: [
          { when: { probability: 0.162469917209819 }, do: { type: 'model', date: '2023-03-01', evenWhenAsked: false } },
          { when: { upTo: 1 }, do: { type: 'status', status: 429 } },
        ],
      },
      'interrupted (rate_limited), taken up',
    ],
  ])('%s', async (_, schedule, outcome) => {
    expect(await SERIES.run({ ...CHUNKS, ...schedule })).toBe(outcome)
  })
})
