import { parse } from 'yaml'

/** Reads YAML, of which JSON is a part. Nothing in it is turned into an object of a class, dates stay text. */
export function parseYaml(text: string): unknown {
  return parse(text, { prettyErrors: true, maxAliasCount: 100 })
}
