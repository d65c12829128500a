import type { Activity, Days } from '../world/activities.ts'
import type { Provider } from '../world/organizations.ts'
import type { Telling } from '../world/results.ts'

/** What is asked for, freed of any spelling. Absent means all; values of one kind are alternatives, kinds add up. */
export interface Filter {
  readonly sites?: ReadonlySet<string>
  /** Two digits of the state, and a county after a colon where one was named. Alternatives of both kinds. */
  readonly areas?: ReadonlySet<string>
  /** Beginnings of codes. */
  readonly hucs?: readonly string[]
  readonly box?: readonly [west: number, south: number, east: number, north: number]
  /** Whether a point on the edge of the box is inside. */
  readonly boxHasEdges?: boolean
  readonly circle?: { readonly latitude: number; readonly longitude: number; readonly miles: number }
  readonly kinds?: ReadonlySet<string>
  readonly organizations?: ReadonlySet<string>
  readonly providers?: ReadonlySet<string>
  readonly minActivities?: number
  readonly minResults?: number
  /** Local days, both included. What has no date meets none. */
  readonly days?: Days
  readonly media?: ReadonlySet<string>
  readonly projects?: ReadonlySet<string>
  readonly names?: ReadonlySet<string>
  /** Names of the Survey's own system. */
  readonly longNames?: ReadonlySet<string>
  /** Any other demand on an activity. */
  readonly isActivity?: (activity: Activity) => boolean
  readonly groups?: ReadonlySet<string>
  readonly pcodes?: ReadonlySet<string>
  readonly taxa?: ReadonlySet<string>
  /** Asks for something that nothing here has. */
  readonly isHopeless?: boolean
}

/** Which data an interface serves, and how it tells them. */
export interface Scope {
  readonly telling: Telling
  readonly providers: readonly Provider[]
  /** The Survey's data stand still since March 2024. */
  readonly isFrozen: boolean
  /** Only what the Survey measured itself. */
  readonly surveyOnly: boolean
}

export const LEGACY_SCOPE: Scope = {
  telling: 'older',
  providers: ['NWIS', 'STEWARDS', 'STORET'],
  isFrozen: true,
  surveyOnly: false,
}

export const WQX3_SCOPE: Scope = { telling: 'newer', providers: ['NWIS', 'STORET'], isFrozen: false, surveyOnly: false }

export const SAMPLES_SCOPE: Scope = { telling: 'newer', providers: ['NWIS'], isFrozen: false, surveyOnly: true }
