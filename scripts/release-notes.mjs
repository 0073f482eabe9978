// `node scripts/release-notes.mjs v0.2.0` prints what CHANGELOG.md says about a version. Fails if the tag is not the version of
// the library, or if the changelog has no dated section for it.
import { readFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)
const [tag = ''] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(new URL('packages/unloop/package.json', root), 'utf8'))
const sections = readFileSync(new URL('CHANGELOG.md', root), 'utf8').split(/^## /m)
const notes = sections.find(
  (section) => /^\S+, \d{4}-\d\d-\d\d\n/.test(section) && section.startsWith(`${version},`),
)

if (tag !== `v${version}`) fail(`the tag should be v${version}, got '${tag}'`)
else if (!notes) fail(`CHANGELOG.md has no section '## ${version}, 2026-12-31'`)
else console.log(notes.slice(notes.indexOf('\n')).trim())

function fail(message) {
  console.error(message)
  process.exitCode = 1
}
