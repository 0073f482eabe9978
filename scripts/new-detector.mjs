// `npm run new-detector stale-search` writes the source, the test and the page of a new detector, and adds it to the lists.
// The rule it writes is a small one that works: replace it with yours.
import { change, insertBefore, insertSorted, readName, tellNext, writeNew } from './new-files.mjs'

const { name, variable } = readName('detector', 'stale-search')
const source = `packages/unloop/src/detectors/${name}.ts`
const test = `packages/unloop/src/detectors/${name}.test.ts`
const page = `docs/detectors/${name}.md`

writeNew({
  [source]: `import { callsOf, isSameAnswer, lastWhile, patientLimit } from '../rounds/rounds.js'
import { defineRowDetector } from '../row.js'

export const ${variable} = defineRowDetector({
  name: '${name}',
  finds: 'TODO: one line for the table of detectors',
  advice: 'TODO: what the model should do instead, naming only what it can see.',
  // off by default, until the numbers on the corpus say otherwise
  stage: 'trial',

  // TODO: say where each number comes from
  options: { likely: 3, limit: 5 },

  rows(log, { likely, limit }) {
    const last = log.rounds.at(-1)
    if (!last) return []
    // TODO: which of the last rounds belong together; rounds.ts has the questions to ask about a round
    const rounds = lastWhile(
      log.rounds,
      (round) => round.key === last.key && isSameAnswer(round, last),
    )
    return [
      {
        kind: '${name}',
        rounds,
        // as many are proof, and as many are a reason for advice
        limit: patientLimit(log, limit),
        likely: patientLimit(log, likely),
        detail: () => \`\${callsOf(last)} \${rounds.length} times in a row with the same answer\`,
      },
    ]
  },
})
`,
  [test]: `import { testDetector } from '../../test/detector.js'
import { step, times } from '../../test/events.js'
import { ${variable} } from './${name}.js'

const look = (path: string) => step('read', { path }, 'x')

// the last event of each case is the one that shows the loop
testDetector(${variable}(), {
  trips: { 'on the fifth of the same calls': times(5, look('a')) },
  advises: { 'on the third of the same calls': times(3, look('a')) },
  quiet: { 'when the calls differ': times(9, (lap) => look(\`\${lap}\`)) },
})
`,
  [page]: `# ${name}

TODO: what it finds, in one or two sentences.

## Why it matters

TODO: what it costs when nobody sees it.

## Advises

\`\`\`jsonl advises
x3:
  {"type": "tool-call", "name": "read", "args": {"path": "a"}}
  {"type": "tool-result", "output": "x"}
\`\`\`

## Trips

\`\`\`jsonl trips
x5:
  {"type": "tool-call", "name": "read", "args": {"path": "a"}}
  {"type": "tool-result", "output": "x"}
\`\`\`

## Quiet

\`\`\`jsonl quiet
x9:
  {"type": "tool-call", "name": "read", "args": {"path": "{word}"}}
  {"type": "tool-result", "output": "x"}
\`\`\`

## Options

| option | default | meaning |
| --- | --- | --- |
| \`likely\` | 3 | TODO: such rounds in a row, advice |
| \`limit\` | 5 | TODO: the same, certain |

## Known misses

- TODO
`,
})

const file = /'\.\/detectors\/(.*)\.js'/
change(
  'packages/unloop/src/index.ts',
  insertSorted(`export { ${variable} } from './detectors/${name}.js'`, file),
)
change('packages/unloop/src/detectors.ts', (text) => {
  const imported = insertSorted(`import { ${variable} } from './detectors/${name}.js'`, file)(text)
  // behind those about calls
  return insertBefore(`  ${variable}(),`, /^ {2}chanting\(\),$/)(imported)
})
change(
  'packages/unloop/test/conformance.test.ts',
  insertSorted(`      '${variable}',`, /^ {6}'(.+)',$/),
)

tellNext(
  `write the cases in ${test}: what must trip, what must not`,
  `write the rule in ${source} until \`npx vitest run ${name}\` is green`,
  `write ${page}; its traces are tests too: npx vitest run pages conformance`,
  'npm run format && npm run generate && npm run check',
)
