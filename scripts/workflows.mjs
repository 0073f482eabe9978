// The files below .github are valid YAML, run scripts that exist, and name actions by major version.
import { readdirSync, readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'

const root = new URL('..', import.meta.url)
const { scripts } = readJson('package.json')
const problems = []

const files = readdirSync(new URL('.github', root), { recursive: true })
  .map((file) => `.github/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.yml'))
for (const file of files) check(file)
for (const problem of problems) console.error(problem)
console.log(`${files.length} files below .github, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0

function check(file) {
  const document = parseDocument(readFileSync(new URL(file, root), 'utf8'))
  for (const { message } of [...document.errors, ...document.warnings]) {
    problems.push(`${file}: ${message}`)
  }
  if (document.errors.length > 0) return
  const content = document.toJS()
  if (file.startsWith('.github/workflows/')) checkWorkflow(file, content)
  if (file.startsWith('.github/ISSUE_TEMPLATE/') && !file.endsWith('/config.yml')) {
    checkForm(file, content)
  }
}

function checkWorkflow(file, { on, permissions, jobs }) {
  if (!on) problems.push(`${file}: does not say when it runs`)
  if (permissions?.contents !== 'read') problems.push(`${file}: permissions should be read-only`)
  for (const [name, { 'runs-on': machine, steps = [] }] of Object.entries(jobs)) {
    if (!machine || steps.length === 0) problems.push(`${file}: ${name} needs runs-on and steps`)
    for (const { uses, run } of steps) {
      if ((uses === undefined) === (run === undefined)) {
        problems.push(`${file}: a step of ${name} needs either uses or run`)
      }
      if (uses && !/^[\w-]+\/[\w-]+@v\d+$/.test(uses)) {
        problems.push(`${file}: ${uses} should end in a major version, as in actions/checkout@v6`)
      }
      if (/secrets\./.test(run)) problems.push(`${file}: ${name} should not need a secret`)
      checkScripts(file, run ?? '')
    }
  }
}

function checkScripts(file, run) {
  for (const [, name, workspace] of run.matchAll(/npm run ([\w:-]+)(?: -w (\S+))?/g)) {
    const known = workspace ? manifestOf(workspace)?.scripts : scripts
    if (!known?.[name]) problems.push(`${file}: there is no script '${name}' for '${run}'`)
  }
  for (const [, script] of run.matchAll(/node (scripts\/\S+)/g)) {
    if (!readdirSync(new URL('scripts', root)).includes(script.slice('scripts/'.length))) {
      problems.push(`${file}: there is no ${script}`)
    }
  }
  if (!run.startsWith('npm publish')) return
  const published = [...run.matchAll(/-w (\S+)/g)].map(([, name]) => name)
  const wanted = manifests().filter((one) => !one.private)
  for (const { name } of wanted) {
    if (!published.includes(name)) problems.push(`${file}: ${name} is not published`)
  }
}

function checkForm(file, { name, description, body }) {
  if (!name || !description) problems.push(`${file}: needs a name and a description`)
  const ids = body.map(({ id }) => id)
  if (new Set(ids).size < ids.length) problems.push(`${file}: two fields have the same id`)
  for (const { type, attributes } of body) {
    if (!['input', 'textarea', 'dropdown', 'checkboxes', 'markdown'].includes(type)) {
      problems.push(`${file}: GitHub has no field of type ${type}`)
    }
    if (!attributes?.label) problems.push(`${file}: a ${type} has no label`)
  }
}

function manifestOf(workspace) {
  return manifests().find(({ name }) => name === workspace)
}

function manifests() {
  const folders = readdirSync(new URL('packages', root))
  return folders.map((folder) => readJson(`packages/${folder}/package.json`))
}

function readJson(path) {
  return JSON.parse(readFileSync(new URL(path, root), 'utf8'))
}
