import { isObject, type Json, objectOf, objectsOf, textOf } from './json.js'

/** A tool call as its updates tell it, which may come in any number of pieces. */
export interface ToolCall {
  readonly id: string
  /** the id for the guard: some agents use theirs again and again */
  readonly uniqueId: string
  /** the fields that were told last */
  fields: Json
  /** the title it came with, which some agents make the name of the tool */
  firstTitle: string | undefined
  isShown: boolean
  isDone: boolean
}

export const startCall = (id: string, number: number, fields: Json): ToolCall => ({
  id,
  uniqueId: `${number} ${id}`,
  fields: {},
  firstTitle: isObject(fields.rawInput) ? textOf(fields.title) : undefined,
  isShown: false,
  isDone: false,
})

/** Adds what an update says; what it leaves out stays as it was. */
export function updateCall(call: ToolCall, update: Json): void {
  for (const [name, value] of Object.entries(update)) {
    if (value !== null && value !== undefined) call.fields[name] = value
  }
}

/** The tool's own name if the agent tells it, else what comes closest. */
export function nameOf({ id, fields, firstTitle }: ToolCall): string {
  const { toolName } = objectOf(objectOf(fields._meta).claudeCode)
  return (
    textOf(fields.name) ??
    textOf(toolName) ??
    NAME_IN_ID.exec(id)?.[1] ??
    NAME.exec(firstTitle ?? '')?.[0] ??
    textOf(fields.kind) ??
    'tool'
  )
}

// Gemini CLI: `run_shell_command__call_1`, and before that `run_shell_command-1763312345678`
const NAME_IN_ID = /^([a-z]\w{1,60}?)(?:__|-\d{10})/i
const NAME = /^[A-Za-z][\w.:-]{0,80}$/

/** What the tool was given; without its input, what the person was shown. */
export function argsOf({ fields }: ToolCall, folder: string): unknown {
  const { rawInput, kind, title, locations } = fields
  if (kind === 'execute') {
    const input = objectOf(rawInput)
    const command = commandOf(input) ?? (hasInput(rawInput) ? undefined : textOf(title))
    if (command === undefined) return rawInput
    // the same call is told with more or fewer of its fields, before and after it is permitted
    const place = textOf(input.cwd) ?? textOf(input.workdir)
    return { command, ...(place && place !== folder && { cwd: place }) }
  }
  if (hasInput(rawInput)) return rawInput
  const diffs = objectsOf(fields.content).filter(({ type }) => type === 'diff')
  const paths = objectsOf(locations).map(({ path, line }) => ({ path, line }))
  return { title, ...(paths.length > 0 && { paths }), ...(diffs.length > 0 && { diffs }) }
}

/** Whether it is known what the tool was given; an empty object is the start of a stream. */
export const hasInput = (input: unknown): boolean =>
  isObject(input) ? Object.keys(input).length > 0 : input !== undefined && input !== ''

function commandOf({ command, cmd }: Json): string | undefined {
  const line = command ?? cmd
  return Array.isArray(line) ? line.join(' ') : textOf(line)
}

/** What the tool answered: the text that the person sees, else what it returned. */
export function outputOf({ fields }: ToolCall): unknown {
  const text = objectsOf(fields.content)
    .map(({ content }) => textOf(objectOf(content).text))
    .filter((part) => part !== undefined)
    .join('\n')
  return text === '' ? (fields.rawOutput ?? '') : text
}

/** Whether the tool failed; a command that did may still be called completed. */
export function isFailed({ fields }: ToolCall): boolean {
  if (fields.status === 'failed') return true
  const output = objectOf(fields.rawOutput)
  const codes = [output, objectOf(output.metadata)].map(
    ({ exit, exitCode, exit_code }) => exit ?? exitCode ?? exit_code,
  )
  return codes.some((code) => typeof code === 'number' && code !== 0)
}
