import { rowsOf, type ToyBody, type ToyRequest, type ToyRow } from './toy-service.ts'

/** Two versions of a model, as a service names them. */
export const A = '2023-03-01'
export const B = '2026-03-01'

/** The series as a model has it: the newer one has other values. */
export const modelled = (start: number, end: number, pin: string): ToyRow[] =>
  rowsOf(start, end).map(row => ({ ...row, value: row.value + (pin === B ? 1 : 0) }))
export const from = (
  { start, end }: Pick<ToyRequest, 'start' | 'end'>,
  pin: string,
  more: Partial<ToyBody> = {},
): { body: ToyBody } => ({
  body: { rows: modelled(start, end, pin), pin, ...more },
})
