/** A thing that is measured. */
export interface Parameter {
  readonly code: string
  readonly name: string
  readonly description: string
  readonly unit: string
  readonly group: string
  /** How a level, which is a whole number, is written as a value. */
  readonly scale: 'discharge' | 'hundredths' | 'tenths'
  /** Level in the middle of the year's swing, the swing, and how far chance goes. */
  readonly middle: number
  readonly swing: number
  readonly noise: number
}

const parameter = (
  [code, name, description, unit, group]: readonly [string, string, string, string, string],
  scale: Parameter['scale'],
  [middle, swing, noise]: readonly [number, number, number],
): Parameter => ({ code, name, description, unit, group, scale, middle, swing, noise })

export const PARAMETERS: readonly Parameter[] = [
  parameter(
    ['00010', 'Temperature, water', 'Temperature, water, degrees Celsius', 'degC', 'PHY'],
    'tenths',
    [130, 120, 18],
  ),
  parameter(['00045', 'Precipitation', 'Precipitation, total, inches', 'in', 'PHY'], 'hundredths', [3, 2, 6]),
  parameter(['00060', 'Discharge', 'Discharge, cubic feet per second', 'ft^3/s', 'PHY'], 'discharge', [210, 45, 30]),
  parameter(['00065', 'Gage height', 'Gage height, feet', 'ft', 'PHY'], 'hundredths', [420, 160, 60]),
  parameter(
    ['62614', 'Lk/res elev,NGVD29', 'Lake or reservoir water surface elevation above NGVD 1929, feet', 'ft', 'PHY'],
    'hundredths',
    [85_000, 700, 40],
  ),
  parameter(
    ['72019', 'Depth to water level', 'Depth to water level, feet below land surface', 'ft', 'PHY'],
    'hundredths',
    [2_400, 300, 25],
  ),
]

/** @throws RangeError for a code that nothing here measures */
export function parameterOf(code: string): Parameter {
  const found = PARAMETERS.find(known => known.code === code)
  if (found === undefined) throw new RangeError(`no such parameter: '${code}'`)
  return found
}

/** Statistics: code, name, and how the metadata of a series calls the computation. */
export const STATISTICS: readonly (readonly [code: string, name: string, computation: string])[] = [
  ['00001', 'Maximum', 'Max'],
  ['00002', 'Minimum', 'Min'],
  ['00003', 'Mean', 'Mean'],
  ['00011', 'Instantaneous', 'Instantaneous'],
]

/** A level as text. Three figures for discharge, as the service rounds it. */
export function textOf({ scale }: Parameter, level: number): string {
  switch (scale) {
    case 'discharge':
      return (discharges[level] ??= String(Number((10 ** (level / 100)).toPrecision(3))))
    case 'hundredths':
      return String(level / 100)
    case 'tenths':
      return String(level / 10)
  }
}

const discharges: string[] = []
