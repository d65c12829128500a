import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../tooling/temp-folder.ts'
import { COLUMNS, fiveMinutely, resultOf } from './sample-result.ts'

const browser = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(path => path !== undefined && existsSync(path))
if (browser === undefined)
  console.warn('no Chromium here: HTML is not looked at in a browser (set CHROMIUM to its path)')

/** Runs the browser on a page, without a screen. */
function open(page: string, ...options: readonly string[]): string {
  const usual = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', `--user-data-dir=${page}.profile`]
  return execFileSync(browser as string, [...usual, ...options, pathToFileURL(page).href], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 50_000,
  })
}

describe.skipIf(browser === undefined)('a result in a browser', () => {
  it('is a table and a picture, and no value of it is run', { timeout: 120_000 }, async () => {
    const attack = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`
    const columns = [...COLUMNS, { name: 'note', kind: 'text' }] as const
    const rows = fiveMinutely([3, 1, null, 4, 1, 5]).map(row => ({ ...row, note: attack }))
    const result = resultOf(rows, { columns, warnings: [attack] })
    const page = join(tempFolder(), 'page.html')
    const body = result.toHtml() + (await result.toSvg({ title: attack }))
    writeFileSync(page, `<!doctype html><meta charset="utf-8"><title>quiet</title><body>${body}</body>`)
    const dom = open(page, '--dump-dom')
    expect(dom).toContain('<title>quiet</title>')
    expect(dom.match(/<tr>/g)).toHaveLength(7)
    expect(dom).toMatch(/<svg[^>]* viewBox="0 0 800 360"/)
    expect(dom).not.toMatch(/<img|<script/)
    const picture = `${page}.png`
    open(page, `--screenshot=${picture}`, '--window-size=900,760')
    expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG')
  })
})
