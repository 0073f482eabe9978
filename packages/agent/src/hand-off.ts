import type { ClientEvent } from './client-event.js'
import { type CallPart, callsOf, type Message, type ResultPart } from './message.js'
import type { ToolDeclaration } from './model.js'

/** One of several that share a task: its own system prompt, the same model and tools. */
export interface Persona {
  instructions: string
}

/** Who has the task, and how it is handed on. */
export interface HandOff {
  readonly speaker: string | undefined
  /** the mark on events of the speaker */
  readonly by: { agent?: string }
  readonly declarations: ToolDeclaration[]
  systemPrompt(instructions: string): string
  /** The event for a call that hands the task on. */
  toEvent(call: CallPart): ClientEvent | undefined
  /** Takes the calls that hand the task on out of the others, and answers them. */
  split(
    calls: readonly CallPart[],
    refused: ReadonlyMap<string, string>,
  ): { handed: ResultPart[]; calls: CallPart[] }
  /** Gives the task to whom it was handed last in these messages. */
  goBack(messages: readonly Message[]): void
}

const TOOL = 'hand_off'

/** The task is with the first of the personas, or with the one named. */
export function createHandOff(personas: Record<string, Persona> = {}, saved?: string): HandOff {
  const names = Object.keys(personas)
  let speaker = saved ?? names[0]
  const targetOf = (call: CallPart) => {
    const { to, text } = (call.args ?? {}) as { to?: unknown; text?: unknown }
    const isKnown = call.name === TOOL && typeof to === 'string' && names.includes(to)
    return isKnown ? { to, text: typeof text === 'string' ? text : '' } : undefined
  }
  return {
    get speaker() {
      return speaker
    },
    get by() {
      // the first is the one the person talks to: the prompt and what it asks for are its own
      return speaker === undefined || speaker === names[0] ? {} : { agent: speaker }
    },
    declarations: names.length > 1 ? [toDeclaration(names)] : [],
    systemPrompt(instructions) {
      const own = speaker === undefined ? undefined : personas[speaker]?.instructions
      return own === undefined ? instructions : `${instructions}\n\n${own}`
    },
    toEvent(call) {
      const target = targetOf(call)
      return (
        target && { type: 'handoff', ...target, ...(speaker !== undefined && { agent: speaker }) }
      )
    },
    split(calls, refused) {
      const handed: ResultPart[] = []
      const rest = calls.filter((call) => {
        const target = targetOf(call)
        if (!target) return true
        const reason = refused.get(call.id)
        if (reason === undefined) speaker = target.to
        const output = reason ?? `${target.to} has the task now.`
        handed.push({
          type: 'tool-result',
          id: call.id,
          name: TOOL,
          output,
          isError: reason !== undefined,
          outcome: reason === undefined ? 'done' : 'refused',
        })
        return false
      })
      return { handed, calls: rest }
    },
    goBack(messages) {
      const done = new Set(
        messages.flatMap((message) =>
          message.role === 'tool'
            ? message.content.flatMap(({ id, isError }) => (isError ? [] : [id]))
            : [],
        ),
      )
      const targets = messages
        .flatMap(callsOf)
        .flatMap((call) => (done.has(call.id) ? (targetOf(call)?.to ?? []) : []))
      speaker = targets.at(-1) ?? names[0]
    },
  }
}

const toDeclaration = (names: readonly string[]): ToolDeclaration => ({
  name: TOOL,
  description: 'Hands the task to another agent, which continues it.',
  parameters: {
    type: 'object',
    properties: {
      to: { type: 'string', enum: names },
      text: { type: 'string', description: 'what the other agent has to do' },
    },
    required: ['to', 'text'],
  },
})
