// Prints what vitest's JSON report counted as `N passed, N failed`. A file that fails as a whole (it does not
// load, or shows a secret at its end) counts as one failure.
import { readFileSync } from 'node:fs'

const report = read(process.argv[2])
const brokenFiles = report.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(test => test.status === 'failed'),
)
const { numPendingTests: skipped, numTodoTests: todo } = report
if (skipped + todo > 0) console.log(`${skipped + todo} skipped or left to do`)
console.log(`${report.numPassedTests} passed, ${report.numFailedTests + brokenFiles.length} failed`)

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    console.log('the tests left no report')
    return { testResults: [], numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
  }
}
