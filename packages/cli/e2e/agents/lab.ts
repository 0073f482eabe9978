// Real coding agents against a scripted provider. A test of one agent:
//
//   await using lab = await openLab('codex', (turn) => (turn < 20 ? ['cat nothing.txt'] : 'Done.'))
//   await lab.unloop('init', 'codex', '--yes')       // or write files below lab.home and lab.project
//   const run = await lab.run('Read nothing.txt')    // headless; { code, stdout, stderr }
//   lab.turns()                                      // the bodies of the requests the agent made for its model turns
//
// Each lab has a HOME, a project folder (a git repository) and a provider of its own; `lab.env` and `lab.agent` start the agent
// in another way, such as `lab.spawn(['--acp'])`. The agents come from scripts/setup-agents.mjs, which runs on first use.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Body,
  makeFolder,
  type Provider,
  type Reply,
  type Script,
  startProvider,
} from '@unloop/testing'
import { type AgentName, agents, type Place, type RealAgent } from './agents.js'
import { isTurn, shellModel, type Wishes } from './model.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

export interface Run {
  code: number | null
  stdout: string
  stderr: string
}

export interface Lab extends AsyncDisposable {
  agent: RealAgent
  home: string
  project: string
  env: NodeJS.ProcessEnv
  provider: Provider
  /** The bodies of the requests for model turns, so far. */
  turns(): Body[]
  /** Gives the agent a prompt, without a terminal, and waits for its end. */
  run(prompt: string, more?: readonly string[]): Promise<Run>
  /** Starts the agent with these arguments, with pipes for stdin and stdout. */
  spawn(args: readonly string[]): ChildProcess
  /** Runs our own command in this HOME and project. */
  unloop(...args: string[]): Promise<Run>
  /** Waits until our command has printed something so many times, or has ended. */
  printed(pattern: RegExp, times: number): Promise<void>
}

/** Something that runs on this machine until it is closed. */
export interface Running {
  url: string
  close(): Promise<void>
}

export interface LabOptions {
  /** Puts something between the agent and the provider. */
  through?(providerUrl: string): Promise<Running>
  /** the pause of the provider between two writes */
  pauseMs?: number
}

/** Opens a lab for one agent, whose model does what `wishes` say; leaving the scope closes it. */
export async function openLab(
  name: AgentName,
  wishes: Wishes,
  { through, ...pace }: LabOptions = {},
): Promise<Lab> {
  const agent = agents[name]
  const folder = await makeFolder()
  const model = shellModel(wishes) as Exclude<Script, readonly Reply[]>
  const provider = await startProvider(async (...asked) => ({
    ...(await model(...asked)),
    ...pace,
  }))
  const between = await through?.(provider.url)
  const [home, project, bin] = ['home', 'project', 'bin'].map((one) => join(folder.path, one)) as [
    string,
    string,
    string,
  ]
  const place: Place = { home, project, url: between?.url ?? provider.url, cache: cacheOfAgents() }
  await writeFiles(home, agent.files(place))
  for (const [path, target] of Object.entries(agent.links?.(place) ?? {}))
    await symlink(target, join(home, path))
  await mkdir(project, { recursive: true })
  await writeProgram(join(bin, agent.command), agent.program(place))
  await writeProgram(join(bin, 'unloop'), [
    process.execPath,
    join(root, 'packages/cli/bin/unloop.js'),
  ])
  const env: NodeJS.ProcessEnv = {
    PATH: [bin, process.env.PATH].join(delimiter),
    HOME: home,
    // what a shell and git need to behave the same everywhere
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    USER: 'person',
    GIT_CONFIG_NOSYSTEM: '1',
    ...agent.env(place),
  }
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', project], { env })

  const start = (program: string, args: readonly string[]) =>
    spawn(program, args, { cwd: project, env })
  const output = collectOutput()
  return {
    agent,
    home,
    project,
    env,
    provider,
    turns: () => provider.exchanges.filter(isTurn).map(({ body }) => body),
    run: (prompt, more = []) =>
      finish(start(join(bin, agent.command), [...agent.headless(prompt), ...more])),
    spawn: (args) => start(join(bin, agent.command), args),
    unloop: (...args) => finish(output.of(start(join(bin, 'unloop'), args))),
    printed: output.printed,
    async [Symbol.asyncDispose]() {
      await between?.close()
      await provider.close()
      await folder.remove()
    },
  }
}

/** What programs print, as it comes. */
function collectOutput() {
  const news = new EventEmitter().setMaxListeners(0)
  let printed = ''
  let isOver = false
  return {
    of(child: ChildProcess): ChildProcess {
      child.stdout?.on('data', (bytes) => {
        printed += bytes
        news.emit('more')
      })
      child.once('close', () => {
        isOver = true
        news.emit('more')
      })
      return child
    },
    async printed(pattern: RegExp, times: number): Promise<void> {
      const count = () => printed.match(pattern)?.length ?? 0
      while (!isOver && count() < times) await once(news, 'more')
    },
  }
}

/** The folder with the installed agents. */
function cacheOfAgents(): string {
  const script = join(root, 'scripts/setup-agents.mjs')
  const printed = execFileSync(process.execPath, [script], { encoding: 'utf8' })
  return printed.trim().split('\n').at(-1) ?? ''
}

/** Waits for the end of a program that gets no input. */
export async function finish(child: ChildProcess): Promise<Run> {
  const run = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => (run.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text) => (run.stderr += text))
  child.stdin?.end()
  const [code] = await once(child, 'close')
  return { code, ...run }
}

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

async function writeProgram(path: string, words: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  await chmod(path, 0o755)
}
