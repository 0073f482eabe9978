// What the generators share: `npm run new-detector`, `new-format`, `new-adapter` and `new-dialect`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The name on the command line, as `stale-search` and `staleSearch`. */
export function readName(kind, example) {
  const [name = '', ...rest] = process.argv.slice(2)
  if (rest.length > 0 || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    fail(
      `usage: npm run new-${kind} <name>, with a name such as ${example}; got '${[name, ...rest].join(' ')}'`,
    )
  }
  return { name, variable: name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()) }
}

/** Writes files that must not exist yet: path to text. */
export function writeNew(files) {
  const taken = Object.keys(files).find((file) => existsSync(root + file))
  if (taken) fail(`${taken} already exists; choose another name, or edit that file`)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(root + file), { recursive: true })
    writeFileSync(root + file, text)
    console.log(`wrote   ${file}`)
  }
}

/** Changes a file; it must change. */
export function change(file, edit) {
  const before = readFileSync(root + file, 'utf8')
  const after = edit(before)
  if (after === before)
    fail(`${file} does not look as expected; see CONTRIBUTING.md for what to add by hand`)
  writeFileSync(root + file, after)
  console.log(`changed ${file}`)
}

/** Puts a line in its place in the first block of lines that match the pattern, sorted by what it captures. */
export const insertSorted = (line, pattern) => (text) => {
  const lines = text.split('\n')
  const key = (one) => (one === undefined ? undefined : pattern.exec(one)?.[1])
  let at = lines.findIndex((one) => key(one) !== undefined)
  if (at < 0) return text
  while (key(lines[at]) !== undefined && key(lines[at]) < key(line)) at++
  lines.splice(at, 0, line)
  return lines.join('\n')
}

/** Puts a line in front of the first line that matches. */
export const insertBefore = (line, pattern) => (text) => {
  const lines = text.split('\n')
  const at = lines.findIndex((one) => pattern.test(one))
  return at < 0 ? text : lines.toSpliced(at, 0, line).join('\n')
}

/** Tells what to do next, a step a line. */
export function tellNext(...steps) {
  console.log(`\nNext:\n${steps.map((step, at) => `  ${at + 1}. ${step}`).join('\n')}`)
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
