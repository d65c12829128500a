/**
 * Runs the Jupyter notebook in a real TypeScript kernel: `npm run notebooks:kernel`, after `npm run build`. Where Jupyter
 * or Deno's kernel is not installed, it says so and ends well: nothing was shown, and nothing failed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const KERNEL = 'deno'
/** Exit code of the script where the kernel does not answer. */
const SILENT = 3
const MOST_STARTS = 3

interface KernelSpec {
  readonly spec: { readonly argv: readonly string[] }
}

interface Output {
  readonly output_type: string
  readonly text?: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** Why the notebook cannot be run here; nothing where it can. */
function lacking(): string | undefined {
  try {
    const specs = execFileSync('jupyter', ['kernelspec', 'list', '--json'], { encoding: 'utf8', stdio: 'pipe' })
    const { kernelspecs } = JSON.parse(specs) as { kernelspecs: Readonly<Record<string, KernelSpec | undefined>> }
    const program = kernelspecs[KERNEL]?.spec.argv[0]
    if (program === undefined) return `the kernel '${KERNEL}' is not installed (npx deno jupyter --install)`
    return isAbsolute(program) && !existsSync(program) ? `the kernel's program is gone: ${program}` : undefined
  } catch {
    return 'Jupyter is not installed'
  }
}

function run(): void {
  if (!existsSync(join(root, 'dist/index.js'))) throw new Error('nothing is built yet: npm run build')
  mkdirSync(join(root, 'out'), { recursive: true })
  const folder = mkdtempSync(join(root, 'out/kernel-'))
  try {
    // A folder in which the package is installed, as a reader of the notebook has it.
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/headrace'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "dependencies": { "headrace": "*" } }')
    cpSync(join(root, 'docs/notebooks/emissions.ipynb'), join(folder, 'notebook.ipynb'))
    const { WATTTIME_USER: _user, ...env } = process.env
    const script = join(import.meta.dirname, 'kernel.py')
    const printed = printedBy([script, KERNEL, 'notebook.ipynb'], folder, env)
    check(JSON.parse(printed) as Output[][])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What the cells showed. A kernel that says nothing at all is started anew: it is not the kernel that is tested. */
function printedBy(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): string {
  const stdio: ('ignore' | 'pipe' | 'inherit')[] = ['ignore', 'pipe', 'inherit']
  for (let start = 1; ; start++) {
    const { status, stdout } = spawnSync(interpreter(), args, {
      cwd,
      env,
      stdio,
      encoding: 'utf8',
      timeout: 300_000,
      maxBuffer: 64 * 2 ** 20,
    })
    if (status === 0) return stdout
    if (status !== SILENT || start === MOST_STARTS) throw new Error(`the notebook ended with ${String(status)}`)
    console.log(`the kernel did not answer (start ${start})`)
  }
}

/** The Python that Jupyter itself runs on, which has its client: the first line of its program says where it is. */
function interpreter(): string {
  const program = execFileSync('which', ['jupyter'], { encoding: 'utf8' }).trim()
  return /^#!\s*(\S*python\S*)\s*$/m.exec(readFileSync(program, 'utf8'))?.[1] ?? 'python3'
}

function check(cells: readonly Output[][]): void {
  const outputs = cells.flat()
  const printed = outputs.map(output => output.text ?? '').join('')
  const shown = outputs.flatMap(({ data }) => (data ? [Object.keys(data).sort().join(' ')] : []))
  const expected = ['image/svg+xml text/html text/plain', 'text/html text/plain']
  if (!/a simulation\n2016 rows\n<svg\ndone\n/.test(printed)) throw new Error(`the cells printed: ${printed}`)
  if (JSON.stringify(shown) !== JSON.stringify(expected)) throw new Error(`the cells showed: ${shown.join(', ')}`)
  console.log('the notebook ran in a real kernel, and its results showed themselves')
}

const reason = lacking()
if (reason === undefined) run()
else console.log(`skipped: ${reason}`)
