import { dirname, resolve } from 'node:path'
import type { RecordFormat, Sink } from '../format.js'
import { type Json, textOf } from '../json.js'
import type { FormatLocation } from '../location.js'
import { setOutcome } from '../outcome.js'
import { requestOf } from '../person.js'
import { emitSpent, type Spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

const HEADING = '# aider chat started at '

/** Aider: the Markdown that it keeps in a project, with one session after the other. */
export const aider: RecordFormat = {
  name: 'aider',
  title: 'Aider',
  stage: 'stable',
  container: 'records',
  layouts: ['text'],
  detect: ({ text }) => text.startsWith(HEADING),
  startsBlock(line, before) {
    if (line.startsWith(HEADING)) return 'session'
    const kind = kindOf(line)
    return kind === before ? undefined : kind
  },
  locations: ({ env, home, join }) => {
    const at = (path: string): FormatLocation => ({ path, files: /\.md$/, depth: 0 })
    return [
      ...(env.AIDER_CHAT_HISTORY_FILE ? [at(env.AIDER_CHAT_HISTORY_FILE)] : []),
      // there is no list of projects: where one works now, and where one works without a project
      ...(env.PWD ? [at(join(env.PWD, HISTORY))] : []),
      at(join(home, HISTORY)),
    ]
  },
  start: (sink, path) => ({ read: createReader(sink, dirname(resolve(path))) }),
}

const HISTORY = '.aider.chat.history.md'

/** Who wrote a line; a blank one belongs to those before it. */
function kindOf(line: string): string | undefined {
  if (line.trim() === '') return
  if (line.startsWith('#### ')) return 'person'
  return line.startsWith('> ') ? 'program' : 'model'
}

function createReader(sink: Sink, project: string) {
  let run: Run | undefined

  return function read(record: Json, kind: string): undefined {
    const text = textOf(record.text) ?? ''
    if (kind === 'session') {
      const [heading = ''] = text.split('\n', 1)
      run = sink.run({ program: 'aider', project, ...sessionIn(heading.slice(HEADING.length)) })
      return
    }
    const words = text.trim()
    if (words === '') return
    run ??= sink.run({ program: 'aider', project })
    const emit = stamp(sink, run, undefined)
    if (kind === 'person') return readPrompt(run, text, emit)
    if (kind === 'program') return readNotes(run, text, emit)
    emit({ type: 'turn-start' })
    emit({ type: 'text', text: words })
  }
}

/** The time of a heading, which is the local one, and stands for the id that Aider does not have. */
function sessionIn(heading: string): Partial<Run> {
  const session = heading.trim()
  const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(session) ? session.replace(' ', 'T') : ''
  const startedAt = new Date(time).getTime()
  return { ...(session && { session }), ...(Number.isFinite(startedAt) && { startedAt }) }
}

function readPrompt(run: Run, text: string, emit: Emit): undefined {
  const words = text.split('\n').map((line) => line.replace(/^#### /, '').trimEnd())
  const request = requestOf(words.join('\n'))
  if (request === undefined) return
  setOutcome(run, undefined)
  emit({ type: 'prompt', text: request })
}

function readNotes(run: Run, text: string, emit: Emit): undefined {
  const notes = text.split('\n').map((line) => line.replace(/^> /, '').trimEnd())
  for (const [i, note] of notes.entries()) {
    const model = MODEL.exec(note)?.[1]
    if (model) run.model = model
    const usage = usageIn(note, notes[i + 1] ?? '')
    if (usage) emitSpent(emit, usage, undefined, run.model)
    emitDeed(note, emit)
    if (note.startsWith('Only ') && note.endsWith('reflections allowed, stopping.')) {
      setOutcome(run, 'limit', 'reflections')
    }
    if (note.endsWith('has hit a token limit!')) setOutcome(run, 'limit', 'token limit')
    if (note.startsWith('^C KeyboardInterrupt')) setOutcome(run, 'aborted', 'KeyboardInterrupt')
  }
}

const MODEL = /^(?:Main model|Models?): (\S+) with /

/** What Aider did on the model's behalf. What an edit was is not told, so it has no arguments. */
function emitDeed(note: string, emit: Emit): void {
  if (note.startsWith('Running ')) {
    emit({ type: 'tool-call', name: 'shell', args: { command: note.slice('Running '.length) } })
    return
  }
  const isError = note.startsWith('The LLM did not conform to the edit format')
  if (!isError && !note.startsWith('Applied edit to ')) return
  emit({ type: 'tool-call', name: 'edit' })
  emit({ type: 'tool-result', name: 'edit', output: note, isError })
}

/** `Tokens: 15k sent, 2k cache hit, 382 received. Cost: $0.04 message, …`; the cost may be on the next line. */
function usageIn(note: string, next: string): Spent | undefined {
  const old = OLD_USAGE.exec(note)
  if (old) {
    const [, input, output, cost] = old
    return { input: Number(input), cached: 0, output: Number(output), cost: Number(cost) }
  }
  if (!note.startsWith('Tokens: ')) return
  const counts = note.slice('Tokens: '.length).split(', ')
  const tokens = (what: string) => tokensIn(counts.find((one) => one.includes(what)))
  const cost = COST.exec(note)?.[1] ?? COST.exec(next)?.[1]
  return {
    input: tokens('sent'),
    cached: tokens('cache hit'),
    written: tokens('cache write'),
    output: tokens('received'),
    ...(cost !== undefined && { cost: Number(cost) }),
  }
}

const OLD_USAGE =
  /^(\d{1,12}) prompt tokens, (\d{1,12}) completion tokens, \$(\d{1,9}\.\d{1,9}) cost$/
const COST = /Cost: \$(\d{1,9}\.\d{1,12}) message/

/** The number that a text begins with: `382`, `4.5k`, `15k`, `1,234`. */
function tokensIn(text = ''): number {
  const [first = ''] = text.split(' ', 1)
  const number = Number(first.replace('k', '').replaceAll(',', ''))
  if (!Number.isFinite(number)) return 0
  return Math.round(first.endsWith('k') ? number * 1000 : number)
}
