/**
 * Pulls a specification into a folder. Made to be killed at any moment: says `begun` right before it starts, and what
 * came of it at its end. Takes its orders from the environment: PULL_URL, PULL_OUT, PULL_SPEC, PULL_FORMAT.
 */
import { isPullError, pull, readSpec, type PullFormat } from '../../../src/pull/index.ts'
import { settingsFor } from '../../support/pull-settings.ts'

const { PULL_URL: url = '', PULL_OUT: out = '', PULL_SPEC: spec = '', PULL_FORMAT: format = 'csv' } = process.env

try {
  console.log('begun')
  const report = await pull(readSpec(spec), { out, format: format as PullFormat, settings: settingsFor({ url }) })
  console.log(report.outcome)
} catch (thrown) {
  console.log(isPullError(thrown) ? `${thrown.kind}: ${thrown.message}` : thrown)
  process.exitCode = 1
}
