import { ConfigurationError } from '../errors.ts'

/** A key and where it came from. */
export interface KeySetting {
  readonly source: string
  readonly value: string | undefined
}

/**
 * An API key from an option, else from a variable of the environment. Empty is not set.
 *
 * @throws ConfigurationError when it has characters that no header can carry; the key itself is not shown
 */
export function readKey(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  variable: string,
): KeySetting {
  const key = firstSet(option, env[variable], variable)
  if (key.value === undefined || /^[\x21-\x7e]+$/.test(key.value)) return key
  throw new ConfigurationError(
    `apiKey (${key.source}) has characters that no key has; copy it again from the page where you got it`,
    { setting: 'apiKey', source: key.source },
  )
}

function firstSet(option: string | undefined, inEnvironment: string | undefined, variable: string): KeySetting {
  if (option !== undefined && option.trim() !== '') return { source: 'client option', value: option.trim() }
  if (inEnvironment !== undefined && inEnvironment.trim() !== '')
    return { source: variable, value: inEnvironment.trim() }
  return { source: 'default', value: undefined }
}
