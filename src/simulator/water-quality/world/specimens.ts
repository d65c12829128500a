import type { Censoring } from './censoring.ts'

/** A result written down by hand. Columns that are not named are empty. */
export interface SpecimenResult {
  readonly text: string
  readonly condition?: string
  /** Value of the detection limit, in the unit of the result. */
  readonly limit?: string
  readonly value?: number
  readonly censored?: Censoring
  readonly comment?: string
}

/** A sample written down by hand. */
export interface SpecimenActivity {
  /** Empty: a sample without a date. */
  readonly date: string
  readonly time: string
  readonly zone: string
  readonly comment?: string
  readonly results: readonly SpecimenResult[]
}

/** A site that holds every case of one kind. */
export interface SpecimenSite {
  readonly name: string
  readonly activities: readonly SpecimenActivity[]
}

const DATE = '2023-07-15'

const at = (zone: string, time = '10:30:00', date = DATE): SpecimenActivity => ({
  date,
  time,
  zone,
  results: [{ text: '1', value: 1 }],
})

const said = (comment: string): SpecimenActivity => ({
  date: DATE,
  time: '10:30:00',
  zone: 'EST',
  comment,
  results: [{ text: '1', value: 1, comment }],
})

const valued = (...results: SpecimenResult[]): SpecimenActivity => ({
  date: DATE,
  time: '10:30:00',
  zone: 'EST',
  results,
})

export const SPECIMEN_SITES: readonly SpecimenSite[] = [
  { name: 'ZONES', activities: ['UTC', 'EST', 'EDT', 'XYZ', ''].map(zone => at(zone)) },
  {
    name: 'TIMES',
    activities: [
      at('EST', '10:30'),
      at('EST', '0001-01-01 10:30:00'),
      at('EST', ''),
      at('', ''),
      at('EST', 'noon'),
      at('UTC', '00:01:00'),
      at('EST', '23:30:00', '2023-12-31'),
    ],
  },
  {
    name: 'TEXTS',
    activities: [
      said('one, two'),
      said('first line\nsecond line'),
      said('first line\r\nsecond, "line"'),
      said('he said "yes"'),
      said('a 5" pipe'),
      said(' blanks around '),
      said('café, ≥ 3 µg/l'),
      said('tab\there'),
    ],
  },
  {
    name: 'VALUES',
    activities: [
      valued(
        { text: '1e-3', value: 0.001 },
        { text: '8.0', value: 8 },
        { text: '-0.5', value: -0.5 },
        { text: '0', value: 0 },
        { text: '1,200' },
        { text: 'ND' },
        { text: 'Not Reported' },
        { text: '' },
        { text: '0.4', value: 0.4, limit: '0.5' },
      ),
      valued(
        { text: '<0.05', censored: 'below' },
        { text: '>2400', censored: 'above' },
        { text: '', condition: '*Non-detect', limit: '0.02', censored: 'below' },
        { text: '', condition: 'Not Detected', censored: 'below' },
        { text: '0', condition: 'Not Detected', limit: '0.02', censored: 'below' },
        { text: '', condition: 'Present Above Quantification Limit', limit: '2400', censored: 'above' },
        { text: '', condition: 'Not Reported' },
        { text: '', condition: 'Value Decensored', limit: '0.02' },
      ),
      // The same result twice: nothing but the identifier tells one from the other.
      valued({ text: '7', value: 7 }, { text: '7', value: 7 }),
    ],
  },
  { name: 'UNDATED', activities: ['', 'EST', 'UTC'].map(zone => at(zone, zone === '' ? '' : '10:30:00', '')) },
]
