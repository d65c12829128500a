import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Every page that people read. */
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name)),
]

/** Code blocks marked `ts`, as modules beside the page they stand on. */
const blocks = pages.flatMap(page => {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map((match, at) => ({
    name: `${page} block ${at + 1}`,
    file: join(root, `${page}.${at + 1}.ts`),
    code: `${match[1] ?? ''}\nexport {}\n`,
  }))
})

/** What the compiler says about the blocks, by file. */
function problems(): Map<string, string[]> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as {
    config: { compilerOptions: object }
  }
  // A page shows one thing at a time: a name that it does not go on to use is no fault.
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, noUnusedLocals: false, noUnusedParameters: false },
    root,
  )
  const host = ts.createCompilerHost(options)
  const read = host.readFile.bind(host)
  const exists = host.fileExists.bind(host)
  const codeOf = (file: string): string | undefined => blocks.find(block => block.file === file)?.code
  host.readFile = file => codeOf(file) ?? read(file)
  host.fileExists = file => codeOf(file) !== undefined || exists(file)
  host.getSourceFile = (file, languageVersion) => {
    const code = host.readFile(file)
    return code === undefined ? undefined : ts.createSourceFile(file, code, languageVersion)
  }
  const program = ts.createProgram(
    blocks.map(block => block.file),
    options,
    host,
  )
  const found = new Map<string, string[]>()
  for (const diagnostic of ts.getPreEmitDiagnostics(program)) {
    const file = diagnostic.file?.fileName ?? ''
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')
    found.set(file, [...(found.get(file) ?? []), message])
  }
  return found
}

describe('code in the docs', () => {
  const found = problems()

  it('is there', () => {
    expect(blocks.length).toBeGreaterThan(5)
  })

  it.each(blocks)('type-checks: $name', ({ file }) => {
    expect(found.get(file) ?? []).toEqual([])
  })
})

/** The name of a heading in an address. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

/** Links of a page to files of ours. */
const links = pages.flatMap(page =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter(link => !link.includes('://'))
    .map(link => {
      const [path = '', anchor] = link.split('#')
      return { page, link, target: path === '' ? page : join(dirname(page), path), anchor }
    }),
)

describe('links in the docs', () => {
  it('are there', () => {
    expect(links.length).toBeGreaterThan(30)
  })

  it.each(links)('lead somewhere: $page to $link', ({ target, anchor }) => {
    expect(existsSync(join(root, target))).toBe(true)
    if (anchor === undefined) return
    const headings = [...readFileSync(join(root, target), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text)
    expect(headings.map(anchorOf)).toContain(anchor)
  })

  it('of the README lead somewhere in the package, too', () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
    const outside = links
      .filter(({ page, target }) => page === 'README.md' && !files.includes(target.split('/')[0] ?? ''))
      .map(({ target }) => target)
    expect(outside).toEqual([])
  })
})
