import { ConfigurationError, describeCause } from '../errors.ts'
import { tickText } from './tick-text.ts'

/** What is drawn: plain numbers and texts, so that nothing of the drawing packages is known elsewhere. */
export interface Drawing {
  readonly title: string
  readonly width: number
  readonly height: number
  readonly xLabel: string
  readonly yLabel: string
  /** Stretch of the time axis, epoch milliseconds; absent when none is known. */
  readonly xDomain: readonly [number, number] | undefined
  /** Stretch of the upright axis; absent when nothing is drawn. */
  readonly yDomain: readonly [number, number] | undefined
  /** Room for the numbers of the upright axis, pixels. */
  readonly marginLeft: number
  /** A line; `NaN` breaks it. */
  readonly line: Series
  /** Points without a neighbour, which a line would not show. */
  readonly dots: Series
  /** Said in the middle of a picture without data. */
  readonly notice: string | undefined
}

export interface Series {
  /** Epoch milliseconds. */
  readonly x: readonly number[]
  readonly y: readonly number[]
}

const INK = '#222222'
const COLOUR = '#1f5f99'
const FONT_SIZE = 12
const TITLE_SIZE = 15
const MARGIN = 10
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'

/**
 * Draws on a white ground with a UTC axis. The same drawing gives the same text, in any zone and locale.
 *
 * @throws ConfigurationError when the optional packages are not there
 */
export async function drawSvg(drawing: Drawing): Promise<string> {
  const { plot, document } = await loadPackages()
  const svg = plot.plot({ document, ...frameOf(drawing), marks: marksOf(plot, drawing) })
  const ground = document.createElementNS(SVG_NAMESPACE, 'rect')
  for (const [name, value] of [
    ['width', '100%'],
    ['height', '100%'],
    ['fill', 'white'],
  ] as const) {
    ground.setAttribute(name, value)
  }
  svg.insertBefore(ground, svg.firstChild)
  svg.setAttribute('xmlns', SVG_NAMESPACE)
  svg.setAttribute('color', INK)
  svg.setAttribute('font-size', String(FONT_SIZE))
  return `${svg.outerHTML}\n`
}

/** The little that is used of the packages; their own types need those of a browser. */
interface PlotPackage {
  plot(options: object): DrawnElement
  lineY(data: object, options: object): Mark
  dot(data: object, options: object): Mark
  text(data: readonly string[], options: object): Mark
}

type Mark = object

interface DrawnElement {
  readonly firstChild: DrawnElement | null
  readonly outerHTML: string
  insertBefore(added: DrawnElement, before: DrawnElement | null): void
  setAttribute(name: string, value: string): void
}

interface DrawnDocument {
  createElementNS(namespace: string, name: string): DrawnElement
}

async function loadPackages(): Promise<{ readonly plot: PlotPackage; readonly document: DrawnDocument }> {
  try {
    const [plot, linkedom] = await Promise.all([import('@observablehq/plot'), import('linkedom')])
    // Not a document of HTML: that would leave `<` in attributes as it is, and the picture unreadable.
    const document = new linkedom.DOMParser().parseFromString('<svg></svg>', 'image/svg+xml')
    return { plot: plot as unknown as PlotPackage, document: document as unknown as DrawnDocument }
  } catch (thrown) {
    throw new ConfigurationError(
      `a chart needs two optional packages; run: npm i @observablehq/plot linkedom (${describeCause(thrown).message})`,
      { setting: 'toSvg', source: 'installed packages' },
    )
  }
}

function frameOf({ title, width, height, xLabel, yLabel, xDomain, yDomain, marginLeft }: Drawing): object {
  const time = xDomain ? { domain: xDomain.map(end => new Date(end)), tickFormat: tickText } : { axis: null }
  return {
    ariaLabel: title || `${yLabel} by ${xLabel}`,
    width,
    height,
    marginLeft,
    marginRight: 28,
    marginTop: title === '' ? 34 : 62,
    marginBottom: 48,
    x: { type: 'utc', label: xLabel, labelArrow: 'none', ...time },
    // The label is drawn as a text: the package's own would stand where the title does.
    y: { type: 'linear', label: null, nice: true, ...(yDomain ? { domain: yDomain, grid: true } : { axis: null }) },
  }
}

function marksOf(plot: PlotPackage, { title, yLabel, width, marginLeft, line, dots, notice }: Drawing): Mark[] {
  const heading = (size: number, dy: number): object => ({
    frameAnchor: 'top-left',
    dx: MARGIN - marginLeft,
    dy,
    fontSize: size,
    lineWidth: (width - 2 * MARGIN) / size,
    textOverflow: 'ellipsis-end',
  })
  return [
    plot.lineY({ length: line.x.length }, { x: line.x, y: line.y, stroke: COLOUR, strokeWidth: 1.25 }),
    plot.dot({ length: dots.x.length }, { x: dots.x, y: dots.y, r: 1.5, fill: COLOUR }),
    plot.text([yLabel], heading(FONT_SIZE, -24)),
    ...(title === '' ? [] : [plot.text([title], { ...heading(TITLE_SIZE, -50), fontWeight: 'bold' })]),
    ...(notice === undefined ? [] : [plot.text([notice], { frameAnchor: 'middle', fontSize: FONT_SIZE })]),
  ]
}
