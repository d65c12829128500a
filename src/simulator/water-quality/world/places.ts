/** A state, as far as its sites need it. */
export interface Place {
  /** Two digits, with the zero that some begin with. */
  readonly fips: string
  readonly postal: string
  readonly name: string
  /** Three digits and a name. */
  readonly counties: readonly (readonly [fips: string, name: string])[]
  /** Hydrologic units of eight digits. */
  readonly hucs: readonly string[]
  /** West, south, east, north. */
  readonly box: readonly [number, number, number, number]
  /** Code of standard time, and of daylight time where there is one. */
  readonly zones: readonly [standard: string, daylight?: string]
}

/** In the order in which their sites are numbered. */
export const PLACES: readonly Place[] = [
  {
    fips: '55',
    postal: 'WI',
    name: 'Wisconsin',
    counties: [
      ['025', 'Dane'],
      ['031', 'Douglas'],
      ['139', 'Winnebago'],
    ],
    hucs: ['07090002', '07070005', '04030202', '04010301'],
    box: [-92.1, 42.6, -87.9, 46.6],
    zones: ['CST', 'CDT'],
  },
  {
    fips: '19',
    postal: 'IA',
    name: 'Iowa',
    counties: [
      ['015', 'Boone'],
      ['153', 'Polk'],
      ['169', 'Story'],
    ],
    hucs: ['07080105', '07100004'],
    box: [-96.3, 40.7, -90.4, 43.4],
    zones: ['CST', 'CDT'],
  },
  {
    fips: '17',
    postal: 'IL',
    name: 'Illinois',
    counties: [
      ['031', 'Cook'],
      ['097', 'Lake'],
    ],
    hucs: ['07120004', '07130001'],
    box: [-91.3, 37.2, -87.6, 42.4],
    zones: ['CST', 'CDT'],
  },
  {
    fips: '27',
    postal: 'MN',
    name: 'Minnesota',
    counties: [
      ['017', 'Carlton'],
      ['053', 'Hennepin'],
    ],
    hucs: ['04010201', '07010206'],
    box: [-96.8, 43.6, -90.1, 48.9],
    zones: ['CST', 'CDT'],
  },
  {
    fips: '36',
    postal: 'NY',
    name: 'New York',
    counties: [
      ['067', 'Onondaga'],
      ['109', 'Tompkins'],
    ],
    hucs: ['04140201', '02020008'],
    box: [-79.5, 41.2, -73.4, 44.9],
    zones: ['EST', 'EDT'],
  },
  {
    fips: '34',
    postal: 'NJ',
    name: 'New Jersey',
    counties: [
      ['005', 'Burlington'],
      ['011', 'Cumberland'],
      ['029', 'Ocean'],
    ],
    hucs: ['02030105', '02040206', '02040301'],
    box: [-75.5, 39.1, -74.0, 41.2],
    zones: ['EST', 'EDT'],
  },
  {
    fips: '44',
    postal: 'RI',
    name: 'Rhode Island',
    counties: [
      ['003', 'Kent'],
      ['007', 'Providence'],
    ],
    hucs: ['01090004', '01090005'],
    box: [-71.8, 41.3, -71.1, 42.0],
    zones: ['EST', 'EDT'],
  },
  {
    fips: '08',
    postal: 'CO',
    name: 'Colorado',
    counties: [
      ['001', 'Adams'],
      ['013', 'Boulder'],
    ],
    hucs: ['10190003', '14010001'],
    box: [-109.0, 37.0, -102.1, 41.0],
    zones: ['MST', 'MDT'],
  },
  {
    fips: '49',
    postal: 'UT',
    name: 'Utah',
    counties: [
      ['035', 'Salt Lake'],
      ['049', 'Utah'],
    ],
    hucs: ['16020204', '16020202'],
    box: [-114.0, 37.0, -109.1, 41.9],
    zones: ['MST', 'MDT'],
  },
  {
    fips: '06',
    postal: 'CA',
    name: 'California',
    counties: [
      ['067', 'Sacramento'],
      ['115', 'Yuba'],
    ],
    hucs: ['18020107', '18020125'],
    box: [-124.1, 34.0, -118.0, 41.9],
    zones: ['PST', 'PDT'],
  },
  {
    fips: '53',
    postal: 'WA',
    name: 'Washington',
    counties: [
      ['033', 'King'],
      ['053', 'Pierce'],
    ],
    hucs: ['17110012', '17110014'],
    box: [-124.0, 45.8, -117.1, 48.9],
    zones: ['PST', 'PDT'],
  },
  {
    fips: '02',
    postal: 'AK',
    name: 'Alaska',
    counties: [['020', 'Anchorage']],
    hucs: ['19020401', '19050302'],
    box: [-151.0, 60.9, -148.5, 62.0],
    zones: ['AKST', 'AKDT'],
  },
  {
    fips: '15',
    postal: 'HI',
    name: 'Hawaii',
    counties: [['001', 'Hawaii']],
    hucs: ['20010000'],
    box: [-156.0, 19.0, -154.9, 20.2],
    zones: ['HST'],
  },
  {
    fips: '72',
    postal: 'PR',
    name: 'Puerto Rico',
    counties: [['061', 'Guaynabo']],
    hucs: ['21010005'],
    box: [-67.2, 18.0, -65.7, 18.5],
    zones: ['AST'],
  },
]
