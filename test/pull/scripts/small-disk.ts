/**
 * Pulls into a file system of 64 KiB, then into the same with room: started anew in a namespace of its own, where it may
 * mount one. Takes the folder to mount as argument.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { isPullError, pull, readSpec } from '../../../src/pull/index.ts'
import { settingsFor } from '../../support/pull-settings.ts'

const { PULL_URL: url = '', PULL_SPEC: spec = '', SMALL_DISK } = process.env
const [folder = '', self = process.argv[1] ?? ''] = process.argv.slice(2)

if (SMALL_DISK === undefined) {
  const { status } = spawnSync('unshare', ['-rm', process.execPath, '--import', 'tsx', self, folder], {
    stdio: 'inherit',
    env: { ...process.env, SMALL_DISK: 'yes' },
  })
  process.exit(status ?? 1)
}

const mount = (options: string): void => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
}
mount('size=64k')
const out = `${folder}/out`
const settings = settingsFor({ url })
await pull(readSpec(spec), { out, settings }).then(
  ({ outcome }) => console.log(`small: ${outcome}`),
  (thrown: unknown) => console.log(isPullError(thrown) ? `${thrown.kind}: ${thrown.message}` : thrown),
)
const unfinished = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.part'))
console.log(`unfinished files: ${unfinished.length}`)
mount('remount,size=4m')
const { outcome } = await pull(readSpec(spec), { out, settings })
console.log(`with room: ${outcome}`)
