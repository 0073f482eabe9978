import { argsOf, type Json, listOf, numberOf, objectOf, textOf } from '../json.js'
import type { Emit } from '../stamp.js'

/** A text, which may be in pieces. */
export const partText = (value: unknown): string | undefined =>
  Array.isArray(value)
    ? textOf(value.filter((one) => typeof one === 'string').join(''))
    : textOf(value)

/** Tells a call as it was shown, and its answer once it is over. */
export function emitInvocation(part: Json, tell: Emit): void {
  const name = textOf(part.toolId)
  if (!name) return
  const id = textOf(part.toolCallId)
  const agent = textOf(part.subAgentInvocationId)
  const emit: Emit = (event) => tell(agent ? { ...event, agent } : event)
  const shown = objectOf(part.resultDetails)
  const about = objectOf(part.toolSpecificData)
  emit({ type: 'tool-call', name, ...argsIn(shown, about), ...(id && { id }) })
  if (part.isComplete !== true) return
  const exitCode = numberOf(objectOf(about.terminalCommandState).exitCode) ?? 0
  const output = outputIn(shown, about)
  emit({
    type: 'tool-result',
    name,
    ...(id && { id }),
    ...(output !== undefined && { output }),
    ...((shown.isError === true || exitCode !== 0 || isDenied(part)) && { isError: true }),
  })
}

/** Most calls are shown without what they were given. */
function argsIn(shown: Json, about: Json): { args?: unknown } {
  const command = objectOf(about.commandLine)
  const line =
    textOf(command.userEdited) ??
    textOf(command.toolEdited) ??
    textOf(command.original) ??
    textOf(about.command)
  if (line) return { args: { command: line } }
  const input = shown.input ?? about.rawInput
  return input === undefined ? {} : { args: argsOf(input) }
}

function outputIn(shown: Json, about: Json): unknown {
  const texts = listOf(shown.output).map((one) => textOf(objectOf(one).value) ?? '')
  return textOf(objectOf(about.terminalCommandOutput).text) ?? textOf(texts.join('\n'))
}

/** The person said no: `false`, or 0 of the newer kinds of consent. */
const isDenied = ({ isConfirmed }: Json) =>
  isConfirmed === false || objectOf(isConfirmed).type === 0
