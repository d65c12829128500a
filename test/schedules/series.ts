import type { Campaign } from './campaign.ts'
import { judge } from './judge.ts'
import { seriesSchedules, type SeriesSchedule } from './series-schedule.ts'
import { openSeriesWorld } from './series-world.ts'

/** Schedules over the emissions client and the simulator. */
export const SERIES: Campaign<SeriesSchedule> = {
  schedules: seriesSchedules,
  run: async schedule => judge(await openSeriesWorld(schedule), schedule.call),
}
