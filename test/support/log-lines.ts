import type { Logger } from '../../src/logger.ts'

/** A logger that keeps its lines, each with its level in front. */
export function keepLines(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = []
  const keep = (level: string) => (message: string) => void lines.push(`${level} ${message}`)
  return { logger: { debug: keep('DEBUG'), info: keep('INFO'), warn: keep('WARN'), error: keep('ERROR') }, lines }
}
