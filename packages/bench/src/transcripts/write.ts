import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { codeLines } from '../cases/code.js'
import { prose } from '../prose.js'
import { createRandom, type Random } from '../random.js'

/** A step of a session as any format would record it. */
interface Step {
  index: number
  at: string
  request: string | undefined
  words: string
  /** what the model thought, in short, and sealed by the provider */
  thought: string
  sealed: string
  name: string
  args: object
  output: string
  /** what Claude Code keeps of the answer in addition to what the model sees */
  kept: object
}

const FORMATS = { 'claude-code': claudeLines, codex: codexLines, 'event-lines': eventLines }

export type WrittenFormat = keyof typeof FORMATS
export const writtenFormats = Object.keys(FORMATS) as WrittenFormat[]

/** Writes an ordinary session of at least this many bytes, line by line; the same seed gives the same file. */
export async function writeSession(
  path: string,
  format: WrittenFormat,
  bytes: number,
  seed: number,
): Promise<void> {
  const file = createWriteStream(path)
  const random = createRandom(seed)
  // both are slow to create, and the reader does not care, so stretches of them are reused
  const source = createRandom(seed + 1)
  const material = {
    text: prose(source, 200_000),
    code: codeLines(source, 'ts', 8000),
    sealed: source.hex(100_000),
  }
  for (let index = 0, written = 0; written < bytes; index++) {
    const step = makeStep(random, material, index)
    for (const line of FORMATS[format](step)) {
      const json = `${JSON.stringify(line)}\n`
      written += json.length
      if (!file.write(json)) await once(file, 'drain')
    }
  }
  file.end()
  await once(file, 'finish')
}

interface Material {
  text: string
  code: readonly string[]
  sealed: string
}

// a request for every twenty calls; lines of a file that is read, of an edit, of what a command prints
const STEPS_A_REQUEST = 20
const WORDS = [80, 600] as const
const THOUGHT = [60, 240] as const
const SEALED = [600, 2400] as const
const READ = [20, 250] as const
const EDITED = [2, 12] as const
const PRINTED = [3, 60] as const

function makeStep(random: Random, { text, code, sealed }: Material, index: number): Step {
  const stretch = (from: string, range: readonly [number, number]) => {
    const length = random.int(...range)
    const start = random.int(0, from.length - length)
    return from.slice(start, start + length)
  }
  const lines = (range: readonly [number, number]) => {
    const count = random.int(...range)
    const start = random.int(0, code.length - count)
    return code.slice(start, start + count)
  }
  const path = `/home/ada/shop/src/${random.hex(6)}.ts`
  const frame = {
    index,
    at: new Date(1_793_000_000_000 + index * 7000).toISOString(),
    request: index % STEPS_A_REQUEST === 0 ? stretch(text, WORDS) : undefined,
    words: stretch(text, WORDS),
    thought: stretch(text, THOUGHT),
    sealed: stretch(sealed, SEALED),
  }
  const kind = random.pick(['read', 'edit', 'run'])
  if (kind === 'read') {
    const content = lines(READ)
    const args = { file_path: path, offset: random.int(0, 900) }
    const file = { filePath: path, content: content.join('\n'), numLines: content.length }
    return { ...frame, name: 'Read', args, output: numbered(content), kept: { type: 'text', file } }
  }
  if (kind === 'run') {
    const command = `npm test -- ${path} && git diff --stat`
    const stdout = lines(PRINTED).join('\n')
    const kept = { stdout, stderr: '', interrupted: false, isImage: false }
    return { ...frame, name: 'Bash', args: { command }, output: stdout, kept }
  }
  const [before, after] = [lines(EDITED), lines(EDITED)]
  const [oldString, newString] = [before.join('\n'), after.join('\n')]
  const patch = [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)]
  return {
    ...frame,
    name: 'Edit',
    args: { file_path: path, old_string: oldString, new_string: newString },
    output: `The file ${path} has been updated. Here is a snippet of it:\n${numbered(after)}`,
    kept: {
      filePath: path,
      oldString,
      newString,
      originalFile: lines(READ).join('\n'),
      structuredPatch: [{ oldStart: 1, newStart: 1, lines: patch }],
    },
  }
}

const numbered = (lines: readonly string[]) =>
  lines.map((line, i) => `${String(i + 1).padStart(6)}→${line}`).join('\n')

function claudeLines({ index, at, request, words, name, args, output, kept }: Step): object[] {
  const frame = (type: string, uuid: string, parentUuid: string | null, message: object) => ({
    parentUuid,
    isSidechain: false,
    userType: 'external',
    cwd: '/home/ada/shop',
    sessionId: '5f0c2f0e-6c1b-4b7c-9a35-0d6f6e1f0a11',
    version: '2.1.4',
    gitBranch: 'main',
    type,
    message,
    uuid,
    timestamp: at,
  })
  const id = (letter: string, n = index) => `${letter}${n}-6c1b-4b7c-9a35-0d6f6e1f0a11`
  const parent = request === undefined ? id('r', index - 1) : id('u')
  const usage = { input_tokens: 4, cache_read_input_tokens: 40_000, output_tokens: 200 }
  const answer = (block: object) => ({
    id: `msg_${index}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content: [block],
    stop_reason: null,
    usage,
  })
  const call = { type: 'tool_use', id: `toolu_${index}`, name, input: args }
  const result = { tool_use_id: `toolu_${index}`, type: 'tool_result', content: output }
  return [
    ...(request === undefined
      ? []
      : [
          frame('user', id('u'), index === 0 ? null : id('r', index - 1), {
            role: 'user',
            content: request,
          }),
        ]),
    frame('assistant', id('a'), parent, answer({ type: 'text', text: words })),
    frame('assistant', id('b'), id('a'), answer(call)),
    {
      ...frame('user', id('r'), id('b'), { role: 'user', content: [result] }),
      toolUseResult: kept,
    },
  ]
}

function codexLines(step: Step): object[] {
  const { index, at, request, words, thought, sealed, name, args, output } = step
  const line = (type: string, payload: object) => ({ timestamp: at, type, payload })
  const message = (role: string, type: string, text: string) =>
    line('response_item', { type: 'message', role, content: [{ type, text }] })
  const call_id = `call_${index}`
  const last_token_usage = { input_tokens: 40_000, cached_input_tokens: 39_000, output_tokens: 200 }
  const total = 40_000 * (index + 1)
  const total_token_usage = {
    input_tokens: total,
    cached_input_tokens: total,
    output_tokens: index,
  }
  return [
    ...(index === 0
      ? [line('session_meta', { id: 's', cwd: '/home/ada/shop', source: 'cli' })]
      : []),
    ...(request === undefined
      ? []
      : [
          line('turn_context', { cwd: '/home/ada/shop', model: 'gpt-5-codex', effort: 'high' }),
          message('user', 'input_text', request),
          line('event_msg', { type: 'user_message', message: request }),
        ]),
    line('response_item', {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: thought }],
      encrypted_content: sealed,
    }),
    message('assistant', 'output_text', words),
    line('event_msg', { type: 'agent_message', message: words }),
    line('response_item', {
      type: 'function_call',
      name,
      arguments: JSON.stringify(args),
      call_id,
    }),
    line('event_msg', { type: 'token_count', info: { total_token_usage, last_token_usage } }),
    line('response_item', { type: 'function_call_output', call_id, output }),
  ]
}

function eventLines({ index, at, request, words, name, args, output }: Step): object[] {
  const time = Date.parse(at)
  const id = String(index)
  return [
    ...(request === undefined ? [] : [{ type: 'prompt', at: time, text: request }]),
    { type: 'turn-start', at: time },
    { type: 'text', at: time, text: words },
    { type: 'tool-call', at: time, id, name, args },
    { type: 'tool-result', at: time, id, output },
  ]
}
