import type { RetrievalParts } from './parts.ts'
import type { AnyRow } from './columns.ts'
export interface ChartOptions { readonly title?: string }
export async function toSvgChart<Row extends AnyRow>(_result: RetrievalParts<Row>, _options?: ChartOptions): Promise<string> {
  return '<svg/>'
}
