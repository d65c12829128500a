/** Something that is measured, and how it is written down. */
export interface Characteristic {
  /** As the Portal calls it. Case matters, and commas are part of a name. */
  readonly name: string
  readonly group: string
  /** Parameter code of the Geological Survey, zeros in front included. */
  readonly pcode: string
  readonly unit: string
  readonly fraction: string
  /** Value in the middle of the range. */
  readonly middle: number
  readonly decimals: number
  /** Below this it is not detected. Without one it always is. */
  readonly limit?: number
  /** Share of results that are below the limit. */
  readonly undetected?: number
  /** Species counted, where it is a count. */
  readonly taxon?: string
}

const measured = (
  [name, pcode]: readonly [name: string, pcode: string],
  group: string,
  [unit, fraction]: readonly [unit: string, fraction: string],
  [middle, decimals]: readonly [middle: number, decimals: number],
  [limit, undetected]: readonly [limit?: number, undetected?: number] = [],
): Characteristic => ({
  name,
  pcode,
  group,
  unit,
  fraction,
  middle,
  decimals,
  ...(limit === undefined ? {} : { limit, undetected: undetected ?? 0 }),
})

const counted = (taxon: string, middle: number): Characteristic => ({
  name: 'Count',
  group: 'Biological',
  pcode: '',
  unit: 'count',
  fraction: '',
  middle,
  decimals: 0,
  taxon,
})

const FIELD: readonly Characteristic[] = [
  measured(['Temperature, water', '00010'], 'Physical', ['deg C', ''], [14, 1]),
  measured(['pH', '00400'], 'Physical', ['None', 'Total'], [7.6, 1]),
  measured(['Specific conductance', '00095'], 'Physical', ['uS/cm @25C', 'Total'], [480, 0]),
  measured(['Dissolved oxygen (DO)', '00300'], 'Inorganics, Major, Non-metals', ['mg/l', 'Dissolved'], [9, 1]),
  measured(['Turbidity', '63680'], 'Physical', ['NTU', 'Total'], [12, 1], [0.3, 0.02]),
]

const NUTRIENTS: readonly Characteristic[] = [
  measured(['Phosphorus', '00665'], 'Nutrient', ['mg/l as P', 'Total'], [0.06, 3], [0.005, 0.08]),
  measured(['Orthophosphate', '00671'], 'Nutrient', ['mg/l as P', 'Dissolved'], [0.03, 3], [0.008, 0.2]),
  measured(
    ['Inorganic nitrogen (nitrate and nitrite)', '00631'],
    'Nutrient',
    ['mg/l as N', 'Dissolved'],
    [1.8, 2],
    [0.04, 0.05],
  ),
  measured(['Ammonia and ammonium', '00608'], 'Nutrient', ['mg/l as N', 'Dissolved'], [0.05, 2], [0.02, 0.3]),
  measured(['Kjeldahl nitrogen', '00625'], 'Nutrient', ['mg/l as N', 'Total'], [0.7, 2], [0.07, 0.03]),
  measured(['Nitrate', '00618'], 'Nutrient', ['mg/l as N', 'Dissolved'], [1.6, 2], [0.04, 0.06]),
]

const METALS: readonly Characteristic[] = [
  measured(['Lead', '01051'], 'Inorganics, Minor, Metals', ['ug/l', 'Total'], [0.6, 2], [0.06, 0.25]),
  measured(['Copper', '01042'], 'Inorganics, Minor, Metals', ['ug/l', 'Total'], [2.1, 1], [0.8, 0.15]),
  measured(['Zinc', '01092'], 'Inorganics, Minor, Metals', ['ug/l', 'Total'], [9, 1], [2, 0.1]),
  measured(['Mercury', '71900'], 'Inorganics, Minor, Metals', ['ug/l', 'Total'], [0.004, 5], [0.002, 0.5]),
]

const ORGANICS: readonly Characteristic[] = [
  measured(['Anthracene', '34220'], 'Organics, Other', ['ug/l', 'Recoverable'], [0.03, 3], [0.02, 0.92]),
  measured(['Tribromomethane', '32104'], 'Organics, Other', ['ug/l', 'Recoverable'], [0.2, 2], [0.16, 0.95]),
  measured(['Benzo[a]pyrene', '34247'], 'Organics, Other', ['ug/l', 'Recoverable'], [0.03, 3], [0.02, 0.9]),
  measured(['Bromacil', '30234'], 'Organics, Pesticide', ['ug/l', 'Recoverable'], [0.4, 2], [0.16, 0.95]),
  measured(['Atrazine', '39632'], 'Organics, Pesticide', ['ug/l', 'Dissolved'], [0.12, 3], [0.007, 0.3]),
]

const BACTERIA: readonly Characteristic[] = [
  measured(['Escherichia coli', '90902'], 'Microbiological', ['MPN/100ml', ''], [180, 0], [1, 0.1]),
  measured(['Total Coliform', '31501'], 'Microbiological', ['cfu/100ml', ''], [900, 0], [1, 0.02]),
]

const TAXA: readonly Characteristic[] = [
  counted('Paratendipes', 5),
  counted('Simulium', 3),
  counted('Gammarus pseudolimnaeus', 17),
]

/** What is looked for together, and in which medium. */
export interface Panel {
  readonly media: 'Water' | 'Sediment' | 'Biological'
  readonly characteristics: readonly Characteristic[]
}

/** By number. The first is the one of dense surveys: eleven results each. */
export const PANELS: readonly Panel[] = [
  { media: 'Water', characteristics: [...FIELD, ...NUTRIENTS] },
  { media: 'Water', characteristics: FIELD },
  { media: 'Water', characteristics: [...FIELD, ...METALS] },
  { media: 'Water', characteristics: [...ORGANICS, ...BACTERIA] },
  { media: 'Sediment', characteristics: METALS },
  { media: 'Biological', characteristics: TAXA },
]

/** Every one there is, each name once. */
export const CHARACTERISTICS: readonly Characteristic[] = [
  ...FIELD,
  ...NUTRIENTS,
  ...METALS,
  ...ORGANICS,
  ...BACTERIA,
  ...TAXA.slice(0, 1),
]

/** Species that are counted. */
export const TAXON_NAMES: readonly string[] = TAXA.map(({ taxon }) => taxon ?? '')
