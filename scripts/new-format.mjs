// `npm run new-format my-agent` writes the reader of a new transcript format with its test, fixture and page, and adds it
// to the lists. The reader works for the fixture: replace both with what the program really writes.
import { change, insertBefore, insertSorted, readName, tellNext, writeNew } from './new-files.mjs'

const { name, variable } = readName('format', 'my-agent')
const title = name.replace(
  /(^|-)(\w)/g,
  (_, dash, letter) => `${dash && ' '}${letter.toUpperCase()}`,
)
const source = `packages/transcripts/src/formats/${name}.ts`
const test = `packages/transcripts/test/${name}.test.ts`
const fixture = `packages/transcripts/test/fixtures/${name}.jsonl`
const page = `docs/transcripts/${name}.md`

writeNew({
  [source]: `import type { RecordFormat, Sink } from '../format.js'
import { type Json, textOf, timeOf } from '../json.js'
import { stamp } from '../stamp.js'

/** ${title}: TODO: what one line of a transcript is. */
export const ${variable}: RecordFormat = {
  name: '${name}',
  title: '${title}',
  // becomes 'stable' once it was tried on transcripts that the program wrote
  stage: 'experimental',
  container: 'records',
  layouts: ['lines'],
  detect: ({ records }) => records.some(isOurs),
  // TODO: where the program keeps its transcripts; remove it if there is no such place
  locations: ({ home, join }) => [
    { path: join(home, '.${name}', 'sessions'), files: /\\.jsonl$/, depth: 1 },
  ],
  start: (sink) => ({ read: createReader(sink) }),
}

/** TODO: what only this program writes. Formats are tried one after the other, so nothing else may match. */
const isOurs = ({ program, kind }: Json) => program === '${name}' && typeof kind === 'string'

function createReader(sink: Sink) {
  const run = sink.run({ program: '${name}' })

  /** Emits the events of one line; a reason if the line is not what it should be. */
  return function read(line: Json): string | undefined {
    const emit = stamp(sink, run, timeOf(line.time))
    const text = textOf(line.text) ?? ''
    const id = textOf(line.id) ?? ''
    switch (line.kind) {
      case 'session':
        run.session = id
        run.project = textOf(line.cwd) ?? ''
        break
      case 'user':
        emit({ type: 'prompt', text })
        break
      case 'assistant':
        emit({ type: 'turn-start' })
        emit({ type: 'text', text })
        break
      case 'call':
        emit({ type: 'tool-call', id, name: textOf(line.name) ?? '', args: line.args })
        break
      case 'result':
        emit({ type: 'tool-result', id, output: line.output })
        break
      default:
        return \`unknown kind \${JSON.stringify(line.kind)}\`
    }
  }
}
`,
  [fixture]: [
    { program: name, kind: 'session', id: 's1', cwd: '/home/ada/shop' },
    { program: name, kind: 'user', time: '2026-11-16T10:00:00Z', text: 'Why does the login fail?' },
    { program: name, kind: 'assistant', time: '2026-11-16T10:00:02Z', text: 'I will look.' },
    {
      ...{ program: name, kind: 'call', time: '2026-11-16T10:00:03Z' },
      ...{ id: 'c1', name: 'read_file', args: { path: 'login.ts' } },
    },
    {
      ...{ program: name, kind: 'result', time: '2026-11-16T10:00:04Z' },
      ...{ id: 'c1', output: 'export function login() {}' },
    },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
  [test]: `import { expect, it } from 'vitest'
import { fixture, lines, readAll, readText, told } from './read.js'

it('${name}: reads the requests, texts, calls and results of a session', async () => {
  const { items, events, summary } = await readAll(fixture('${name}.jsonl'))
  expect(summary).toMatchObject({ format: '${name}', records: 5, used: 4, bad: 0 })
  expect(items[0]?.run).toMatchObject({ session: 's1', project: '/home/ada/shop' })
  expect(told(events)).toEqual([
    'prompt Why does the login fail?',
    'turn-start',
    'text I will look.',
    'call c1 read_file {"path":"login.ts"}',
    'result c1 "export function login() {}"',
  ])
})

it('${name}: counts a line it does not understand, and reads on', async () => {
  const line = { program: '${name}', kind: 'user', text: 'Why?' }
  const { events, summary } = await readText(lines(line, { ...line, kind: 'new kind' }, line))
  expect(summary).toMatchObject({ used: 2, bad: 1, badRecords: [{ line: 2 }] })
  expect(told(events)).toEqual(['prompt Why?', 'prompt Why?'])
})
`,
  [page]: `# ${title}

\`~/.${name}/sessions/*.jsonl\`. TODO: what moves it, such as a variable of the environment.

One JSON object a line. TODO: what the program writes, and what becomes of it:

| line | event |
| --- | --- |
| \`session\` | none; it names the session and the project |
| \`user\` | \`prompt\` |
| \`assistant\` | \`turn-start\`, \`text\` |
| \`call\` | \`tool-call\` |
| \`result\` | \`tool-result\` |

## How certain

Experimental. TODO: which version of the program, and whether this is from its documentation, its source or its recordings.
`,
})

change('packages/transcripts/src/formats.ts', (text) => {
  const line = `import { ${variable} } from './formats/${name}.js'`
  const imported = insertSorted(line, /'\.\/formats\/(.*)\.js'/)(text)
  // the formats of whole programs come before plain lists of messages, which look like many things
  return insertBefore(`  ${variable},`, /^ {2}cline,$/)(imported)
})
change('docs/transcripts/index.md', (text) => {
  const row = `| ${title} | \`${name}\` | experimental | [${title}](${name}.md) |`
  return insertBefore(row, /^\| messages of OpenAI/)(text)
})

tellNext(
  `replace ${fixture} with lines that the program wrote, without names and secrets`,
  `adapt ${source} and ${test} until \`npx vitest run packages/transcripts\` is green`,
  `write ${page}`,
  'npm run format && npm run generate && npm run check',
)
