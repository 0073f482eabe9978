// `npm run new-dialect my-agent` adds the wording of a family of tools: an entry, its examples, and a line on the page. The
// phrases it writes work: replace them with those of your tools.
import { change, insertBefore, readName, tellNext } from './new-files.mjs'

const { name, variable } = readName('dialect', 'my-agent')
const entries = 'packages/unloop/src/reading/answer/dialects.ts'
const examples = 'packages/unloop/test/dialect-examples.ts'
const page = 'docs/dialects.md'

change(entries, (text) => {
  if (new RegExp(`^  ${variable}: `, 'm').test(text)) return text
  const entry = `  // TODO: phrases of these tools, separated by |; docs/dialects.md has all the fields
  ${variable}: {
    frames: '<${name}-output>|</${name}-output>',
    silent: '${name} printed nothing',
    accepted: '${name} saved',
    refused: '${name} refused',
  },
`
  return insertBefore(entry, /^ {2}mcpServers: \{$/)(text)
})
change(examples, (text) => {
  const entry = `  ${variable}: {
    origin: 'TODO: which program, as owner/repository',
    examples: [
      ['<${name}-output>\\nhello\\n</${name}-output>', { body: 'hello' }],
      ['${name} printed nothing', SILENT],
      ['${name} saved notes.md', ACCEPTED],
      ['${name} refused to run rm', REFUSED],
    ],
  },`
  return insertBefore(entry, /^ {2}mcpServers: \{$/)(text)
})
change(page, (text) => {
  const row = `| \`${variable}\` | TODO: which program, as owner/repository |`
  return insertBefore(row, /^\| `mcpServers` \|/)(text)
})

tellNext(
  `replace the phrases in ${entries}`,
  `write an example of each in ${examples}, and how it must be read; do not copy a recorded run`,
  `name the origin there and in ${page}`,
  'npx vitest run dialects && npm run format && npm run check',
)
