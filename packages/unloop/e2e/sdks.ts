import { execFile, execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { makeFolder } from '@unloop/testing'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

/** An SDK that is not in everybody's install. */
export interface Sdk {
  folder: string
  // biome-ignore lint/suspicious/noExplicitAny: what is not installed has no types here; `checkTypes` holds them
  load(name: string): Promise<any>
  /** Runs an example beside the SDK; gives what it printed. */
  runExample(name: string, node?: string): Promise<string>
  /** Compiles a file of `e2e/types` beside the SDK; throws what the compiler says. */
  checkTypes(name: string): Promise<void>
}

/** Finds it in the cache, or puts it there. */
export function findSdk(name: string): Sdk {
  const script = join(root, 'scripts/setup-sdks.mjs')
  const printed = execFileSync(process.execPath, [script], { encoding: 'utf8' })
  const folder = join(printed.trim().split('\n').at(-1) ?? '', name)
  const { resolve } = createRequire(join(folder, 'package.json'))
  return {
    folder,
    load: (module) => import(pathToFileURL(resolve(module)).href),
    async runExample(example, node = process.execPath) {
      const model = await readFile(join(root, 'examples/stuck-model.mjs'), 'utf8')
      const files = { 'stuck-model.mjs': model }
      return beside(folder, join(root, 'examples', `${example}.mjs`), files, async (file) => {
        const { stdout } = await run(node, [file])
        return stdout
      })
    },
    async checkTypes(types) {
      const source = fileURLToPath(new URL(`types/${types}.ts`, import.meta.url))
      const typeRoots = [join(root, 'node_modules/@types')]
      const emit = { composite: false, declaration: false, noEmit: true }
      const compilerOptions = { ...emit, typeRoots, types: ['node'] }
      const config = {
        extends: join(root, 'tsconfig.base.json'),
        compilerOptions,
        include: ['*.ts'],
      }
      const files = { 'tsconfig.json': JSON.stringify(config) }
      await beside(folder, source, files, (file) =>
        run(process.execPath, [
          join(root, 'node_modules/typescript/bin/tsc'),
          '-p',
          join(file, '..'),
        ]),
      ).catch(({ stdout, message }) => {
        throw new Error(stdout || message)
      })
    },
  }
}

/** Copies a file to where it finds the SDK and us. */
async function beside<Result>(
  sdk: string,
  source: string,
  files: Record<string, string>,
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  const name = basename(source)
  const manifest = '{ "private": true, "type": "module" }'
  const copy = { [name]: await readFile(source, 'utf8'), 'package.json': manifest }
  const folder = await makeFolder({ ...copy, ...files })
  try {
    const modules = join(folder.path, 'node_modules')
    await mkdir(join(modules, '@unloop'), { recursive: true })
    const theirs = (await readdir(join(sdk, 'node_modules'))).filter((one) => !one.startsWith('.'))
    for (const one of theirs) await symlink(join(sdk, 'node_modules', one), join(modules, one))
    await symlink(join(root, 'packages/unloop'), join(modules, 'unloop'))
    await symlink(join(root, 'packages/testing'), join(modules, '@unloop/testing'))
    return await work(join(folder.path, name))
  } finally {
    await folder.remove()
  }
}
