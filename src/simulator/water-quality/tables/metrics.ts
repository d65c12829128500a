import { ACTIVITY_METRIC, BIOLOGICAL_METRIC } from '../columns/legacy-tables.ts'
import type { Activity } from '../world/activities.ts'
import { olderActivityId } from '../world/identifiers.ts'
import type { Feed } from '../world/sites.ts'
import { createPlainWriter } from '../wire/layout.ts'
import { sealed, type Table } from './table.ts'

interface Metric {
  readonly activity: Activity
  readonly id: string
  readonly name: string
  readonly score: string
}

export const activityMetrics: Table = sealed<Metric>({
  columns: ACTIVITY_METRIC,
  *rows(selection, order) {
    for (const { activity } of selection.picks(order)) {
      if (activity.panel.media !== 'Biological') continue
      yield { activity, id: 'TAXA_RICH', name: 'Taxa richness', score: String(3 + (activity.hash % 30)) }
      yield {
        activity,
        id: 'DOM1PIND',
        name: 'Percent in "dominant" taxon',
        score: String((activity.hash % 1000) / 10),
      }
    }
  },
  createWriter: dialect =>
    createPlainWriter<Metric>(
      ACTIVITY_METRIC,
      {
        OrganizationIdentifier: ({ activity }) => activity.site.organization.id,
        OrganizationFormalName: ({ activity }) => activity.site.organization.formalName,
        MonitoringLocationIdentifier: ({ activity }) => activity.site.id,
        ActivityIdentifier: ({ activity }) => olderActivityId(activity),
        'ActivityMetricType/MetricTypeIdentifier': ({ id }) => id,
        'ActivityMetricType/MetricTypeIdentifierContext': ({ activity }) => activity.site.organization.id,
        'ActivityMetricType/MetricTypeName': ({ name }) => name,
        'MetricValueMeasure/MeasureValue': ({ score }) => score,
        'MetricValueMeasure/MetricScoreNumeric': ({ score }) => score,
        ProviderName: ({ activity }) => activity.feed.provider,
      },
      dialect,
    ),
  providerOf: ({ activity }) => activity.feed.provider,
  dayOf: ({ activity }) => activity.day,
})

interface Index {
  readonly feed: Feed
  readonly k: number
}

/** Two scores for every fifth site. Their dates are instants at midnight, as text. */
export const biologicalMetrics: Table = sealed<Index>({
  columns: BIOLOGICAL_METRIC,
  *rows(selection, order) {
    for (const feed of selection.feedsWithData(order)) {
      if (feed.site.n % 5 === 0) yield* [1, 2].map(k => ({ feed, k }))
    }
  },
  createWriter: dialect =>
    createPlainWriter<Index>(
      BIOLOGICAL_METRIC,
      {
        OrganizationIdentifier: ({ feed }) => feed.site.organization.id,
        MonitoringLocationIdentifier: ({ feed }) => feed.site.id,
        IndexIdentifier: ({ feed, k }) => `BM:${feed.site.n}:${k}`,
        IndexTypeIdentifier: ({ k }) => `DOM${k}PIND`,
        IndexTypeIdentifierContext: ({ feed }) => feed.site.organization.id,
        IndexTypeName: ({ k }) => `Percent of individuals in top ${k} taxa`,
        IndexScoreNumeric: ({ feed, k }) => ((feed.site.hash % 10_000) / 100 / k).toFixed(4),
        IndexCommentText: ({ k }) => `DOM${k}PIND="17.465753425"`,
        IndexCalculatedDate: () => '2004-08-11 00:00:00',
        ProviderName: ({ feed }) => feed.provider,
      },
      dialect,
    ),
  providerOf: ({ feed }) => feed.provider,
  dayOf: () => null,
})
