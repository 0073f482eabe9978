/** A call as the model wrote it; `invalid` says why its arguments could not be read. */
export interface CallPart {
  type: 'tool-call'
  id: string
  name: string
  args: unknown
  invalid?: string
  /** what the provider wants back with its own call, unread by us */
  meta?: unknown
}

/** What became of a call. */
export type CallOutcome =
  | 'done'
  | 'failed' // the answer is an error: the tool's own, or there is no such tool, or the arguments are wrong
  | 'stopped' // it had started when the run was stopped, and may have had effects
  | 'refused' // the guard refused it; it did not run
  | 'declined' // the person said no, or could not be asked; it did not run
  | 'skipped' // the run ended before it started

/** What came back for a call. */
export interface ResultPart {
  type: 'tool-result'
  id: string
  name: string
  output: string
  isError: boolean
  outcome: CallOutcome
  /** the call ran, and the guard withheld its answer from the model */
  isWithheld?: true
}

export type AssistantPart =
  | { type: 'text'; text: string; meta?: unknown }
  | { type: 'reasoning'; text: string; meta?: unknown }
  | CallPart

/** What the model said in a turn; `interrupted` if not to its end. */
export interface AssistantMessage {
  role: 'assistant'
  content: AssistantPart[]
  interrupted?: true
}

/** One message of the chat, in no provider's shape; `from` tells the guard's words from the person's. */
export type Message =
  | { role: 'user'; content: string; from?: 'guard' | 'summary' }
  | AssistantMessage
  | { role: 'tool'; content: ResultPart[] }

/** The calls in a message. */
export const callsOf = (message: Message): CallPart[] =>
  message.role === 'assistant' ? message.content.filter((part) => part.type === 'tool-call') : []

/** The visible text of a message. */
export const textOf = (message: Message): string =>
  message.role === 'user'
    ? message.content
    : message.role === 'assistant'
      ? message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      : message.content.map((part) => part.output).join('\n')
