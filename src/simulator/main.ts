import { simulate } from './command.ts'

/** Entry of `npm run simulate`. */
try {
  const simulator = await simulate(process.argv.slice(2), text => process.stderr.write(text))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator?.close())
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
