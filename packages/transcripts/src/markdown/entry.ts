import type { AgentEvent } from 'unloop'
import { plural } from 'unloop/words'
import { isObject } from '../json.js'
import { never } from '../never.js'
import type { Run, TranscriptItem } from '../transcript.js'
import { code, fence } from './safe.js'

/** An event as Markdown, and the line of the source that told it. */
export interface Entry {
  line: number
  run: Run
  at: number | undefined
  /** lines of Markdown, as one text */
  text: string
}

/** Looks up the tool that a result answers, where the result does not say. */
export type ToolOf = (result: { id?: string }) => string | undefined
export type Clean = (text: string) => string

// what a person reads of a message, and of what a tool was given or has answered
const MAX_MESSAGE = 5_000
const MAX_VALUE = 2_000

/** Whether an event has something to read. */
export function isShown({ type }: AgentEvent): boolean {
  return type !== 'usage' && type !== 'turn-start' && type !== 'turn-end'
}

export function toEntry({ event, run, line }: TranscriptItem, toolOf: ToolOf, clean: Clean): Entry {
  const place = [`line ${line}`, ...(event.at === undefined ? [] : [timeOf(event.at)])]
  const agent = event.agent === undefined ? '' : ` by sub-agent ${code(event.agent)}`
  const heading = `### ${titleOf(event, toolOf)}${agent} (${place.join(', ')})`
  const body = bodyOf(event, clean)
  const text = (body.length > 0 ? [heading, '', ...body] : [heading]).join('\n')
  // a copy, for a part of a text keeps all of it in memory
  return { line, run, at: event.at, text: Buffer.from(text).toString() }
}

function titleOf(event: AgentEvent, toolOf: ToolOf): string {
  switch (event.type) {
    case 'prompt':
      return 'Request'
    case 'text':
      return 'Answer'
    case 'reasoning':
      return 'Thought'
    case 'tool-call':
      return `Call of ${code(event.name)}`
    case 'tool-result': {
      const name = event.name ?? toolOf(event)
      const what = event.isError ? 'Error' : 'Result'
      return name === undefined ? what : `${what} of ${code(name)}`
    }
    case 'retry':
      return 'The answer was requested again'
    case 'handoff':
      return `Handoff to ${code(event.to)}`
    case 'compaction':
      return 'The history was condensed'
    case 'turn-start':
    case 'turn-end':
    case 'usage':
      return ''
    default:
      return never(event)
  }
}

function bodyOf(event: AgentEvent, clean: Clean): string[] {
  switch (event.type) {
    case 'prompt':
    case 'text':
    case 'handoff':
      return event.text === undefined ? [] : shorten(event.text, 'markdown', MAX_MESSAGE, clean)
    case 'reasoning':
      return shorten(event.text, 'markdown', MAX_MESSAGE, clean).map((row) => `> ${row}`)
    case 'tool-call':
      return isObject(event.args) ? argumentsOf(event.args, clean) : showValue(event.args, clean)
    case 'tool-result':
      return showValue(event.output, clean)
    case 'retry':
    case 'compaction':
    case 'turn-start':
    case 'turn-end':
    case 'usage':
      return []
    default:
      return never(event)
  }
}

// a call with more arguments is shown as one value
const MAX_ARGUMENTS = 12

/** Arguments as JSON, but texts of several lines as what they are. */
function argumentsOf(args: Record<string, unknown>, clean: Clean): string[] {
  const all = Object.entries(args)
  const texts = all.filter(([, value]) => typeof value === 'string' && value.includes('\n'))
  if (texts.length === 0 || texts.length > MAX_ARGUMENTS) return showValue(args, clean)
  const rest = all.filter((one) => !texts.includes(one))
  return [
    ...(rest.length > 0 ? [...showValue(Object.fromEntries(rest), clean), ''] : []),
    ...texts.flatMap(([name, text], at) => [
      ...(at > 0 ? [''] : []),
      `Argument ${code(name)}:`,
      '',
      ...showValue(text, clean),
    ]),
  ]
}

function showValue(value: unknown, clean: Clean): string[] {
  if (value === undefined) return ['*Not recorded.*']
  if (typeof value === 'string') return shorten(value, 'text', MAX_VALUE, clean)
  return shorten(JSON.stringify(value, null, 2) ?? '', 'json', MAX_VALUE, clean)
}

/** The text in a fence; of a long one the beginning and the end, and how much is missing between them. */
function shorten(text: string, language: string, max: number, clean: Clean): string[] {
  const whole = text.trimEnd()
  if (whole === '') return ['*Empty.*']
  if (whole.length <= max) return fence(clean(whole), language)
  const end = max / 4
  const leftOut = plural(whole.length - max, 'character')
  return [
    ...fence(clean(whole.slice(0, max - end)), language),
    '',
    `*${leftOut} left out.*`,
    '',
    ...fence(clean(whole.slice(-end)), language),
  ]
}

/** `08:12:09`, in UTC */
const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 19)
