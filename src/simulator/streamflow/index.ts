/** The streamflow services: the only way in from the rest of the simulator. */
export type { Quotas, StreamflowOptions } from './options.ts'
export { createStreamflowService } from './service.ts'
export {
  createStreamflowTruth,
  type StreamflowTruth,
  type TruthObservation,
  type TruthObservationQuery,
  type TruthRating,
  type TruthRecord,
} from './truth.ts'
