import { openCacheStore } from '../../../src/transport/cache-store.ts'

/**
 * Writes and reads the same entries as another process beside it, again and again. Ends with status 1 when it reads
 * something that nobody wrote.
 */
const [dir = '', name = ''] = process.argv.slice(2)
const store = await openCacheStore(dir)

for (let turn = 0; turn < 20; turn++) {
  const facts = { receivedAt: turn, expiresAt: turn + 1 }
  await store.write('common', 'fought over', Buffer.from(`${name} ${turn} ${'x'.repeat(5000)}`), facts)
  await store.write('common', name, Buffer.from(`${name} ${turn}`), facts)
  const read = (await store.read('common', 'fought over'))?.toString()
  if (read !== undefined && !/^(?:left|right) \d+ x{5000}$/.test(read)) {
    console.error(`read what nobody wrote: ${read.slice(0, 40)}`)
    process.exitCode = 1
  }
  await store.list('common')
  await store.stats()
}
