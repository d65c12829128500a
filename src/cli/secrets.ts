import { createRedactor, type Redactor } from '../redact.ts'

const SECRET_FLAG = /^--?[\w-]*(?:passw|token|secret|key|credential|auth|pat$)[\w-]*/i
/** Variables whose values are secrets of services, and of databases. */
const SECRET_VARIABLE = /^(?:WATTTIME_PASSWORD|API_USGS_PAT|PGPASSWORD)$/

/**
 * Hides what was typed behind a flag that looks like a secret, known or not, and the secrets of the environment:
 * a mistake in a command line must not put its password into an error message.
 */
export function hidingSecrets(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Redactor {
  const typed = args.flatMap((arg, at) => {
    if (!SECRET_FLAG.test(arg)) return []
    const sign = arg.indexOf('=')
    return sign >= 0 ? [arg.slice(sign + 1)] : [args[at + 1] ?? '']
  })
  const stated = Object.entries(env).flatMap(([name, value]) => (SECRET_VARIABLE.test(name) && value ? [value] : []))
  return createRedactor(() => [...typed, ...stated])
}
