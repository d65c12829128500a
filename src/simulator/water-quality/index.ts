export type { WaterQualityOptions } from './options.ts'
export { createWaterQualityService } from './service.ts'
export {
  createWaterQualityTruth,
  type TruthCounts,
  type TruthResult,
  type WaterQualityQuery,
  type WaterQualityTruth,
} from './truth.ts'
