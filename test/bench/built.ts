import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const OUT = fileURLToPath(new URL('../../out/bench/', import.meta.url))

/**
 * The runners as plain JavaScript, which finds the package where its users find it: in `dist`. Nothing that compiles
 * on the way is measured.
 *
 * @returns the folder they are in
 */
export function builtRunners(): string {
  mkdirSync(OUT, { recursive: true })
  for (const name of readdirSync(HERE)) {
    const { outputText } = ts.transpileModule(readFileSync(join(HERE, name), 'utf8'), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        rewriteRelativeImportExtensions: true,
      },
    })
    writeFileSync(join(OUT, name.replace(/ts$/, 'js')), outputText)
  }
  return OUT
}
