/** The server's reply to one request. */
export type Reply = Answer | Failure

/** What the model does, independent of any protocol. */
export interface Answer {
  reasoning?: string
  text?: string
  /** several calls are parallel */
  calls?: Call[]
  usage?: Usage
  /** by default it follows from the calls */
  finish?: Finish
  /** what goes wrong on the way */
  fault?: Fault
  /** how many events come before the fault; half of them by default */
  after?: number
  /** the pause between two writes */
  pauseMs?: number
}

export interface Call {
  /** '' for a call without an id, as Gemini may make */
  id?: string
  name: string
  args?: unknown
  /** the arguments as the model wrote them, if they are not JSON */
  rawArgs?: string
}

/** Tokens; the cached ones are among the input. */
export interface Usage {
  inputTokens: number
  cachedTokens?: number
  outputTokens: number
}

export type Finish = 'stop' | 'tool-calls' | 'length' | 'refused'

export type Fault =
  | 'cut' // the socket is destroyed in the middle of an event
  | 'unfinished' // the stream ends as if all were well, but too early
  | 'malformed' // one event is not JSON
  | 'silence' // nothing more comes, but the stream stays open
  | 'error' // the provider reports an error inside the stream

/** The provider refuses: a status, and its reasons. */
export interface Failure {
  status: number
  message?: string
  headers?: Record<string, string>
}

/** A complete answer, for protocols to translate. */
export interface CompleteAnswer {
  reasoning: string
  text: string
  calls: { id: string; name: string; json: string }[]
  usage: Required<Usage>
  finish: Finish
}

export const isFailure = (reply: Reply): reply is Failure => 'status' in reply

/** Fills in what a script left out; ids contain the turn, so they never repeat. */
export function complete(answer: Answer, turn: number): CompleteAnswer {
  const calls = (answer.calls ?? []).map(({ id, name, args = {}, rawArgs }, index) => ({
    id: id ?? `call_${turn}_${index}`,
    name,
    json: rawArgs ?? JSON.stringify(args),
  }))
  return {
    reasoning: answer.reasoning ?? '',
    text: answer.text ?? '',
    calls,
    usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 0, ...answer.usage },
    finish: answer.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
  }
}

/** A text in pieces of a few characters, as models write it. */
export function toPieces(text: string): string[] {
  const characters = [...text]
  const pieces: string[] = []
  for (let from = 0; from < characters.length; ) {
    // sizes like those of tokens
    const size = [4, 2, 7, 3, 5][pieces.length % 5] ?? 4
    pieces.push(characters.slice(from, from + size).join(''))
    from += size
  }
  return pieces
}
