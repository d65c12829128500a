import { ORGANIZATION, PROJECT, PROJECT_WEIGHTING } from '../columns/legacy-tables.ts'
import type { Organization, Project, Provider } from '../world/organizations.ts'
import type { Feed } from '../world/sites.ts'
import { SORTED, type Selection } from '../select/selection.ts'
import { createPlainWriter } from '../wire/layout.ts'
import { sealed, type Table } from './table.ts'

interface Member {
  readonly organization: Organization
  readonly provider: Provider
}

export const organizations: Table = sealed<Member>({
  columns: ORGANIZATION,
  rows: membersOf,
  createWriter: dialect =>
    createPlainWriter<Member>(
      ORGANIZATION,
      {
        OrganizationIdentifier: ({ organization }) => organization.id,
        OrganizationFormalName: ({ organization }) => organization.formalName,
        OrganizationType: ({ organization }) => (organization.provider === 'STORET' ? organization.type : ''),
        ProviderName: ({ provider }) => provider,
      },
      dialect,
    ),
  providerOf: ({ provider }) => provider,
  dayOf: () => null,
})

interface Venture extends Member {
  readonly project: Project
}

export const projects: Table = sealed<Venture>({
  columns: PROJECT,
  rows: venturesOf,
  createWriter: dialect =>
    createPlainWriter<Venture>(
      PROJECT,
      {
        OrganizationIdentifier: ({ organization }) => organization.id,
        OrganizationFormalName: ({ organization }) => organization.formalName,
        ProjectIdentifier: ({ project }) => project.id,
        ProjectName: ({ project }) => project.name,
        ProjectDescriptionText: ({ project }) => project.description,
        QAPPApprovedIndicator: () => 'Y',
      },
      dialect,
    ),
  providerOf: ({ provider }) => provider,
  dayOf: () => null,
})

interface Weight {
  readonly feed: Feed
  readonly project: Project
}

/** One for every seventh site of an agency, for its first project. */
export const projectWeights: Table = sealed<Weight>({
  columns: PROJECT_WEIGHTING,
  *rows(selection, order) {
    for (const feed of selection.feedsWithData(order)) {
      const [project] = feed.site.organization.projects
      if (project && feed.site.organization.provider === 'STORET' && feed.site.n % 7 === 0) yield { feed, project }
    }
  },
  createWriter: dialect =>
    createPlainWriter<Weight>(
      // The first of the two columns with one name holds the title.
      PROJECT_WEIGHTING.map((name, index) => (name === 'ResourceSubjectText' ? `${name}#${index < 13 ? 1 : 2}` : name)),
      {
        OrganizationIdentifier: ({ feed }) => feed.site.organization.id,
        OrganizationFormalName: ({ feed }) => feed.site.organization.formalName,
        ProjectIdentifier: ({ project }) => project.id,
        MonitoringLocationIdentifier: ({ feed }) => feed.site.id,
        MeasureValue: ({ feed }) => String((feed.site.hash % 300_000) / 100),
        MeasureUnitCode: () => 'km',
        StatisticalStratumText: () => 'STRATUM="East"',
        'ResourceSubjectText#1': () => "A Survey of the State's Streams",
        'ResourceSubjectText#2': () => 'The condition of small rivers, in "plain" words.',
        ResourcePublisherName: () => 'US EPA',
        ResourceDate: () => '2006-12-01 00:00:00',
      },
      dialect,
    ),
  providerOf: ({ feed }) => feed.provider,
  dayOf: () => null,
})

function* membersOf(selection: Selection): Generator<Member> {
  const seen = new Set<string>()
  for (const { site, provider } of selection.feedsWithData(SORTED)) {
    const { organization } = site
    const name = `${provider}|${organization.id}`
    if (!seen.has(name)) yield { organization, provider }
    seen.add(name)
  }
}

function* venturesOf(selection: Selection): Generator<Venture> {
  for (const member of membersOf(selection)) {
    for (const project of member.organization.projects) yield { ...member, project }
  }
}
