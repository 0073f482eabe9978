import { dirname, join } from 'node:path'
import { emitResults } from '../anthropic-blocks.js'
import { personIn, splitCalls, splitResult } from '../cline-text.js'
import { editorFolders } from '../editor-folders.js'
import type { RecordFormat } from '../format.js'
import { isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import type { Machine } from '../location.js'
import { requestOf } from '../person.js'
import { emitSpent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import { emitMessage } from './anthropic-messages.js'
import { factsOfTask, learnFrom } from './cline-task.js'
import { readUi } from './cline-ui.js'

/** Cline, Roo Code and their kin: the messages of a task; the tokens stand in a file beside it. */
export const cline: RecordFormat = {
  name: 'cline',
  title: 'Cline, Roo Code, Kilo Code',
  stage: 'stable',
  container: 'records',
  layouts: ['document'],
  detect: ({ records, isArray }) => isArray && records.some(isOurs),
  locations: (machine) =>
    storageFolders(machine).map(({ program, folder }) => ({
      program,
      path: machine.join(folder, 'tasks'),
      files: /\/api_conversation_history\.json$/,
      depth: 1,
    })),

  async start(sink, path) {
    const { costs, outcome } = await readUi(join(dirname(path), 'ui_messages.json'))
    const run = sink.run({ ...(await factsOfTask(path)), ...(outcome && { outcome }) })
    let answers = 0
    return {
      read(message) {
        const at = timeOf(message.ts)
        if (at !== undefined) run.startedAt ??= at
        const emit = stamp(sink, run, at, run.agent)
        learnFrom(run, message, message.role === 'user' ? textsOf(message.content) : [])
        if (message.role === 'user') return readUser(message, emit)
        if (message.role !== 'assistant') return 'not a message'
        readAnswer(message, emit)
        const cost = costs[answers++]
        if (cost) emitSpent(emit, cost, undefined, run.model)
      },
      /** Requests without an answer among the messages were paid as well. */
      end() {
        const emit = stamp(sink, run, undefined, run.agent)
        for (const cost of costs.slice(answers)) emitSpent(emit, cost, undefined, run.model)
      },
    }
  },
}

function isOurs({ role, content, ts }: Json): boolean {
  if (role !== 'user') return false
  const texts = textsOf(content)
  if (texts.some((text) => text.includes('<environment_details>'))) return true
  return numberOf(ts) !== undefined && texts.some((text) => /^<(?:task|user_message)>/.test(text))
}

const textsOf = (content: unknown): string[] =>
  typeof content === 'string'
    ? [content]
    : listOf(content).flatMap((block) => textOf(objectOf(block).text) ?? [])

function readAnswer(message: Json, emit: Emit): void {
  const hasCalls = listOf(message.content).some((block) => objectOf(block).type === 'tool_use')
  if (hasCalls) return emitMessage(message, emit)
  emit({ type: 'turn-start' })
  for (const block of listOf(message.content)) {
    const thought = isObject(block) ? (textOf(block.thinking) ?? reasoningOf(block)) : undefined
    if (thought) emit({ type: 'reasoning', text: thought })
  }
  const texts = textsOf(message.content).filter((_, i) => !isReasoning(listOf(message.content)[i]))
  const { thought, words, call } = splitCalls(texts.join('\n'))
  if (thought !== '') emit({ type: 'reasoning', text: thought })
  if (words !== '') emit({ type: 'text', text: words })
  if (call) emit({ type: 'tool-call', ...call })
}

const isReasoning = (block: unknown) => objectOf(block).type === 'reasoning'
const reasoningOf = (block: Json) => (isReasoning(block) ? textOf(block.text) : undefined)

function readUser(message: Json, emit: Emit): undefined {
  const hasResults = emitResults(message.content, emit)
  const texts = textsOf(message.content).filter((text) => !text.startsWith('<environment_details>'))
  const [first = '', ...rest] = texts
  const result = hasResults ? undefined : splitResult(first)
  if (result) {
    const output = [result.output, ...rest].join('\n').trim()
    const isError = output.slice(0, 200).includes('tool execution failed')
    emit({ type: 'tool-result', name: result.name, output, ...(isError && { isError }) })
  }
  const all = texts.join('\n')
  const request = personIn(all) ?? (result || hasResults ? undefined : requestOf(all))
  // what the program tells the model stands in brackets
  if (request && !/^\[[A-Z ]{4,}\]/.test(request)) emit({ type: 'prompt', text: request })
}

const EXTENSIONS = [
  { program: 'cline', name: 'saoudrizwan.claude-dev' },
  { program: 'roo-code', name: 'rooveterinaryinc.roo-cline' },
  { program: 'kilo-code', name: 'kilocode.kilo-code' },
]

function storageFolders(machine: Machine) {
  const { env, home, join } = machine
  return [
    { program: 'cline', folder: join(env.CLINE_DIR || join(home, '.cline'), 'data') },
    { program: 'kilo-code', folder: join(home, '.kilocode', 'cli', 'global') },
    ...editorFolders(machine).flatMap((user) =>
      EXTENSIONS.map(({ program, name }) => ({
        program,
        folder: join(user, 'globalStorage', name),
      })),
    ),
  ]
}
