import type { Campaign } from './campaign.ts'
import { judge } from './judge.ts'
import { qualitySchedules, type QualitySchedule } from './quality-schedule.ts'
import { openQualityWorld } from './quality-world.ts'

/** Schedules over the water-quality client and the simulator. */
export const QUALITY: Campaign<QualitySchedule> = {
  schedules: qualitySchedules,
  run: async schedule => judge(await openQualityWorld(schedule), schedule.call),
}
