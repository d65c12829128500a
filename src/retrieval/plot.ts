import { ConfigurationError, describeCause } from '../errors.ts'
import type { Axis, LegendItem, Picture, Shape } from './picture.ts'
import { layOut, rampSteps, RAMP_WIDTH } from './plot-legend.ts'

const INK = '#222222'
const SOFT_INK = '#555555'
const GROUND = '#e4e4e4'
const FONT_SIZE = 12
const TITLE_SIZE = 15
const MARGIN = 10
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'
const LEGEND_ROW = 18
const COLOURS = 64

/**
 * Draws on a white ground. The same picture gives the same text, in any zone and locale.
 *
 * @throws ConfigurationError when the optional packages are not there
 */
export async function drawSvg(picture: Picture): Promise<string> {
  const { plot, document } = await loadPackages()
  const svg = plot.plot({ document, ...frameOf(picture), marks: marksOf(plot, picture) })
  const add = (name: string, attributes: Attributes, text?: string): void => {
    const element = document.createElementNS(SVG_NAMESPACE, name)
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value))
    if (text !== undefined) element.textContent = text
    svg.insertBefore(element, null)
  }
  addCells(picture, plot, svg, add)
  addLegend(picture, add)
  addRamp(picture, colourScale(plot, picture), add)
  const ground = document.createElementNS(SVG_NAMESPACE, 'rect')
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: 'white' }))
    ground.setAttribute(name, value)
  svg.insertBefore(ground, svg.firstChild)
  svg.setAttribute('xmlns', SVG_NAMESPACE)
  svg.setAttribute('color', INK)
  svg.setAttribute('font-size', String(FONT_SIZE))
  return `${svg.outerHTML}\n`
}

type Attributes = Readonly<Record<string, string | number>>
type Add = (name: string, attributes: Attributes, text?: string) => void

/** The little that is used of the packages; their own types need those of a browser. */
interface PlotPackage {
  plot(options: object): DrawnElement
  lineY(data: object, options: object): Mark
  dot(data: object, options: object): Mark
  rect(data: object, options: object): Mark
  text(data: object, options: object): Mark
  scale(options: object): DrawnScale
}

type Mark = object

interface DrawnElement {
  readonly firstChild: DrawnElement | null
  readonly outerHTML: string
  textContent: string
  insertBefore(added: DrawnElement, before: DrawnElement | null): void
  setAttribute(name: string, value: string): void
  /** The scale that was made for an axis. */
  scale(name: 'x' | 'y'): DrawnScale
}

interface DrawnScale {
  apply(value: number | Date): number | string
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

function frameOf(picture: Picture): object {
  const { description, width, height, x, y, marginLeft } = picture
  return {
    ariaLabel: description,
    width,
    height,
    marginLeft,
    marginRight: 28,
    marginTop: topOf(picture),
    marginBottom: x.hidden ? 20 : 48,
    x: { label: x.label ?? null, labelArrow: 'none', ...scaleOf(x) },
    // The label is drawn as a text: the package's own would stand where the title does.
    y: { label: null, ...scaleOf(y) },
  }
}

function topOf({ title, legend, width }: Picture): number {
  return (title === '' ? 34 : 62) + LEGEND_ROW * layOut(legend, width - 2 * MARGIN).rows
}

function scaleOf({ type, domain, ticks, tickText, grid, reversed, hidden, nice }: Axis): object {
  const axis = { type }
  if (domain === undefined) return { type: type === 'log' ? 'linear' : type, axis: null, nice }
  return {
    // A log axis of the package leaves labels out as it likes: ours is a plain one of exponents.
    type: type === 'log' ? 'linear' : type,
    domain: domain.map(end => on(axis, end)),
    nice: nice ?? false,
    reverse: reversed ?? false,
    ...(hidden ? { axis: null } : { grid: grid ?? false }),
    ...(ticks ? { ticks: ticks.map(tick => on(axis, tick)) } : {}),
    ...(tickText
      ? { tickFormat: type === 'log' ? (_: number, at: number) => tickText(ticks?.[at] as never, at, []) : tickText }
      : {}),
  }
}

function marksOf(plot: PlotPackage, picture: Picture): Mark[] {
  const { title, yTitle, width, marginLeft, shapes, notice, notes } = picture
  const heading = (size: number, dy: number): object => ({
    frameAnchor: 'top-left',
    dx: MARGIN - marginLeft,
    dy,
    fontSize: size,
    lineWidth: (width - 2 * MARGIN) / size,
    textOverflow: 'ellipsis-end',
  })
  return [
    ...shapes.flatMap(shape => markOf(plot, shape, picture)),
    ...(yTitle === '' ? [] : [plot.text([yTitle], heading(FONT_SIZE, -24))]),
    ...(title === '' ? [] : [plot.text([title], { ...heading(TITLE_SIZE, 12 - topOf(picture)), fontWeight: 'bold' })]),
    ...(notice === undefined ? [] : [plot.text([notice], { frameAnchor: 'middle', fontSize: FONT_SIZE })]),
    ...(notes.length === 0
      ? []
      : [
          plot.text([notes.join('; ')], {
            ...heading(FONT_SIZE - 1, 42),
            frameAnchor: 'bottom-left',
            lineWidth: (width - 2 * MARGIN) / (FONT_SIZE - 1) - 14,
            fill: SOFT_INK,
          }),
        ]),
  ]
}

function markOf(plot: PlotPackage, shape: Shape, { x, y }: Picture): Mark[] {
  const up = (values: readonly number[]) => (y.type === 'log' ? values.map(value => Math.log10(value)) : values)
  switch (shape.kind) {
    case 'line':
      return [
        plot.lineY(listed(shape.x), {
          x: shape.x,
          y: up(shape.y),
          stroke: shape.colour,
          strokeWidth: 1.25,
          ...(shape.dashed ? { strokeDasharray: '4 3' } : {}),
        }),
      ]
    case 'dots':
      return [plot.dot(listed(shape.x), { x: shape.x, y: up(shape.y), r: shape.radius ?? 1.5, fill: shape.colour })]
    case 'below':
      return [
        plot.dot(listed(shape.x), {
          x: shape.x,
          y: up(shape.y),
          r: 4,
          symbol: 'triangle',
          rotate: 180,
          fill: 'white',
          stroke: shape.colour,
        }),
      ]
    case 'words':
      return [
        plot.text(listed(shape.x), {
          x: shape.x,
          y: up(shape.y),
          text: shape.texts,
          textAnchor: shape.anchor,
          fontSize: FONT_SIZE - 1,
        }),
      ]
    // Thousands of them: drawn apart, by colour.
    case 'cells':
      return []
    case 'ground':
      return [
        plot.rect(listed(shape.areas), {
          x1: shape.areas.map(([from]) => on(x, from)),
          x2: shape.areas.map(([, to]) => on(x, to)),
          y1: shape.areas.map(area => on(y, area[2])),
          y2: shape.areas.map(area => on(y, area[3])),
          fill: GROUND,
        }),
      ]
  }
}

/** Rectangles as one path for each of 64 colours: an element for each would make the text five times as long. */
function addCells(picture: Picture, plot: PlotPackage, svg: DrawnElement, add: Add): void {
  const colourOf = colourScale(plot, picture)
  for (const shape of picture.shapes) {
    if (shape.kind !== 'cells' || !picture.colours) continue
    const [low, high] = picture.colours.domain
    const [x, y] = (['x', 'y'] as const).map(name => {
      const scale = svg.scale(name)
      return (value: number) => Number(Number(scale.apply(on(picture[name], value))).toFixed(1))
    }) as [(value: number) => number, (value: number) => number]
    const paths = new Map<number, string>()
    shape.values.forEach((value, at) => {
      const step = Math.min(COLOURS - 1, Math.floor(((value - low) / (high - low)) * COLOURS))
      const [left, right] = [x(shape.x1[at] as number), x(shape.x2[at] as number)]
      const [top, bottom] = [y(shape.y1[at] as number), y(shape.y2[at] as number)]
      const [wide, tall] = [Number((right - left).toFixed(1)), Number((bottom - top).toFixed(1))]
      paths.set(step, `${paths.get(step) ?? ''}M${left},${top}h${wide}v${tall}h${-wide}z`)
    })
    for (const [step, d] of [...paths].sort(([a], [b]) => a - b)) {
      const fill = colourOf(low + ((step + 0.5) / COLOURS) * (high - low))
      add('path', { 'aria-label': 'cells', fill, 'shape-rendering': 'crispEdges', d })
    }
  }
}

function colourScale(plot: PlotPackage, { colours }: Picture): (value: number) => string {
  if (!colours) return () => INK
  const scale = plot.scale({ color: { type: 'linear', scheme: 'viridis', domain: colours.domain } })
  return value => String(scale.apply(value))
}

/** As many as there are, whatever they hold: the channels come as lists of their own. */
function listed(list: readonly unknown[]): object {
  return { length: list.length }
}

function on({ type }: Pick<Axis, 'type'>, value: number): number | Date {
  if (type === 'utc') return new Date(value)
  return type === 'log' ? Math.log10(value) : value
}

function addLegend(picture: Picture, add: Add): void {
  const top = picture.title === '' ? 14 : 36
  for (const { item, x, row } of layOut(picture.legend, picture.width - 2 * MARGIN).places) {
    const middle = top + row * LEGEND_ROW
    addMark(item, x + MARGIN, middle, add)
    const place = { x: x + MARGIN + 22, y: middle, dy: '0.32em', 'text-anchor': 'start' }
    add('text', { ...place, fill: 'currentColor' }, item.text)
  }
}

function addMark({ mark, colour }: LegendItem, x: number, middle: number, add: Add): void {
  const line = { x1: x, x2: x + 18, y1: middle, y2: middle, stroke: colour, 'stroke-width': 2 }
  switch (mark) {
    case 'line':
      return add('line', line)
    case 'dashed':
      return add('line', { ...line, 'stroke-dasharray': '4 3' })
    case 'dot':
      return add('circle', { cx: x + 9, cy: middle, r: 3, fill: colour })
    case 'below':
      return add('path', { d: `M${x + 4},${middle - 4}h10l-5,8z`, fill: 'white', stroke: colour })
    case 'ground':
      return add('rect', { x: x + 4, y: middle - 5, width: 10, height: 10, fill: GROUND })
  }
}

/** What the colours stand for, right above the frame. */
function addRamp({ colours, width, legend, title }: Picture, colourOf: (value: number) => string, add: Add): void {
  if (!colours) return
  const left = width - RAMP_WIDTH - 28
  const top = (title === '' ? 14 : 36) + LEGEND_ROW * layOut(legend, width - 2 * MARGIN).rows - 7
  for (const { x, width: wide, value } of rampSteps(colours.domain)) {
    add('rect', { x: left + x, y: top, width: wide, height: 8, fill: colourOf(value) })
  }
  const [low, high] = colours.domain
  const words = { y: top + 20, fill: 'currentColor', 'font-size': FONT_SIZE - 1 }
  add('text', { ...words, x: left, 'text-anchor': 'start' }, numberText(low))
  add('text', { ...words, x: left + RAMP_WIDTH, 'text-anchor': 'end' }, numberText(high))
  add('text', { x: left - 8, y: top + 8, 'text-anchor': 'end', fill: 'currentColor' }, colours.label)
}

function numberText(value: number): string {
  return String(Number(value.toPrecision(4)))
}
