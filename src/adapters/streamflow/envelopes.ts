/** What stands around the rows of an answer. */

/** A link of a page. */
export interface FeatureLink {
  readonly rel?: string | undefined
  readonly href?: string | null | undefined
}

/** Bodies without their rows. */
export interface Envelopes {
  readonly features: {
    readonly features: readonly unknown[]
    readonly links?: readonly FeatureLink[] | null | undefined
    readonly numberReturned?: number | null | undefined
    readonly numberMatched?: number | null | undefined
    readonly timeStamp?: string | null | undefined
  }
  readonly statistics: { readonly features: readonly unknown[]; readonly next?: string | null | undefined }
  readonly queryables: {
    readonly properties: Readonly<
      Record<
        string,
        { readonly title?: string | undefined; readonly type?: unknown; readonly description?: string | undefined }
      >
    >
  }
  readonly watershed: {
    readonly featurecollection?: readonly { readonly name: string; readonly feature?: unknown }[] | null | undefined
    readonly parameters?: readonly unknown[] | null | undefined
    readonly workspaceID?: string | null | undefined
  }
}
