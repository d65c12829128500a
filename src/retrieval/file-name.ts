import { isoText } from '../time.ts'

/**
 * A file name without its ending that every platform takes: parts joined by underscores, days as dates, instants
 * without colons.
 *
 * @example
 * fileStem('co2_moer', 'CAISO_NORTH', new Date('2024-01-01'), new Date('2026-01-01')) // co2_moer_CAISO_NORTH_2024-01-01_2026-01-01
 */
export function fileStem(...parts: readonly (string | number | Date)[]): string {
  return parts
    .map(part => (part instanceof Date ? instantPart(part) : String(part)))
    .map(part => part.replace(/[^\p{L}\p{N}.+-]+/gu, '_').replace(/^[._]+|[._]+$/g, ''))
    .filter(part => part !== '')
    .join('_')
    .slice(0, 200)
}

function instantPart(instant: Date): string {
  return isoText(instant.getTime()).replace('T00:00:00Z', '').replaceAll(':', '')
}
