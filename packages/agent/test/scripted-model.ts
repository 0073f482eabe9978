import type { Model, ModelEvent, ModelRequest } from '../src/model.js'

/** One turn of a scripted model: events, or an error to fail with after them. */
export type Turn = readonly (ModelEvent | Error)[]

export interface ScriptedModel extends Model {
  readonly requests: ModelRequest[]
  /** turns whose request was aborted before they were over */
  readonly aborted: number[]
}

/** A model that plays a turn a request; the last one again and again. */
export function scriptedModel(
  turns: readonly Turn[] | ((turn: number) => Turn),
  { name = 'test/scripted', contextTokens = 100_000 } = {},
): ScriptedModel {
  const requests: ModelRequest[] = []
  const aborted: number[] = []
  return {
    name,
    contextTokens,
    requests,
    aborted,
    async *stream(request, signal) {
      const number = requests.push(structuredClone(request)) - 1
      signal.addEventListener('abort', () => aborted.push(number), { once: true })
      const turn =
        typeof turns === 'function' ? turns(number) : (turns[number] ?? turns.at(-1) ?? [])
      for (const event of turn) {
        signal.throwIfAborted()
        if (event instanceof Error) throw event
        yield event
      }
    },
  }
}

export const says = (text: string): Turn => [
  { type: 'text', text },
  { type: 'finish', reason: 'stop' },
]

let calls = 0

/** A turn that makes these calls. */
export const calling = (...wanted: (readonly [name: string, args?: unknown])[]): Turn => [
  ...wanted.map(([name, args = {}]) => ({
    type: 'tool-call' as const,
    id: `id-${++calls}`,
    name,
    args,
  })),
  { type: 'finish', reason: 'tool-calls' },
]
