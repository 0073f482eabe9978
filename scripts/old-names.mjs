// No page, message or source uses a name that was given up. The names are in old-names.json:
//   old, new    what to write instead of what, for the message
//   pattern     a regular expression that finds the old name, and nothing else
//   in          a regular expression for paths; everywhere if absent
//   pending     the renaming is under way: places are counted, and nothing fails
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const names = JSON.parse(readFileSync(new URL('old-names.json', import.meta.url), 'utf8'))
const texts = [...files(), ...helpTexts()]

let failed = 0
for (const { old, new: now, pattern, in: where = '', pending = false } of names) {
  const inPlaces = texts.filter(([path]) => new RegExp(where).test(path))
  const uses = inPlaces.flatMap(([path, text]) => usesOf(new RegExp(pattern, 'g'), path, text))
  if (pending) {
    const left = uses.length > 0 ? `${uses.length} places left` : 'none left, remove "pending"'
    console.log(`pending: ${old} → ${now}: ${left}`)
    if (process.argv.includes('--all')) for (const use of uses) console.log(`  ${use}`)
    continue
  }
  for (const use of uses) console.error(`${use}: ${old} is now ${now}`)
  failed += uses.length
}
console.log(`${names.length} old names in ${texts.length} texts, ${failed} uses`)
process.exitCode = failed > 0 ? 1 : 0

function usesOf(pattern, path, text) {
  return [...text.matchAll(pattern)].map(
    ({ index }) => `${path}:${text.slice(0, index).split('\n').length}`,
  )
}

/** Everything a person writes, but not what tells of the past: the changelog and the decisions. */
function files() {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const past = /^(CHANGELOG\.md|docs\/decisions\/|scripts\/old-names\.|package-lock\.json)/
  const text = /\.(md|[cm]?[jt]sx?|json|yml|html|css)$/
  return [...new Set(listed.split('\0'))]
    .filter((path) => text.test(path) && !past.test(path) && !path.includes('/fixtures/'))
    .filter((path) => existsSync(root + path))
    .map((path) => [path, readFileSync(root + path, 'utf8')])
}

/** What each command of the CLI says of itself. */
function helpTexts() {
  const main = help()
  const commands = [...main.slice(main.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) {2}/gm)]
  return [
    ['unloop --help', main],
    ...commands.map(([, name]) => [`unloop ${name} --help`, help(name)]),
  ]
}

function help(...command) {
  const args = [`${root}packages/cli/bin/unloop.js`, ...command, '--help']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`unloop ${command.join(' ')} --help failed: ${stderr}`)
  return stdout
}
