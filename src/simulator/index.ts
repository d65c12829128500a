/** A local server that answers like the services do, faults included. The only way into this folder. */
export { simulate } from './command.ts'
export type {
  ContentAction,
  CursorAction,
  MetaAction,
  ModelAction,
  ReissueAction,
  ReviseAction,
  RowsAction,
  WithdrawAction,
} from './content-action.ts'
export type {
  EmissionsTruth,
  TruthForecastRow,
  TruthFuelRow,
  TruthInstant,
  TruthQuery,
  TruthRow,
} from './emissions/index.ts'
export type {
  AnswerAction,
  CutLie,
  DeliveryAction,
  Fault,
  FaultAction,
  FaultCondition,
  LatencyAction,
} from './fault.ts'
export { fingerprint } from './fingerprint.ts'
export type { Limits, PerSecondLimit, WindowLimit } from './limits.ts'
export type { Account, ModelVersion, SimulationOptions, SimulatorOptions } from './options.ts'
export type {
  AnnounceAction,
  BreakDownAction,
  CodesDownAction,
  IncompleteAction,
  MishapAction,
  UpstreamAction,
} from './mishap-action.ts'
export { handlers, mockSimulation, type MockedSimulation, type MockOptions } from './mock.ts'
export { PRESETS, slowMonth, type Preset } from './presets.ts'
export type { Ending, SimulatorRequest, SimulatorStats } from './record.ts'
export type { Simulation } from './simulation.ts'
export { startSimulator, type Simulator } from './simulator.ts'
export type {
  Quotas,
  StreamflowOptions,
  StreamflowTruth,
  TruthObservation,
  TruthObservationQuery,
  TruthRating,
  TruthRecord,
} from './streamflow/index.ts'
export type {
  TruthCounts,
  TruthResult,
  WaterQualityOptions,
  WaterQualityQuery,
  WaterQualityTruth,
} from './water-quality/index.ts'
