import type { Fields } from '../json.ts'
import { describeSite, type Site } from './sites.ts'

const known = new WeakMap<Site, Fields>()

/** The record of a site, written once. */
export function siteFields(site: Site): Fields {
  const fields = known.get(site) ?? describeSite(site)
  known.set(site, fields)
  return fields
}
