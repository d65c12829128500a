import { FULL_PHYS_CHEM } from './wqx3.ts'

const PARTS =
  /^(Org|Project|ProjectAttachment|Location|AlternateLocation|Activity\w*|SampleCollectionMethod|SamplePrepMethod)_/

/** `/wqx3/Activity/search`. Never seen: those columns of `fullPhysChem` that tell of the activity and not of a result. */
export const WQX3_ACTIVITY: readonly string[] = FULL_PHYS_CHEM.filter(
  name => PARTS.test(name) || name === 'ProviderName' || name === 'LastChangeDate',
)
