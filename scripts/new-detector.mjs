// `npm run new-detector stale-search` writes the source, the test and the page of a new detector, and adds its
// export. The rule it writes is a small one that works: change it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [name = ''] = process.argv.slice(2)
const variable = name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

const source = `packages/unloop/src/detectors/${name}.ts`
const test = `packages/unloop/src/detectors/${name}.test.ts`
const page = `docs/detectors/${name}.md`

if (!/^[a-z]+(-[a-z]+)*$/.test(name)) {
  fail(
    `a detector is named for what it sees, as in: npm run new-detector stale-search; got '${name}'`,
  )
}
for (const file of [source, test, page]) {
  if (existsSync(root + file)) fail(`${file} is there already`)
}

write(
  source,
  `import { defineDetector } from '../detector.js'
import { type AgentLog, sampleOf } from '../log.js'
import { callsOf, lastWhile, patientLimit, toPressure } from '../rounds.js'

export const ${variable} = defineDetector({
  name: '${name}',
  finds: 'TODO: one line for the table in the README',
  advice: 'TODO: what the model should do instead, naming only what it can see.',
  stage: 'trial',
  plane: 'calls',
  on: ['tool-call', 'tool-result', 'turn-start'],

  // TODO: say where the number comes from
  options: { limit: 3 },

  start: () => ({}),

  observe(_state, _event, { log, options }) {
    const last = log.completed
    const row = rowOf(log)
    if (!last || row.length < patientLimit(log, options.limit)) return
    return {
      kind: '${name}',
      detail: \`\${callsOf(last)} \${row.length} times in a row\`,
      identity: last.key,
      count: row.length,
      period: 1,
      since: row[0]?.number ?? last.number,
      sample: sampleOf(log),
      tool: last.name,
      keys: [last.key],
    }
  },

  pressure(_state, { log, options }) {
    return toPressure(rowOf(log).length, patientLimit(log, options.limit))
  },
})

/** TODO: the last rounds that belong together, oldest first; ARCHITECTURE.md tells what a round knows. */
const rowOf = ({ rounds }: AgentLog) => lastWhile(rounds, ({ key }) => key === rounds.at(-1)?.key)
`,
)

write(
  test,
  `import { testDetector } from '../../test/detector.js'
import { call, result, times } from '../../test/events.js'
import { ${variable} } from './${name}.js'

testDetector(${variable}(), {
  trips: { 'on the third of the same calls': times(3, [call('read', { path: 'a' }), result('x')]) },
  quiet: {
    'when the calls differ': times(9, (lap) => [call('read', { path: \`\${lap}\` }), result('x')]),
  },
})
`,
)

write(
  page,
  `# ${name}

TODO: what it finds, in one or two sentences.

## Why it matters

TODO: what it costs when nobody sees it.

## Trips

\`\`\`jsonl trips
{"type": "tool-call", "name": "read", "args": {"path": "a"}}
{"type": "tool-result", "output": "x"}
{"type": "tool-call", "name": "read", "args": {"path": "a"}}
{"type": "tool-result", "output": "x"}
{"type": "tool-call", "name": "read", "args": {"path": "a"}}
{"type": "tool-result", "output": "x"}
\`\`\`

## Quiet

\`\`\`jsonl quiet
{"type": "tool-call", "name": "read", "args": {"path": "a"}}
{"type": "tool-result", "output": "x"}
{"type": "tool-call", "name": "read", "args": {"path": "b"}}
{"type": "tool-result", "output": "x"}
\`\`\`

## Options

| option | default | meaning |
| --- | --- | --- |
| \`limit\` | 3 | TODO |

## Known misses

- TODO
`,
)

const detectorFile = /'\.\/detectors\/(.*)\.js'/
const publicName = /^ {6}'(.+)',$/
insertSorted(
  'packages/unloop/src/index.ts',
  `export { ${variable} } from './detectors/${name}.js'`,
  detectorFile,
)
insertSorted(
  'packages/unloop/src/detectors.ts',
  `import { ${variable} } from './detectors/${name}.js'`,
  detectorFile,
)
insertSorted('packages/unloop/test/conformance.test.ts', `      '${variable}',`, publicName)
appendToList('packages/unloop/src/detectors.ts', /(export const detectors: .*= \[[^\]]*?),?(\s*\])/)

console.log(`
next: npm run format
      npx vitest run ${name}
      npm run readme-table, when 'finds' is written
      write it with defineRowDetector (packages/unloop/src/row.ts) once it is stable, if it is about rounds`)

function write(file, text) {
  writeFileSync(root + file, text)
  console.log(`wrote   ${file}`)
}

/** Puts a line where it belongs in the first block of lines like it, which are sorted by what the pattern captures. */
function insertSorted(file, line, pattern) {
  const lines = readFileSync(root + file, 'utf8').split('\n')
  const key = (text) => pattern.exec(text)?.[1]
  let at = lines.findIndex(key)
  while (key(lines[at]) < key(line)) at++
  lines.splice(at, 0, line)
  writeFileSync(root + file, lines.join('\n'))
  console.log(`changed ${file}`)
}

function appendToList(file, pattern) {
  const before = readFileSync(root + file, 'utf8')
  if (!pattern.test(before))
    fail(`found no list of detectors in ${file}; add ${variable}() by hand`)
  writeFileSync(root + file, before.replace(pattern, `$1, ${variable}()$2`))
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
