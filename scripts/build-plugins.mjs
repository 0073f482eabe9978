// Builds the guard as plugins of the agents that have plugins, into plugins/dist or the folder given. The hooks are those that
// `unloop init` installs, and the one file that they run is in each plugin, so a plugin needs nothing but Node on the path.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codingAgentNamed } from '../packages/cli/dist/coding-agents/index.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = resolve(process.argv[2] ?? join(root, 'plugins/dist'))
const { version } = readJson('packages/cli/package.json')
const place = { home: '/', project: '/', env: {} }

build('claude-code', '.claude-plugin/plugin.json', (folder) => {
  writeHooks(folder, 'claude-code', `node "\${CLAUDE_PLUGIN_ROOT}/hook.cjs" hook claude-code`)
})
build('gemini-cli', 'gemini-extension.json', (folder) => {
  writeHooks(folder, 'gemini-cli', `node "\${extensionPath}/hook.cjs" hook gemini-cli`)
})
build('opencode', 'package.json', (folder) => {
  const template = readFileSync(join(root, 'packages/cli/templates/opencode-plugin.js'), 'utf8')
  const start = template.indexOf('import ')
  const command = /^const COMMAND = .*$/m
  if (!command.test(template)) throw new Error('the template of the opencode plugin has no COMMAND')
  const here = `const COMMAND = \`node "\${fileURLToPath(new URL('hook.cjs', import.meta.url))}" hook opencode\``
  write(
    join(folder, 'index.js'),
    `import { fileURLToPath } from 'node:url'\n${template.slice(start).replace(command, () => here)}`,
  )
})
console.log(dist)

/** Copies the manifest and the hook, and lets the rest be written. */
function build(name, manifest, writeRest) {
  const folder = join(dist, name)
  rmSync(folder, { recursive: true, force: true })
  const { name: id, ...rest } = readJson(join('plugins', name, manifest))
  write(join(folder, manifest), toJson({ name: id, version, ...rest }))
  cpSync(join(root, 'packages/cli/dist/hook.cjs'), join(folder, 'hook.cjs'))
  writeRest(folder)
}

/** Writes the hooks that `unloop init` would install, with the command of the plugin. */
function writeHooks(folder, name, command) {
  const [file] = codingAgentNamed(name).install.files('user', place, command)
  const lists = Object.entries(file.events).map(([event, entry]) => [event, [entry]])
  write(join(folder, 'hooks/hooks.json'), toJson({ hooks: Object.fromEntries(lists) }))
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}
