import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemDisk } from '../../src/pull/disk.ts'
import { openManifest, readManifest } from '../../src/pull/manifest.ts'
import type { ManifestLine } from '../../src/pull/manifest-lines.ts'
import { tempFolder } from '../tooling/temp-folder.ts'

const line = (seriesId: string): ManifestLine => ({ type: 'sync', at: '2024-01-01T00:00:00Z', seriesId, asOf: 'ü' })

async function written(text: string): Promise<{ out: string; path: string }> {
  const out = tempFolder()
  const path = join(out, 'manifest.jsonl')
  mkdirSync(out, { recursive: true })
  writeFileSync(path, text)
  return { out, path }
}

describe('the manifest', () => {
  it('is empty where there is none', async () => {
    expect((await readManifest(systemDisk, tempFolder())).lines).toEqual([])
  })

  it.each([1, 2, 10, 40, 60])(
    'loses its last line when the last %d bytes of it are cut, and nothing else',
    async cut => {
      const whole = `${JSON.stringify(line('a'))}\n`
      const text = `${whole}${JSON.stringify(line('b'))}\n`
      const { out, path } = await written('')
      writeFileSync(path, Buffer.from(text).subarray(0, -cut))
      const read = await readManifest(systemDisk, out)
      expect(read.lines).toEqual([line('a')])
      const manifest = await openManifest(systemDisk, out, read)
      await manifest.add(line('c'))
      await manifest.close()
      expect(readFileSync(path, 'utf8')).toBe(`${whole}${JSON.stringify(line('c'))}\n`)
    },
  )

  it('drops a last line of which only the end is there', async () => {
    const { out } = await written(`${JSON.stringify(line('a'))}\n\0\0\0\0":"b"}\n`)
    const read = await readManifest(systemDisk, out)
    expect(read.lines).toEqual([line('a')])
    expect(read.wholeBytes).toBe(Buffer.byteLength(JSON.stringify(line('a'))) + 1)
  })

  it('refuses damage in the middle, and lines of a newer version', async () => {
    const damaged = await written(`${JSON.stringify(line('a'))}\n{"type":\n${JSON.stringify(line('b'))}\n`)
    await expect(readManifest(systemDisk, damaged.out)).rejects.toMatchObject({
      name: 'PullError',
      kind: 'manifest',
      message: expect.stringContaining('line 2') as string,
    })
    const newer = await written('{"type":"plan","version":2}\n')
    await expect(readManifest(systemDisk, newer.out)).rejects.toMatchObject({ kind: 'manifest' })
  })

  it('keeps lines whole when many are added at once', async () => {
    const out = tempFolder()
    const manifest = await openManifest(systemDisk, out, await readManifest(systemDisk, out))
    const names = Array.from({ length: 50 }, (_, at) => `s${at}`)
    await Promise.all(names.map(name => manifest.add(line(name))))
    await manifest.close()
    expect((await readManifest(systemDisk, out)).lines).toEqual(names.map(line))
  })
})
