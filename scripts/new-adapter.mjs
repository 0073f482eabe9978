// `npm run new-adapter my-sdk` writes the source, the test and the page of an adapter, and adds its subpath. The adapter
// guards an SDK with one seam, a function that runs a tool: replace it with the seams your SDK has.
import { change, insertBefore, readName, tellNext, writeNew } from './new-files.mjs'

const { name, variable } = readName('adapter', 'my-sdk')
const folder = `packages/unloop/src/adapters/${name}`
const page = `docs/adapters/${name}.md`
const type = variable.replace(/^./, (letter) => letter.toUpperCase())

writeNew({
  [`${folder}/index.ts`]: `import type { Guard } from '../../guard.js'
import { runOf } from '../../host/run.js'
import type { Any } from '../shared/any.js'
import { checkGiven } from '../shared/given.js'

export { type Outcome, outcomeOf } from '../../host/run.js'

/** The fields we read of the SDK's type; TODO: hold them against the real one in \`${name}.test-d.ts\`. */
interface ${type}Agent {
  runTool(call: ${type}Call): Promise<string>
}

interface ${type}Call {
  name: string
  args: Any
}

/**
 * The same agent, guarded: a call that is part of a loop is answered with the reason, and advice follows the answer of a
 * tool. End your loop when \`guard.stopped\` is true.
 *
 * @example
 * const guard = createGuard()
 * const agent = guardAgent(guard, create${type}())
 */
export function guardAgent<Agent extends ${type}Agent>(guard: Guard, agent: Agent): Agent {
  checkGiven('guardAgent', 'an agent', agent, typeof agent?.runTool === 'function')
  const run = runOf(guard, '${name}')

  async function runTool({ name, args }: ${type}Call) {
    // some servers give every call the same id; this number is in the guard's snapshot too
    const id = \`${name} \${guard.events}\`
    const see = (output: string, isError = false) =>
      run.decide({ type: 'tool-result', id, name, output, isError })
    const verdict = run.decide({ type: 'tool-call', id, name, args })
    if ('reason' in verdict) {
      see(verdict.reason, true)
      return verdict.reason
    }
    let output: string
    try {
      output = await agent.runTool({ name, args })
    } catch (error) {
      see(String(error), true)
      throw error
    }
    const judged = see(output)
    if ('reason' in judged) return judged.reason
    const advice = run.takeAdvice()
    return advice === undefined ? output : \`\${output}\\n\\n\${advice}\`
  }

  return new Proxy(agent, {
    get: (target, property) =>
      property === 'runTool' ? runTool : Reflect.get(target, property, target),
  })
}
`,
  [`${folder}/${name}.test.ts`]: `import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { type Program, testAdapter } from '../../../test/adapters/test-adapter.js'
import { createGuard } from '../../guard.js'
import { guardAgent, outcomeOf } from './index.js'

type Agent = Parameters<typeof guardAgent>[1]

/** TODO: the program of a user, on the real SDK. Install it as a devDependency, pinned to one version. */
async function run({ url, guard, prompt, signal, readFile }: Program): Promise<string> {
  const plain: Agent = { runTool: async ({ args }) => readFile(args.path) }
  const agent = guard ? guardAgent(guard, plain) : plain
  const model = new OpenAI({ apiKey: 'none', baseURL: \`\${url}/v1\`, maxRetries: 0 })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }]
  for (;;) {
    const request = { model: 'gpt-5', messages }
    const { choices } = await model.chat.completions.create(request, { signal })
    const message = choices[0]?.message
    if (!message?.tool_calls) return message?.content ?? ''
    messages.push(message)
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      const args = JSON.parse(call.function.arguments)
      const content = await agent.runTool({ name: call.function.name, args })
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
    if (guard?.stopped) return 'stopped'
  }
}

// what every adapter must do; set to true what yours can do, and the suite tests that too
testAdapter('${name}', { streams: false, tellsRunsApart: false, seesRounds: false, run })

it('answers a repeated call with the reason, and says how the run ended', async () => {
  const guard = createGuard()
  let runs = 0
  const agent = guardAgent<Agent>(guard, {
    async runTool() {
      runs++
      return 'x'
    },
  })
  for (let n = 0; n < 9; n++) await agent.runTool({ name: 'read', args: { path: 'a' } })
  expect(runs).toBeLessThan(9)
  expect(outcomeOf(guard)).toBe('stopped')
})
`,
  [page]: `# ${type}

\`unloop/${name}\`, for TODO: which package and which versions.

\`\`\`ts
import { createGuard } from 'unloop'
import { guardAgent } from 'unloop/${name}'

const guard = createGuard()
const guarded = guardAgent(guard, agent)
\`\`\`

A guard belongs to one run.

| what the guard says | what happens |
| --- | --- |
| \`warn\` | the advice follows the tool's answer |
| \`block\` | the tool does not run; its answer is the reason |
| \`ask\`, \`stop\` | the same for every call from then on; end your loop when \`guard.stopped\` is true |

\`outcomeOf(guard)\` says how the run ended: \`ok\`, \`cut\`, \`stopped\` or \`unguarded\`.

## What it cannot do

- TODO
`,
})

change('packages/unloop/package.json', (text) => {
  const manifest = JSON.parse(text)
  const built = `./dist/adapters/${name}/index`
  manifest.exports = sorted(manifest.exports, `./${name}`, {
    import: { types: `${built}.d.ts`, default: `${built}.js` },
    require: { types: `${built}.d.cts`, default: `${built}.cjs` },
  })
  const types = manifest.typesVersions['*']
  manifest.typesVersions['*'] = sorted(types, name, [`${built}.d.ts`])
  return `${JSON.stringify(manifest, null, 2)}\n`
})
change(
  'README.md',
  insertBefore(
    `| [\`unloop/${name}\`](${page}) | \`guardAgent(guard, agent)\` |`,
    /^\| \[`unloop\/mcp`\]/,
  ),
)
change('docs/README.md', (text) =>
  text.replace('[MCP](adapters/mcp.md)', `[${type}](adapters/${name}.md) · [MCP](adapters/mcp.md)`),
)

tellNext(
  `write the program in ${folder}/${name}.test.ts on the real SDK`,
  `write ${folder}/index.ts until \`npx vitest run adapters/${name}\` is green`,
  `hold the types you read against the SDK in ${folder}/${name}.test-d.ts, as the other adapters do`,
  `write ${page}, and an example in examples/`,
  'npm run format && npm run generate && npm run check',
)

/** The entries with one more, where it belongs among those that are sorted. */
function sorted(entries, key, value) {
  const all = Object.entries(entries)
  const at = all.findIndex(([other]) => other > key && other !== './package.json')
  return Object.fromEntries(all.toSpliced(at < 0 ? all.length : at, 0, [key, value]))
}
