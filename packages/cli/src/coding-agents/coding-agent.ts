import type { AgentEvent } from 'unloop'
import type { Install } from './install.js'

/** What a hook was given, parsed: whatever an agent writes there. */
export type Payload = Record<string, unknown>

/** One event of an agent, as its hook tells it. */
export interface HookEvent {
  /** the agent's own name for the event */
  hook: string
  /** the agent's id of the session */
  session: string
  /** where the agent works */
  folder?: string | undefined
  event: AgentEvent
  /** the arguments of the call that the event answers, where calls have no ids */
  args?: unknown
  /** the calls of the round that is over, where the hook tells of all of them */
  round?: readonly AnsweredCall[]
}

/** A call as it is told when its round is over. */
export interface AnsweredCall {
  id?: string
  name: string
  args: unknown
  output: unknown
  isError?: true
}

/** What to tell the agent about an event. */
export type Decision =
  /** nothing, or words for the model after a tool ran */
  | { type: 'go'; advice?: string; notice?: string }
  /** the call must not run, or its answer must not be used; the reason is for the model, the notice for the person */
  | { type: 'deny'; reason: string; notice: string }
  /** the person decides whether the call runs */
  | { type: 'ask'; reason: string; notice: string }
  /** the run must end, or where it cannot, the call must not run; the notice is empty if the person has read it */
  | { type: 'stop'; reason: string; notice: string }

/** What a hook prints, and how it ends if not with 0. */
export interface HookAnswer {
  stdout?: object
  exitCode?: number
}

/** A message for the person, where an agent takes it in the words of Claude Code. */
export const message = ({ notice }: Decision): HookAnswer =>
  notice ? { stdout: { systemMessage: notice } } : {}

/** How one agent talks to its hooks. */
export interface Dialect {
  /** The event in a payload; nothing if it has none that matters. */
  read(payload: Payload): HookEvent | undefined
  /** The decision in the agent's words. */
  answer(event: HookEvent, decision: Decision): HookAnswer
  /** whether a hook tells when all calls of a round are over; elsewhere they are announced before any of them runs */
  marksRounds?: true
  /** no hook can end a run, so after a stop every further call of the prompt is refused */
  cannotStop?: true
  /** whether a person is known to sit in front of it and can be asked */
  isAttended?(env: NodeJS.ProcessEnv): boolean
}

/** A coding agent that people run, and how its hooks work. */
export interface CodingAgent extends Dialect {
  /** the name in commands, such as `claude-code` */
  name: string
  /** the name for people */
  title: string
  /** the program, which tells its version with `--version` */
  program: string
  /** what its hooks cannot do, a sentence each */
  limits: readonly string[]
  install: Install
}

/** A text in a payload. */
export const textIn = (payload: Payload, name: string): string | undefined => {
  const value = payload[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** An object in a payload; an empty one if there is none. */
export const recordIn = (payload: Payload, name: string): Payload => {
  const value = payload[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Payload)
    : {}
}

/** Fields that are given, without those that are not. */
export const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
