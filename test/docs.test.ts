import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
