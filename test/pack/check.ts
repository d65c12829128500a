import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENTRY_POINTS, manifest, ROOT } from '../tooling/entry-points.ts'
import { FIRST_CALL, importing, quiet, SIMULATOR_WITHOUT_MSW, typeCheck } from './consumers.ts'

/**
 * F57: the package as users get it. Packs what was built, installs the tarball in an empty folder, and imports,
 * runs and type-checks it there in every way the guide says works. Run by `npm run test:pack`.
 */

const folder = mkdtempSync(join(tmpdir(), 'pack-check-'))
const tool = (name: string): string => join(ROOT, 'node_modules/.bin', name)
const core = ENTRY_POINTS.filter(({ key }) => key !== './simulator')

try {
  checkPack(packIntoFolder())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function checkPack(tarball: string): void {
  step('publint', () => run(tool('publint'), ['run', tarball, '--strict']))
  step('attw', () => run(tool('attw'), [tarball, '--profile', 'esm-only', '--no-definitely-typed']))
  step('holds what users need, and no more', checkContents)

  step('installs in an empty folder', () => install(tarball, `@types/node@${manifest.devDependencies['@types/node']}`))
  step('R63: importing is quiet', checkQuiet)
  checkImports(core)
  step('the program', checkProgram)
  step('the simulator says what it needs', checkSimulatorWithoutMsw)

  step('installs the optional peer', () => install(`msw@${manifest.devDependencies['msw']}`))
  checkImports(ENTRY_POINTS)
}

/** (a) to (d) of F57, for the given entry points. */
function checkImports(entries: typeof ENTRY_POINTS): void {
  const names = entries.map(({ specifier }) => specifier).join(', ')
  const imported = (command: string, file: string, text: string) => (): void => {
    write(file, text)
    if (run(command, [file]) !== 'imported\n') throw new Error(`${file} printed something else than its own line`)
  }
  step(`node, ESM script: ${names}`, imported(process.execPath, 'script.mjs', importing(entries, 'top-level await')))
  step('tsx, .ts without "type"', imported(tool('tsx'), 'cell.ts', importing(entries, 'async main')))
  step('tsx, .mts with top-level await', imported(tool('tsx'), 'cell.mts', importing(entries, 'top-level await')))
  for (const resolution of ['nodenext', 'bundler']) {
    step(`types, ${resolution}, strict, libraries checked`, () => checkTypes(entries, resolution))
  }
}

function checkTypes(entries: typeof ENTRY_POINTS, resolution: string): void {
  write('names.mts', typeCheck(entries))
  write('first-call.mts', FIRST_CALL)
  // Our own types need no DOM. Those of msw, which the simulator's names use, do.
  const dom = entries === core ? [] : ['DOM', 'DOM.Iterable']
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', ...dom],
    types: ['node'],
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['names.mts', 'first-call.mts'] }))
  run(tool('tsc'), ['-p', 'tsconfig.json'])
}

function checkQuiet(): void {
  write('quiet.mjs', quiet(core))
  const env = { PATH: process.env['PATH'], HOME: folder }
  const options = { cwd: folder, env, encoding: 'utf8', timeout: 60_000 } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, ['quiet.mjs'], options)
  const exitedAt = Date.now()
  if (status !== 0 || stdout + stderr !== '') throw new Error(`status ${status}, printed: ${stdout}${stderr}`)
  const { seen, endedAt } = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8')) as Quiet
  if (seen.length > 0) throw new Error(`importing ${seen.join(', ')}`)
  if (exitedAt - endedAt > 2000) throw new Error(`the process stayed for ${exitedAt - endedAt} ms after its last line`)
}

/** What `quiet.mjs` leaves. */
interface Quiet {
  readonly seen: readonly string[]
  readonly endedAt: number
}

/** As people call it, without any of the optional packages. */
function checkProgram(): void {
  const program = join(folder, 'node_modules/.bin/headrace')
  const said = run(program, ['--version']).trim()
  if (said !== manifest.version) throw new Error(`its version is ${manifest.version}, but it said: ${said}`)
  const help = run(program, ['emissions', 'historical', '--help'])
  if (!help.includes('--region <value>')) throw new Error(`help without its options: ${help}`)
  const { status, stderr } = spawnSync(program, ['simulate'], { cwd: folder, encoding: 'utf8', timeout: 60_000 })
  if (status !== 3 || !stderr.includes('npm install msw')) {
    throw new Error(`without msw, code 3 and what to install were due, but: ${status} ${stderr}`)
  }
}

function checkSimulatorWithoutMsw(): void {
  write('simulate.mjs', SIMULATOR_WITHOUT_MSW)
  const message = run(process.execPath, ['simulate.mjs'])
  if (!/Cannot find package 'msw'/.test(message)) {
    throw new Error(`without msw, a message that names msw was due, but it said: ${message}`)
  }
}

function checkContents(): void {
  const listed = execFileSync('tar', ['-tf', packedTarball()], { encoding: 'utf8' }).trim().split('\n')
  const files = listed.map(name => name.replace(/^package\//, ''))
  for (const due of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'docs/guide/script.md']) {
    if (!files.includes(due)) throw new Error(`${due} is missing`)
  }
  const stray = files.filter(
    name =>
      !/^(dist\/.+\.(js|d\.ts)(\.map)?|src\/.+\.ts|docs\/.+\.(md|ts|svg|ipynb)|[A-Z]+\.md|LICENSE|package\.json)$/.test(
        name,
      ),
  )
  if (stray.length > 0) throw new Error(`not for users: ${stray.join(', ')}`)
}

function packIntoFolder(): string {
  let tarball = ''
  step('packs', () => {
    run('npm', ['pack', '--pack-destination', folder, '--silent'], ROOT)
    tarball = packedTarball()
    write('package.json', JSON.stringify({ name: 'consumer', private: true }))
  })
  return tarball
}

function packedTarball(): string {
  const name = readdirSync(folder).find(file => file.endsWith('.tgz'))
  if (name === undefined) throw new Error('npm pack left no tarball')
  return join(folder, name)
}

function install(...packages: string[]): void {
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...packages])
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

/** Runs to the end and returns what went to stdout; throws with everything that was said. */
function run(command: string, args: readonly string[], cwd = folder): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 240_000 })
  if (status !== 0)
    throw new Error([`${command} ${args.join(' ')}: status ${status}`, error ?? '', stdout, stderr].join('\n'))
  return stdout
}

function step(name: string, act: () => void): void {
  const begun = Date.now()
  try {
    act()
  } catch (error) {
    console.error(`pack: FAILED ${name}`)
    throw error
  }
  console.log(`pack: ${name} (${Date.now() - begun} ms)`)
}
