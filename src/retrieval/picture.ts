/** What is drawn: plain numbers and texts, so that nothing of the drawing packages is known where it is made up. */
export interface Picture {
  /** Stands above; `''` for none. */
  readonly title: string
  /** What a blind reader is told that it is. */
  readonly description: string
  readonly width: number
  readonly height: number
  /** Room for what stands left of the frame, pixels. */
  readonly marginLeft: number
  readonly x: Axis
  readonly y: Axis
  /** Stands above the upright axis. */
  readonly yTitle: string
  /** Numbers that colours stand for. */
  readonly colours?: { readonly domain: readonly [number, number]; readonly label: string } | undefined
  readonly shapes: readonly Shape[]
  readonly legend: readonly LegendItem[]
  /** What the reader should know, small, below. */
  readonly notes: readonly string[]
  /** Said in the middle of a picture without data. */
  readonly notice: string | undefined
}

/** One axis; drawn without numbers where nothing is known that could stand there. */
export interface Axis {
  readonly type: 'utc' | 'linear' | 'log'
  /** Epoch milliseconds where it is a time. */
  readonly domain: readonly [number, number] | undefined
  readonly label?: string
  /** Where marks stand. @defaultValue wherever there is room */
  readonly ticks?: readonly number[]
  readonly tickText?: (tick: never, at: number, ticks: readonly never[]) => string
  readonly grid?: boolean
  readonly reversed?: boolean
  /** Whether it is only there to place things. */
  readonly hidden?: boolean
  /** Whether the ends are moved outwards to round numbers. */
  readonly nice?: boolean
}

/** Something drawn. A `NaN` breaks a line. */
export type Shape =
  | ({ readonly kind: 'line'; readonly colour: string; readonly dashed?: boolean } & Series)
  | ({ readonly kind: 'dots'; readonly colour: string; readonly radius?: number } & Series)
  /** Open triangles that point down: the value is somewhere below. */
  | ({ readonly kind: 'below'; readonly colour: string } & Series)
  | ({ readonly kind: 'words'; readonly texts: readonly string[]; readonly anchor: 'start' | 'middle' } & Series)
  /** Rectangles, their colours by number. */
  | {
      readonly kind: 'cells'
      readonly x1: readonly number[]
      readonly x2: readonly number[]
      readonly y1: readonly number[]
      readonly y2: readonly number[]
      readonly values: readonly number[]
    }
  /** The ground on which holes are seen, as one rectangle each. */
  | { readonly kind: 'ground'; readonly areas: readonly (readonly [x1: number, x2: number, y1: number, y2: number])[] }

export interface Series {
  readonly x: readonly number[]
  readonly y: readonly number[]
}

export interface LegendItem {
  readonly text: string
  readonly mark: 'line' | 'dashed' | 'dot' | 'below' | 'ground'
  readonly colour: string
}
