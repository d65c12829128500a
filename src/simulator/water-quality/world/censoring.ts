/** On which side of a limit a value lies that was not measured. */
export type Censoring = 'below' | 'above' | null

/** What is said of values below the limit, in the words of the agencies. */
export const BELOW_WORDS: readonly string[] = [
  'Not Detected',
  'Present Below Quantification Limit',
  'Below Method Detection Limit',
  'Below Reporting Limit',
  '*Non-detect',
]

/** What is said of values above it. */
export const ABOVE_WORDS: readonly string[] = ['Present Above Quantification Limit', 'Above Operating Range']

/** What the Survey says of a value that the older interface holds back and the newer one gives. */
export const HELD_BACK = 'Detected Not Quantified'
