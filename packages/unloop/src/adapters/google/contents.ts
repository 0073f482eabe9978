import type { AgentEvent } from '../../event.js'
import type { Any } from '../shared/any.js'
import type { Dialect } from '../shared/exchange.js'
import { promptOf, sinceModel, textOf, toHistory, toUsage } from '../shared/words.js'

/** Gemini's contents; whether an answer is streamed is said by the address. */
export function toContents(isStream: boolean): Dialect {
  return {
    ask({ contents, continuationToken }) {
      const items = [contents].flat()
      return {
        // a message that is gone on with is no new one
        prompt: continuationToken ? undefined : promptOf(items.map(toItem), ({ role }) => role),
        said: sinceModel(items.map(toItem), ({ role }) => role)
          .map(({ content }) => textOf(content))
          .join('\n'),
        results: items
          .flatMap(({ parts = [] }) => parts)
          .flatMap(({ functionResponse: answer }) =>
            answer ? { id: idOf(answer), name: answer.name, part: toPart(answer) } : [],
          ),
      }
    },

    history: ({ contents }, heard) => toHistory([contents].flat().flatMap(toEvents), heard),

    bare(event) {
      if (event.type === 'tool-call') return { ...event, id: event.name }
      return event.type === 'tool-result' ? { ...event, id: '' } : event
    },

    tools: ({ tools = [] }) =>
      tools.flatMap(({ functionDeclarations = [] }: Any) =>
        functionDeclarations.map(({ name }: Any) => name),
      ),

    advise(body, text) {
      const items = [body.contents].flat()
      const last = items.at(-1)
      if (last?.role === 'model') items.push({ role: 'user', parts: [{ text }] })
      else last.parts.push({ text })
      body.contents = items
    },

    stream() {
      let last: Any
      let open: Any
      let isSaid = false

      /** Arguments come whole, or in pieces if the program wants that. */
      function toCalls({ id, name, args, partialArgs = [], willContinue }: Any): AgentEvent[] {
        open ??= { id, name, args: { ...args } }
        for (const { jsonPath, willContinue, ...value } of partialArgs) {
          const field = jsonPath.replace('$.', '')
          const [said] = 'nullValue' in value ? [null] : Object.values(value)
          // words come in pieces, anything else comes whole
          open.args[field] = typeof said === 'string' ? (open.args[field] ?? '') + said : said
        }
        if (willContinue) return []
        const call = { ...open, id: idOf(open) }
        open = undefined
        return [{ type: 'tool-call', ...call }]
      }

      return {
        read(chunk) {
          last = chunk
          const events: AgentEvent[] = []
          const candidate = chunk.candidates?.[0]
          for (const { text, thought, functionCall } of candidate?.content?.parts ?? []) {
            isSaid ||= Boolean(text) && !thought
            if (text) events.push({ type: thought ? 'reasoning' : 'text', text })
            else if (functionCall) events.push(...toCalls(functionCall))
          }
          // the sum so far is told with each piece
          const usage = candidate?.finishReason && chunk.usageMetadata
          if (usage) events.push(toSpent(usage))
          return events
        },
        // a message of thoughts alone is not taken back
        end: () => toStream({ ...last, candidates: toCandidates(isSaid ? '' : '…') }),
      }
    },

    last(_, words) {
      const answer = { candidates: toCandidates(words) }
      return isStream ? toStream(answer) : answer
    },
  }
}

/** What a content of a history says. */
const toEvents = ({ role, parts = [] }: Any): AgentEvent[] =>
  parts.flatMap(({ text, thought, functionCall, functionResponse }: Any): AgentEvent[] => {
    if (functionResponse) {
      const { is_error: isError, output } = toPart(functionResponse)
      return [{ type: 'tool-result', id: idOf(functionResponse), output, isError }]
    }
    if (functionCall) {
      const { name, args } = functionCall
      return [{ type: 'tool-call', id: idOf(functionCall), name, args }]
    }
    // words in the same content as answers are the program's
    if (!text || (role !== 'model' && parts.some(isAnswer))) return []
    if (role !== 'model') return [{ type: 'prompt', text }]
    return [{ type: thought ? 'reasoning' : 'text', text }]
  })

const isAnswer = ({ functionResponse }: Any) => functionResponse

/** Not every model gives its calls ids; then name and order tell which answer belongs to which. */
const idOf = ({ id, name }: Any): string => id || name

/** An answer whose output is in one place, whether it is an error or not. */
function toPart(answer: Any) {
  const { error, output = answer.response } = answer.response ?? {}
  let told = error ?? output
  return {
    is_error: error !== undefined,
    get output() {
      return told
    },
    set output(words) {
      if (words !== told) answer.response = { error: words }
      told = words
    },
  }
}

const toItem = ({ role, parts = [] }: Any) => ({
  role: parts.some(isAnswer) ? 'tool' : role === 'model' ? 'assistant' : 'user',
  content: parts,
})

const toSpent = ({ promptTokenCount, cachedContentTokenCount, ...usage }: Any) => {
  const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usage
  return toUsage(
    promptTokenCount,
    candidatesTokenCount + thoughtsTokenCount,
    cachedContentTokenCount,
  )
}

const toCandidates = (text: string) => [
  { content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 },
]

const toStream = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`
