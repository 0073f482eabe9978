import { basename, join, resolve } from 'node:path'
import { emitAnswer, emitResults } from '../anthropic-blocks.js'
import { createCursorBlocks, cursorRequest, startsCursorBlock } from '../cursor-text.js'
import type { RecordFormat, Sink } from '../format.js'
import { isObject, type Json, objectOf, textOf } from '../json.js'
import type { FormatLocation, Machine } from '../location.js'
import { setOutcome } from '../outcome.js'
import { readBeside } from '../read-beside.js'
import { stamp } from '../stamp.js'
import type { Outcome, Run } from '../transcript.js'

/** Cursor and its command line: what was said and called, one message a line. */
export const cursor: RecordFormat = {
  name: 'cursor',
  title: 'Cursor',
  stage: 'experimental',
  container: 'records',
  layouts: ['lines'],
  detect: ({ records }) => records.some(isOurs),
  locations: (machine) => [transcriptsIn(machine, /\.jsonl$(?<=\/agent-transcripts\/.*)/)],
  start: async (sink, path) => ({ read: createReader(sink, await runAt(sink, path)) }),
}

/** Cursor before it wrote lines: the same as a text. */
export const cursorText: RecordFormat = {
  name: 'cursor-text',
  title: 'Cursor text',
  stage: 'experimental',
  container: 'records',
  layouts: ['text'],
  detect: ({ text }) => /^user:[ \t\r]*\n/.test(text.slice(0, 40)) && text.includes('<user_query>'),
  startsBlock: startsCursorBlock,
  locations: (machine) => [
    { program: 'cursor', ...transcriptsIn(machine, /\.txt$(?<=\/agent-transcripts\/.*)/) },
  ],
  start: async (sink, path) => ({ read: createCursorBlocks(sink, await runAt(sink, path)) }),
}

const isOurs = (record: Json) =>
  (record.role === 'user' || record.role === 'assistant') &&
  !('type' in record) &&
  isObject(record.message) &&
  Array.isArray(record.message.content) &&
  !('role' in record.message)

// projects/<project>/agent-transcripts/<session>/subagents/<session>.jsonl
const transcriptsIn = ({ env, home, join }: Machine, files: RegExp): FormatLocation => ({
  path: join(env.CURSOR_CONFIG_DIR || join(home, '.cursor'), 'projects'),
  files,
  depth: 4,
})

/** What the place of a transcript tells: its session, its project, and whose sub-agent it is. */
async function runAt(sink: Sink, path: string): Promise<Run> {
  const full = resolve(path)
  const session = basename(full).replace(/\.(?:jsonl|txt)$/, '')
  const parents = full.split(/[\\/]/)
  const root = parents.lastIndexOf('agent-transcripts')
  const isHelper = parents.at(-2) === 'subagents'
  const parent = isHelper ? parents.at(-3) : undefined
  return sink.run({
    program: 'cursor',
    session,
    ...(root > 0 && { project: await projectIn(parents.slice(0, root).join('/')) }),
    ...(isHelper && { agent: session }),
    ...(parent && { parent }),
  })
}

/** The folder that somebody trusted, or the name that Cursor made of it. */
async function projectIn(folder: string): Promise<string> {
  const { workspacePath } = objectOf(await readBeside(join(folder, '.workspace-trusted')))
  return textOf(workspacePath) ?? basename(folder)
}

function createReader(sink: Sink, run: Run) {
  return function read(line: Json): string | undefined {
    const emit = stamp(sink, run, undefined, run.agent)
    if (line.type === 'turn_ended') {
      const status = textOf(line.status) ?? ''
      setOutcome(run, ENDINGS.get(status), status)
      return void emit({ type: 'turn-end' })
    }
    const { content } = objectOf(line.message)
    if (line.role === 'assistant') {
      setOutcome(run, undefined)
      emit({ type: 'turn-start' })
      return void emitAnswer(content, emit)
    }
    if (line.role !== 'user') return
    emitResults(content, emit)
    const text = cursorRequest(content)
    if (text === undefined) return
    setOutcome(run, undefined)
    emit({ type: 'prompt', text })
  }
}

const ENDINGS = new Map<string, Outcome['kind']>([
  ['success', 'finished'],
  ['completed', 'finished'],
  ['aborted', 'aborted'],
  ['error', 'failed'],
])
