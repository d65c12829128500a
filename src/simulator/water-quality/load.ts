import type { Answer } from '../service.ts'
import { portalError } from './legacy/errors.ts'
import type { WaterQualitySettings } from './options.ts'

/**
 * An answer after the silence that so many results cost. Where that is longer than anybody in between waits, the client gets
 * none of it.
 */
export function afterSilence(answer: Answer, results: number, settings: WaterQualitySettings, path: string): Answer {
  const ms = (results / 1000) * settings.silenceMsPerThousand
  if (ms <= settings.longestSilenceMs) return ms === 0 ? answer : { ...answer, silence: { ms, isLost: false } }
  const isLost = settings.silenceEndsAs === 'cut'
  const given = isLost ? answer : portalError(504, path)
  return { ...given, silence: { ms: settings.longestSilenceMs, isLost } }
}
