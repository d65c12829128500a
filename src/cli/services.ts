import type { ServiceDescription } from '../retrieval/index.ts'

/** A service as the command line knows it before it is loaded: loading takes longer than saying what it is. */
export interface ServiceEntry {
  readonly summary: string
  readonly load: () => Promise<ServiceDescription>
}

/** The services, by the name of their command. A service more is a line more. */
export const SERVICES: Readonly<Record<string, ServiceEntry>> = {
  emissions: {
    summary: 'grid-emission signals (WattTime)',
    load: async () => (await import('../adapters/emissions/index.ts')).emissionsDescription,
  },
  streamflow: {
    summary: 'streamflow and its neighbours (USGS Water Data, NLDI, StreamStats, NGWMN, NWDC)',
    load: async () => (await import('../adapters/streamflow/index.ts')).streamflowDescription,
  },
  'water-quality': {
    summary: 'discrete water quality (Water Quality Portal, USGS Samples)',
    load: async () => (await import('../adapters/water-quality/index.ts')).waterQualityDescription,
  },
}
