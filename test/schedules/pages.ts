import type { Campaign } from './campaign.ts'
import { judge } from './judge.ts'
import { pagedSchedules, type PagedSchedule } from './paged-schedule.ts'
import { openPagedWorld } from './paged-world.ts'

/** Schedules over a service that answers in pages. */
export const PAGES: Campaign<PagedSchedule> = {
  schedules: pagedSchedules,
  run: async schedule => judge(await openPagedWorld(schedule), schedule.call),
}
