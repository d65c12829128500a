import type { Fault, FaultAction, SimulatorOptions } from 'headrace/simulator'
import type { Scenario } from './spec.ts'

const DAY_MS = 86_400_000
/** More than any job asks for. */
const MANY_REQUESTS = 10_000

/** Our simulator, set up to behave as the neutral bench's server does in a scenario. */
export function simulatorOptions(scenario: Scenario): SimulatorOptions {
  const { seed = 1, rateLimit } = scenario
  return {
    seed,
    accounts: [{ username: 'bench', password: 'bench', plan: 'pro' }],
    faults: faultsOf(scenario),
    limits: {
      requests: null,
      logins: null,
      perSecond: rateLimit ? { count: rateLimit.rps, retryAfter: rateLimit.retryAfter } : null,
    },
  }
}

function faultsOf({ latencyMs, spanLatency, error, reset, stall, truncate, drip, token }: Scenario): Fault[] {
  const byChance = (chance: { p?: number; attempts?: number } | undefined, action: FaultAction): Fault[] =>
    chance ? [{ when: { probability: chance.p ?? 1, attempts: chance.attempts ?? MANY_REQUESTS }, do: action }] : []
  return [
    ...(latencyMs ? [{ do: { type: 'latency', ms: latencyMs } } as const] : []),
    ...slowSpans(spanLatency ?? []),
    ...(token ? [{ when: { nth: everyOther(token.maxUses + 1) }, do: { type: 'expireToken' } } as const] : []),
    ...byChance(error, { type: 'status', status: error?.status ?? 503 }),
    ...byChance(reset, { type: 'reset', at: reset?.at || 'before-headers' }),
    ...byChance(stall, { type: 'silent', at: stall?.at ?? 0, forMs: stall?.holdMs ?? 0 }),
    ...byChance(truncate, { type: 'cut', at: truncate?.at ?? 0, lie: 'clean' }),
    ...(drip ? [{ do: { type: 'drip', ...drip } } as const] : []),
  ]
}

/** The first rung that holds the span applies: each begins where the one before it ends. */
function slowSpans(rungs: NonNullable<Scenario['spanLatency']>): Fault[] {
  return rungs.map(({ upToDays, ms }, at) => {
    const above = rungs[at - 1]?.upToDays
    return {
      when: {
        ...(above ? { spanOverMs: above * DAY_MS } : {}),
        ...(upToDays === null ? {} : { spanUpToMs: upToDays * DAY_MS }),
      },
      do: { type: 'latency', ms },
    }
  })
}

/** The n-th request and its multiples: a token lasts for the requests between them. */
function everyOther(n: number): number[] {
  return Array.from({ length: Math.floor(MANY_REQUESTS / n) }, (_, at) => (at + 1) * n)
}
