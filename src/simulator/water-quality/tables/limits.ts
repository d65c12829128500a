import { DETECTION_LIMIT } from '../columns/legacy-tables.ts'
import { isSurvey, limitTypeOf } from '../world/details.ts'
import { olderActivityId, olderResultId } from '../world/identifiers.ts'
import type { Result } from '../world/results.ts'
import { createPlainWriter } from '../wire/layout.ts'
import { sealed, type Table } from './table.ts'

interface Limit {
  readonly result: Result
  readonly type: string
  readonly text: string
}

/** All limits of a result, so that a join by result multiplies rows: the Survey gives two. */
export function limitsOf(result: Result): readonly Limit[] {
  const { limit, activity } = result
  if (limit === '') return []
  const first = { result, type: limitTypeOf(result, 'older'), text: limit }
  if (!isSurvey(activity.site)) return [first]
  return [first, { result, type: 'Historical Lower Reporting Limit', text: String(Number(limit) * 2) }]
}

export const detectionLimits: Table = sealed<Limit>({
  columns: DETECTION_LIMIT,
  *rows(selection, order) {
    for (const result of selection.results(order)) yield* limitsOf(result)
  },
  createWriter: dialect =>
    createPlainWriter<Limit>(
      DETECTION_LIMIT,
      {
        OrganizationIdentifier: ({ result }) => result.activity.site.organization.id,
        OrganizationFormalName: ({ result }) => result.activity.site.organization.formalName,
        ActivityIdentifier: ({ result }) => olderActivityId(result.activity),
        MonitoringLocationIdentifier: ({ result }) => result.activity.site.id,
        ResultIdentifier: ({ result }) => olderResultId(result),
        CharacteristicName: ({ result }) => result.characteristic.name,
        DetectionQuantitationLimitTypeName: ({ type }) => type,
        'DetectionQuantitationLimitMeasure/MeasureValue': ({ text }) => text,
        'DetectionQuantitationLimitMeasure/MeasureUnitCode': ({ result }) => result.characteristic.unit,
        ProviderName: ({ result }) => result.activity.feed.provider,
      },
      dialect,
    ),
  providerOf: ({ result }) => result.activity.feed.provider,
  dayOf: ({ result }) => result.activity.day,
})
