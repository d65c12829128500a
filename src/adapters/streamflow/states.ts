import { QueryError } from '../../errors.ts'
import { nearest } from '../../nearest.ts'

/** A state or territory in the three spellings that the services use. */
export interface State {
  readonly name: string
  readonly postal: string
  /** Two digits, with its leading zero. */
  readonly fips: string
}

/** One line each: FIPS code, postal code, name. */
const TABLE = `
01 AL Alabama
02 AK Alaska
04 AZ Arizona
05 AR Arkansas
06 CA California
08 CO Colorado
09 CT Connecticut
10 DE Delaware
11 DC District of Columbia
12 FL Florida
13 GA Georgia
15 HI Hawaii
16 ID Idaho
17 IL Illinois
18 IN Indiana
19 IA Iowa
20 KS Kansas
21 KY Kentucky
22 LA Louisiana
23 ME Maine
24 MD Maryland
25 MA Massachusetts
26 MI Michigan
27 MN Minnesota
28 MS Mississippi
29 MO Missouri
30 MT Montana
31 NE Nebraska
32 NV Nevada
33 NH New Hampshire
34 NJ New Jersey
35 NM New Mexico
36 NY New York
37 NC North Carolina
38 ND North Dakota
39 OH Ohio
40 OK Oklahoma
41 OR Oregon
42 PA Pennsylvania
44 RI Rhode Island
45 SC South Carolina
46 SD South Dakota
47 TN Tennessee
48 TX Texas
49 UT Utah
50 VT Vermont
51 VA Virginia
53 WA Washington
54 WV West Virginia
55 WI Wisconsin
56 WY Wyoming
60 AS American Samoa
66 GU Guam
69 MP Northern Mariana Islands
72 PR Puerto Rico
78 VI Virgin Islands`

const STATES: readonly State[] = TABLE.trim()
  .split('\n')
  .map(line => ({ fips: line.slice(0, 2), postal: line.slice(3, 5), name: line.slice(6) }))

const bySpelling = new Map(
  STATES.flatMap(state => [state.name, state.postal, state.fips].map(text => [plain(text), state] as const)),
)

/** Other spellings that people use. */
for (const [text, postal] of [
  ['u.s. virgin islands', 'VI'],
  ['us virgin islands', 'VI'],
  ['washington dc', 'DC'],
  ['washington, d.c.', 'DC'],
] as const) {
  bySpelling.set(text, stateOf(postal))
}

/**
 * A state by its name, its postal code or its FIPS code, whatever the case.
 *
 * @throws QueryError naming the nearest one
 */
export function stateOf(text: string): State {
  const known = bySpelling.get(plain(text.replace(/^US:/i, '')))
  if (known) return known
  const guess = nearest(
    text,
    STATES.map(state => state.name),
  )
  throw new QueryError(
    `state '${text}' is not known${guess ? `; did you mean '${guess}'?` : ''}; use a name, a postal code or a two-digit FIPS code`,
    {
      argument: 'state',
      value: text,
    },
  )
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}
