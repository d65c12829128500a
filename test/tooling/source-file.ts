import ts from 'typescript'

/** A source file as the checks get it: a path from the project root with `/`, and its text. */
export interface SourceText {
  readonly path: string
  readonly text: string
}

/** One import, re-export, dynamic import or import type. */
export interface ImportFound {
  /** As written, between the quotes. `undefined` when a dynamic import computes it. */
  readonly specifier: string | undefined
  readonly typeOnly: boolean
  readonly line: number
}

/** A piece of syntax that a house rule may forbid: `Date.now`, `console`, `enum`, `export *` ... */
export interface SyntaxFound {
  readonly what: string
  readonly line: number
}

/** What the parser of the compiler sees in one file. */
export interface ParsedSource extends SourceText {
  readonly imports: readonly ImportFound[]
  readonly syntax: readonly SyntaxFound[]
}

/** Parses with the compiler's own parser, so that comments and texts that look like code do not count. */
export function parseSource(source: SourceText): ParsedSource {
  const tree = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.ES2022, true)
  const imports: ImportFound[] = []
  const syntax: SyntaxFound[] = []
  const lineOf = (node: ts.Node): number => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1

  const visit = (node: ts.Node): void => {
    const found = importIn(node)
    if (found !== undefined) imports.push({ ...found, line: lineOf(node) })
    for (const what of syntaxIn(node)) syntax.push({ what, line: lineOf(node) })
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return { ...source, imports, syntax }
}

function importIn(node: ts.Node): Omit<ImportFound, 'line'> | undefined {
  if (ts.isImportDeclaration(node)) {
    return { specifier: textOf(node.moduleSpecifier), typeOnly: bringsTypesOnly(node.importClause) }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return { specifier: textOf(node.moduleSpecifier), typeOnly: node.isTypeOnly || onlyTypes(node.exportClause) }
  }
  if (ts.isImportTypeNode(node)) {
    return {
      specifier: ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined,
      typeOnly: true,
    }
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return { specifier: textOf(node.moduleReference.expression), typeOnly: node.isTypeOnly }
  }
  if (ts.isCallExpression(node) && (node.expression.kind === ts.SyntaxKind.ImportKeyword || isRequire(node))) {
    return { specifier: textOf(node.arguments[0]), typeOnly: false }
  }
  return undefined
}

function isRequire(call: ts.CallExpression): boolean {
  return ts.isIdentifier(call.expression) && call.expression.text === 'require'
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined
}

function bringsTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  return clause.name === undefined && onlyTypes(clause.namedBindings)
}

function onlyTypes(bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (bindings === undefined || ts.isNamespaceImport(bindings) || ts.isNamespaceExport(bindings)) return false
  const elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] = bindings.elements
  return elements.length > 0 && elements.every(element => element.isTypeOnly)
}

/** Names the syntax that rules of the house speak about. */
function syntaxIn(node: ts.Node): string[] {
  if (ts.isEnumDeclaration(node)) return ['enum']
  if (ts.isExportAssignment(node)) return ['default export']
  if (ts.isExportDeclaration(node)) return exportsIn(node)
  if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) {
    return ['default export']
  }
  if (ts.isNewExpression(node) && nameOf(node.expression) === 'Date' && !node.arguments?.length) return ['new Date()']
  if (ts.isPropertyAccessExpression(node)) return [`${nameOf(node.expression)}.${node.name.text}`]
  if (ts.isIdentifier(node) && GLOBALS.has(node.text) && isUse(node)) return [node.text]
  return []
}

const GLOBALS = new Set(['console', 'setTimeout', 'setInterval', 'setImmediate'])

/** Whether an identifier stands for the value itself: not a member's, a declaration's or a type's name. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  return (parent as { name?: ts.Node }).name !== node && !ts.isTypeNode(parent) && !ts.isQualifiedName(parent)
}

function exportsIn(node: ts.ExportDeclaration): string[] {
  const { exportClause } = node
  if (exportClause === undefined || ts.isNamespaceExport(exportClause)) return ['export *']
  return exportClause.elements.some(({ name }) => name.text === 'default') ? ['default export'] : []
}

function nameOf(node: ts.Expression): string {
  return ts.isIdentifier(node) ? node.text : ''
}
