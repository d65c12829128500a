import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Names that begin the title of a test or of a group of tests. */
const TITLED = new Set(['it', 'test', 'describe'])

/** Titles of all tests below a folder, as written: also those of tables. */
export function testTitles(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.test.ts'))
  return files.flatMap(name => titlesIn(readFileSync(join(folder, name), 'utf8')))
}

/** What makes a test not run, everywhere or in some places: it proves nothing, and nor does what is inside it. */
const NOT_RUN = new Set(['skip', 'todo', 'skipIf', 'runIf'])

/** Titles in one file. Only what is handed to `it`, `test` or `describe` counts: a comment proves nothing. */
export function titlesIn(text: string): string[] {
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    const title =
      ts.isCallExpression(node) && !isTable(node) && TITLED.has(calledName(node.expression))
        ? node.arguments[0]
        : undefined
    if (title && isLeftOut(node)) return
    if (title) titles.push(...textsIn(title))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true))
  return titles
}

/** Whether a call only hands over a table (or a condition), as the first of two: `it.each([…])` of `it.each([…])('…')`. */
function isTable(call: ts.CallExpression): boolean {
  return ts.isCallExpression(call.parent) && call.parent.expression === call
}

/** Whether `skip` or the like stands in what is called. */
function isLeftOut(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return NOT_RUN.has(node.name.text) || isLeftOut(node.expression)
  return ts.isCallExpression(node) && isLeftOut(node.expression)
}

/** `it` of `it(…)`, `it.each(…)(…)` and `it.skipIf(…)(…)`. */
function calledName(called: ts.Expression): string {
  if (ts.isIdentifier(called)) return called.text
  if (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called)) return calledName(called.expression)
  return ts.isTaggedTemplateExpression(called) ? calledName(called.tag) : ''
}

/** Every text inside a title, so that templates and joined texts count too. */
function textsIn(node: ts.Node): string[] {
  const own =
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
      ? [node.text]
      : []
  const inner: string[] = []
  ts.forEachChild(node, child => {
    inner.push(...textsIn(child))
  })
  return [...own, ...inner]
}
