/**
 * Where the package says what it does. Silent unless a logger is given: a library must not write to the
 * streams of the program that uses it.
 */

/** Any object with these four methods, `console` included. */
export interface Logger {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

const nothing = (): void => {}

/** Says nothing. The default. */
export const silentLogger: Logger = Object.freeze({ debug: nothing, info: nothing, warn: nothing, error: nothing })
