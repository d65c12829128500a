import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A way into the package: `headrace` or `headrace/<something>`. */
export interface EntryPoint {
  /** As it stands in the exports map: `.` or `./emissions`. */
  readonly key: string
  /** As callers write it. */
  readonly specifier: string
  /** Conditions of the exports map, in order: types first, or a compiler never sees them. */
  readonly conditions: Readonly<Record<string, string>>
  /** The source it is built from, from the project root. */
  readonly source: string
}

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

export const ROOT = join(import.meta.dirname, '../..')

export const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest

/** Every entry point that is code; `./package.json` is the one that is not. */
export const ENTRY_POINTS: readonly EntryPoint[] = Object.entries(manifest.exports).flatMap(([key, conditions]) =>
  typeof conditions === 'string'
    ? []
    : [
        {
          key,
          specifier: manifest.name + key.slice(1),
          conditions,
          source: (conditions['default'] ?? '').replace(/^\.\/dist\//, 'src/').replace(/\.js$/, '.ts'),
        },
      ],
)

/** What a source file exports. Exact, because `export *` is not allowed in `src`. */
export interface ExportedNames {
  readonly values: readonly string[]
  readonly types: readonly string[]
}

export function exportedNames(source: string): ExportedNames {
  const values: string[] = []
  const types: string[] = []
  const tree = ts.createSourceFile(source, readFileSync(join(ROOT, source), 'utf8'), ts.ScriptTarget.ES2022, true)
  for (const node of tree.statements) {
    if (ts.isExportDeclaration(node) && node.exportClause !== undefined && ts.isNamedExports(node.exportClause)) {
      for (const { name, isTypeOnly } of node.exportClause.elements) {
        ;(node.isTypeOnly || isTypeOnly ? types : values).push(name.text)
      }
    } else if (isExported(node)) {
      const names = ts.isVariableStatement(node) ? node.declarationList.declarations : [node as ts.DeclarationStatement]
      const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
      for (const { name } of names) (isType ? types : values).push(name?.getText(tree) ?? 'default')
    }
  }
  return { values: values.sort(), types: types.sort() }
}

function isExported(node: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
}
