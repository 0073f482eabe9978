import type { AgentEvent } from '../event.js'
import { type Any, type Dialect, promptOf, type Result, toUsage } from './exchange.js'

/** Gemini's contents, of one run; whether an answer is streamed is said by the address. */
export function createContents(): (isStream: boolean) => Dialect {
  /** the names of the calls that came without an id, whose place here is their id */
  const unnamed: string[] = []

  const toCall = ({ name, args, id = toId(unnamed.push(name) - 1) }: Any): AgentEvent => ({
    type: 'tool-call',
    id,
    name,
    args,
  })

  /** The ids of calls in a history, whose beginning the program may have left out. */
  function idsOf(calls: Any[]): string[] {
    let end = unnamed.length
    const ids = calls.toReversed().map(({ id, name }) => {
      if (id !== undefined) return id
      end = unnamed.findLastIndex((one, at) => at < end && one === name)
      return toId(end)
    })
    return ids.reverse()
  }

  function toResults(parts: Any[]): Result[] {
    const ids = idsOf(parts.flatMap(({ functionCall }) => functionCall ?? []))
    const pending: Any[] = []
    return parts.flatMap(({ functionCall, functionResponse }) => {
      if (functionCall) pending.push({ id: ids.shift(), name: functionCall.name })
      if (!functionResponse) return []
      const at = pending.findIndex(({ name }) => name === functionResponse.name)
      const [call] = at < 0 ? [] : pending.splice(at, 1)
      const id = functionResponse.id ?? call?.id ?? ''
      return { id, part: toPart(functionResponse), field: 'output' }
    })
  }

  return (isStream) => ({
    ask({ contents, continuationToken }) {
      const items = [contents].flat()
      return {
        // a message that is gone on with is no new one
        prompt: continuationToken ? undefined : promptOf(items.map(toItem), ({ role }) => role),
        results: toResults(items.flatMap(({ parts = [] }) => parts)),
      }
    },

    advise(body, text) {
      const items = [body.contents].flat()
      const last = items.at(-1)
      if (last?.role === 'model') items.push({ role: 'user', parts: [{ text }] })
      else last.parts.push({ text })
      body.contents = items
    },

    // a whole answer is a stream of one piece
    answer(whole) {
      return this.stream().read(whole)
    },

    stream() {
      let last: Any
      let open: Any

      function toEvents({ text, thought, functionCall }: Any): AgentEvent[] {
        if (functionCall) return toCalls(functionCall)
        return text ? [{ type: thought ? 'reasoning' : 'text', text }] : []
      }

      /** Arguments come whole, or in pieces if the program wants that. */
      function toCalls({ id, name, args, partialArgs = [], willContinue }: Any): AgentEvent[] {
        open ??= { id, name, args: { ...args } }
        for (const { jsonPath, willContinue, ...value } of partialArgs) {
          const field = jsonPath.replace('$.', '')
          open.args[field] = (open.args[field] ?? '') + Object.values(value)[0]
        }
        if (willContinue) return []
        const call = toCall(open)
        open = undefined
        return [call]
      }

      return {
        read(chunk) {
          last = chunk
          const { candidates = [], usageMetadata: usage } = chunk
          const { content, finishReason } = candidates[0] ?? {}
          const events = (content?.parts ?? []).flatMap(toEvents)
          // the sum so far is told with each piece
          if (finishReason && usage) events.push(toSpent(usage))
          return events
        },
        end: () => toStream({ ...last, candidates: toCandidates('') }),
      }
    },

    last(_, words) {
      const answer = { candidates: toCandidates(words) }
      return isStream ? toStream(answer) : JSON.stringify(answer)
    },
  })
}

const toId = (at: number) => `unnamed-${at}`

/** An answer whose output is in one place, whether it is an error or not. */
function toPart(answer: Any) {
  const { error, output = answer.response } = answer.response ?? {}
  return {
    is_error: error !== undefined,
    get output() {
      return error ?? output
    },
    set output(words) {
      answer.response = { error: words }
    },
  }
}

const toItem = ({ role, parts = [] }: Any) => ({
  role: parts.some(({ functionResponse }: Any) => functionResponse)
    ? 'tool'
    : role === 'model'
      ? 'assistant'
      : 'user',
  content: parts,
})

const toSpent = ({ promptTokenCount, candidatesTokenCount = 0, thoughtsTokenCount = 0 }: Any) =>
  toUsage(promptTokenCount, candidatesTokenCount + thoughtsTokenCount)

const toCandidates = (text: string) => [
  { content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 },
]

const toStream = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`
