import axiosRetry from 'axios-retry'
import type { AxiosInstance, AxiosRequestConfig } from 'axios'
import type { Failure } from './failure.ts'
import { failureIn } from './http.ts'

/** Who decides about repeats; axios-retry only carries them out. */
export interface RetryDecisions {
  /** Repeats that are left for this request. */
  readonly retries: number
  /** Whether this failure is answered with the identical request. */
  readonly again: (failure: Failure) => boolean
  /** Waits until the repeat may be sent. */
  readonly wait: (failure: Failure) => Promise<void>
}

/** Gives an axios the power to repeat; without decisions of a request it repeats nothing. */
export function withRetries(instance: AxiosInstance): AxiosInstance {
  axiosRetry(instance, { retries: 0 })
  return instance
}

/**
 * The decisions as a part of a request's configuration.
 *
 * The condition is strictly boolean: a promise would be taken for a yes. The wait happens in `onRetry`, on our own
 * clock and under the caller's signal, so the library's own delay is nothing.
 */
export function retryConfig({ retries, again, wait }: RetryDecisions): AxiosRequestConfig {
  return {
    'axios-retry': {
      retries,
      shouldResetTimeout: true,
      retryDelay: () => 0,
      retryCondition: thrown => {
        const failure = failureIn(thrown)
        return failure !== undefined && again(failure)
      },
      onRetry: async (_count, thrown) => {
        const failure = failureIn(thrown)
        if (failure) await wait(failure)
      },
    },
  }
}
