import type { Clock } from '../../../clock.ts'

/** What one provider sent for a request. */
export interface ProviderReport {
  readonly name: string
  /** The header line of the provider's own answer included. */
  readonly sourceRows: number
  readonly outputRows: number
  readonly isFailed: boolean
}

/** How a request went. */
export interface RequestReport {
  readonly id: string
  readonly providers: readonly ProviderReport[]
}

/** Remembers how requests went, for a while. */
export interface StatusBook {
  add(report: RequestReport): void
  /** The document about a request, or `undefined` when it is forgotten or never was. */
  find(id: string): object | undefined
}

export function createStatusBook(clock: Clock, lifeMs: number): StatusBook {
  const reports = new Map<string, { readonly report: RequestReport; readonly at: number; readonly startedAt: number }>()
  return {
    add(report) {
      const at = clock.monotonic()
      for (const [id, known] of reports) if (at - known.at >= lifeMs) reports.delete(id)
      reports.set(report.id, { report, at, startedAt: clock.now() })
    },
    find(id) {
      const known = reports.get(id)
      if (known === undefined || clock.monotonic() - known.at >= lifeMs) return undefined
      return documentOf(known.report, known.startedAt)
    },
  }
}

function documentOf({ id, providers }: RequestReport, startedAt: number): object {
  const rows = providers.reduce((total, { outputRows }) => total + outputRows, 0)
  return {
    completeOrCancelled: true,
    failed: providers.some(({ isFailed }) => isFailed),
    millisecondsToFirstResponse: 9,
    secondsToCompletion: 1,
    requestId: id,
    requestStartTime: instantText(startedAt),
    requestEndTime: instantText(startedAt + 1276),
    // The header line counts.
    totalRows: rows + 1,
    headerProvider: providerDocument({ name: 'epa-headers', sourceRows: 1, outputRows: 1, isFailed: false }),
    dataProviders: providers.map(providerDocument),
  }
}

function providerDocument({ name, sourceRows, outputRows, isFailed }: ProviderReport): object {
  return {
    name,
    completeOrCancelled: true,
    failed: isFailed,
    sourceRowCount: sourceRows,
    outputRowCount: outputRows,
    millisecondsToFirstResponse: 94,
    secondsToCompletion: 0,
  }
}

/** With the name of the zone in brackets, which parsers of plain ISO refuse. */
function instantText(at: number): string {
  return `${new Date(at).toISOString().replace('Z', '472525Z')}[GMT]`
}
