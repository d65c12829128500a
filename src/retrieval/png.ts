import type { Resvg } from '@resvg/resvg-js'
import { ConfigurationError, describeCause } from '../errors.ts'

/** How a picture becomes pixels. */
export interface PngOptions {
  /** Pixels for each unit of the chart's size. @defaultValue 2 */
  readonly zoom?: number | undefined
  /** Files of fonts to write with, so that the picture is the same on every machine. @defaultValue the machine's fonts */
  readonly fontFiles?: readonly string[] | undefined
}

/**
 * An SVG picture as a PNG.
 *
 * @throws ConfigurationError naming what to install, when the optional package is absent
 */
export async function toPng(svg: string, { zoom = 2, fontFiles }: PngOptions = {}): Promise<Uint8Array> {
  if (!(zoom > 0 && zoom <= 10))
    throw new ConfigurationError(`zoom must be above 0 and at most 10; got ${zoom}`, {
      setting: 'zoom',
      source: 'chart option',
    })
  const { Resvg: Renderer } = await loadPackage()
  const font = fontFiles ? { fontFiles: [...fontFiles], loadSystemFonts: false } : { loadSystemFonts: true }
  return new Renderer(svg, { fitTo: { mode: 'zoom', value: zoom }, font }).render().asPng()
}

async function loadPackage(): Promise<{ readonly Resvg: typeof Resvg }> {
  try {
    return await import('@resvg/resvg-js')
  } catch (thrown) {
    throw new ConfigurationError(
      `a PNG needs an optional package; run: npm i @resvg/resvg-js (${describeCause(thrown).message})`,
      { setting: 'toPng', source: 'installed packages' },
    )
  }
}
