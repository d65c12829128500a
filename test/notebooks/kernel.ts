/**
 * Runs the Jupyter notebook in a real TypeScript kernel: `npm run notebooks:kernel`, after `npm run build`. Where Jupyter
 * or Deno's kernel is not installed, it says so and ends well: nothing was shown, and nothing failed.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const KERNEL = 'deno'

interface Output {
  readonly output_type: string
  readonly text?: readonly string[]
  readonly data?: Readonly<Record<string, unknown>>
}

/** Why the notebook cannot be run here; nothing where it can. */
function lacking(): string | undefined {
  try {
    const specs = execFileSync('jupyter', ['kernelspec', 'list', '--json'], { encoding: 'utf8', stdio: 'pipe' })
    const { kernelspecs } = JSON.parse(specs) as { kernelspecs: Readonly<Record<string, unknown>> }
    return KERNEL in kernelspecs ? undefined : `the kernel '${KERNEL}' is not installed (npx deno jupyter --install)`
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
    const options = ['--to', 'notebook', '--execute', `--ExecutePreprocessor.kernel_name=${KERNEL}`]
    const { WATTTIME_USER: _user, ...env } = process.env
    execFileSync('jupyter', ['nbconvert', ...options, '--output', 'done.ipynb', 'notebook.ipynb'], {
      cwd: folder,
      env,
      stdio: 'inherit',
      timeout: 300_000,
    })
    check(readFileSync(join(folder, 'done.ipynb'), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function check(text: string): void {
  const { cells } = JSON.parse(text) as { cells: { outputs?: Output[] }[] }
  const outputs = cells.flatMap(cell => cell.outputs ?? [])
  const printed = outputs.flatMap(output => output.text ?? []).join('')
  const shown = outputs.flatMap(({ data }) => (data ? [Object.keys(data).sort().join(' ')] : []))
  const expected = ['image/svg+xml text/html text/plain', 'text/html text/plain']
  if (!/a simulation\n2016 rows\n<svg\ndone\n/.test(printed)) throw new Error(`the cells printed: ${printed}`)
  if (JSON.stringify(shown) !== JSON.stringify(expected)) throw new Error(`the cells showed: ${shown.join(', ')}`)
  console.log('the notebook ran in a real kernel, and its results showed themselves')
}

const reason = lacking()
if (reason === undefined) run()
else console.log(`skipped: ${reason}`)
