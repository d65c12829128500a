/** The emissions service: the only way in from the rest of the simulator. */
export { createEmissionsService } from './service.ts'
export {
  createTruth,
  type EmissionsTruth,
  type TruthForecastRow,
  type TruthFuelRow,
  type TruthInstant,
  type TruthQuery,
  type TruthRow,
} from './truth.ts'
