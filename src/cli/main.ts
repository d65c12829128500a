#!/usr/bin/env node
import { run } from './run.ts'

/** Entry of the program `headrace`. Ends by itself when everything is written, not by `process.exit`. */
process.exitCode = await run({
  args: process.argv.slice(2),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signals: process,
  pid: process.pid,
  exit: code => process.exit(code),
})
