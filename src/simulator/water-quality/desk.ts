import type { CodeLists } from './legacy/validation.ts'
import type { WaterQualitySettings } from './options.ts'
import type { World } from './world/world.ts'

/** What answering needs, whichever the service. */
export interface Desk {
  readonly world: World
  readonly codes: CodeLists
  readonly settings: WaterQualitySettings
  /** Another one for every answer: rows come in another order each time. */
  nextTurn(): number
}
