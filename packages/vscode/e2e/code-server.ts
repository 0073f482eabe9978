import { execFileSync, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from './until.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const extension = join(root, 'packages/vscode')

/** A VS Code with our extension in it, at an address of its own. */
export interface CodeServer {
  url: string
  /** the folder that is open */
  workspace: string
  /** the home of whatever runs in it */
  home: string
  /** Changes settings of the workspace; `undefined` takes one away. */
  set(settings: Record<string, unknown>): void
  /** Changes settings, and waits until the extension has them. */
  apply(settings: Record<string, unknown>): Promise<void>
  /** What the log channels of the extension hold. */
  log(): string
  stop(): Promise<void>
}

/** Installs the packed extension into a fresh code-server and starts that. */
export async function startCodeServer({
  files = {},
  variables = {},
  language,
  isTrusted = true,
}: {
  files?: Record<string, string>
  variables?: Record<string, string>
  language?: string
  /** whether every folder is trusted; else the person is asked, in the editor's own way */
  isTrusted?: boolean
}): Promise<CodeServer> {
  const installed = run('node', ['scripts/setup-vscode-e2e.mjs'], root).trim().split('\n').at(-1)
  const folder = mkdtempSync(join(tmpdir(), 'unloop-vscode-'))
  const at = (name: string) => join(folder, name)
  const workspace = at('workspace')
  const userData = at('user-data')
  for (const [name, text] of Object.entries({ 'README.md': '# Demo\n', ...files })) {
    mkdirSync(join(workspace, name, '..'), { recursive: true })
    writeFileSync(join(workspace, name), text)
  }
  mkdirSync(join(userData, 'User'), { recursive: true })
  writeFileSync(join(userData, 'User/settings.json'), JSON.stringify(QUIET))
  // the web build does not notice when the file of the person's settings changes, but that of the workspace
  const settingsFile = join(workspace, '.vscode/settings.json')
  mkdirSync(join(workspace, '.vscode'), { recursive: true })
  let settings: Record<string, unknown> = {}
  const set = (more: Record<string, unknown>) => {
    settings = { ...settings, ...more }
    for (const [name, value] of Object.entries(settings)) {
      if (value === undefined) delete settings[name]
    }
    // the editor must not read half of it
    writeFileSync(`${settingsFile}.new`, JSON.stringify(settings))
    renameSync(`${settingsFile}.new`, settingsFile)
  }
  set({})

  const locale = language ? ['--locale', language] : []
  if (language) writeLanguagePack(userData, language)
  const entry = join(installed ?? '', 'node_modules/code-server/out/node/entry.js')
  const places = ['--user-data-dir', userData, '--extensions-dir', at('extensions')]
  const home = at('home')
  mkdirSync(home)
  const env = {
    ...withoutKeys(process.env),
    ...{ HOME: home, XDG_CONFIG_HOME: at('config'), XDG_DATA_HOME: at('data') },
    ...variables,
  }
  execFileSync(
    process.execPath,
    [entry, ...places, '--install-extension', join(extension, '.cache/unloop-vscode.vsix')],
    { env, stdio: 'pipe' },
  )
  const port = await freePort()
  const server = spawn(
    process.execPath,
    [
      entry,
      ...places,
      '--bind-addr',
      `127.0.0.1:${port}`,
      '--auth',
      'none',
      ...FLAGS,
      ...(isTrusted ? ['--disable-workspace-trust'] : []),
      ...locale,
      workspace,
    ],
    { env, stdio: 'pipe', detached: true },
  )
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  let output = ''
  server.stdout.on('data', (data) => {
    output += data
  })
  server.stderr.on('data', (data) => {
    output += data
  })
  const url = `http://127.0.0.1:${port}`
  await until('code-server answers', async () => {
    if (server.exitCode !== null) throw new Error(`code-server ended:\n${output}`)
    return (await fetch(`${url}/healthz`).catch(() => undefined))?.ok
  })
  return {
    url,
    workspace,
    home,
    set,
    async apply(more) {
      set(more)
      await until('the extension has the settings', () => {
        const known = lastSettings(logsIn(join(userData, 'logs')))
        return Object.keys(known).every((name) => {
          const value = settings[`unloop.${name}`] ?? DEFAULTS[name]
          return JSON.stringify(known[name]) === JSON.stringify(value)
        })
      })
    },
    log: () => logsIn(join(userData, 'logs')),
    async stop() {
      // its children too, which would go on writing
      if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid)
      await exited
      await until('its files are gone', () => {
        try {
          rmSync(folder, { recursive: true, force: true })
          return true
        } catch {
          return false
        }
      })
    },
  }
}

const DEFAULTS = Object.fromEntries(
  Object.entries(
    JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8')).contributes.configuration
      .properties as Record<string, { default: unknown }>,
  ).map(([name, { default: value }]) => [name.slice('unloop.'.length), value]),
)

/** The settings that the extension has read last, in whatever window. */
function lastSettings(log: string): Record<string, unknown> {
  // each line begins with its time
  const [last = ''] = log.split('\n').filter(isSettingsLine).sort().slice(-1)
  return JSON.parse(last.slice(last.indexOf('{')) || '{"model":"not read yet"}')
}

const isSettingsLine = (line: string) => line.includes('[info] settings: {')

/** A language pack that translates nothing of the editor: what an extension brings along is used with any. */
function writeLanguagePack(folder: string, language: string): void {
  const path = join(folder, 'translations.json')
  writeFileSync(path, JSON.stringify({ version: '1.0.0', contents: {} }))
  const extensions = [
    { extensionIdentifier: { id: 'unloop.no-pack', uuid: 'none' }, version: '1.0.0' },
  ]
  const pack = { hash: 'none', extensions, translations: { vscode: path }, label: language }
  writeFileSync(join(folder, 'languagepacks.json'), JSON.stringify({ [language]: pack }))
}

const FLAGS = [
  '--disable-telemetry',
  '--disable-update-check',
  '--disable-getting-started-override',
]

const QUIET = {
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'window.commandCenter': false,
  'workbench.colorTheme': 'Default Dark Modern',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'git.enabled': false,
}

/** The environment without what would reach a real provider, or the editor the tests are run in. */
const withoutKeys = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/_KEY$|_BASE_URL$|^VSCODE_/.test(name)),
  )

const run = (command: string, args: string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function logsIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /unloop[^/]*\/[^/]*\.log$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}
