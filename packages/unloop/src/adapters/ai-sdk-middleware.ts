import type { Guard } from '../guard.js'
import { begin } from './ai-sdk-messages.js'
import { toDelta, toLastModel, watch } from './ai-sdk-model.js'
import { tellCall, tellResult } from './ai-sdk-tools.js'
import { type Link, linkOf } from './link.js'

// biome-ignore lint/suspicious/noExplicitAny: models of all versions, of which we know the few fields that we use
type Any = any

/**
 * A middleware that guards one run of a model, for programs that take a model and run the tools themselves, and for structured
 * output. Where the options of the run are yours, `guardRun` can do more.
 *
 * @example const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: guardMiddleware(guard) })
 */
export function guardMiddleware(guard: Guard): Any {
  const link = linkOf(guard, 'ai-sdk')
  let asked: unknown
  let run = {}

  /** Tells of a request; gives words for the model. */
  function ask(prompt: Any): string | undefined {
    // asked again after a failure, it is the same request
    if (prompt === asked) return
    asked = prompt
    run = {}
    if (!link.isAlone(run)) return
    const notes = link.attempt(() => begin(link, prompt)) ?? []
    if (link.stopped) return
    link.see({ type: 'turn-start' })
    return [...notes, link.takeAdvice() ?? []].flat().join('\n')
  }

  /** Answers in the place of a model, if the run has to end. */
  function lastModel(model: Any) {
    const { stopped } = link
    return stopped && link.isAlone(run) && toLastModel(model, `Stopped: ${stopped.detail}.`)
  }

  return {
    specificationVersion: 'v3',

    async transformParams({ params }: Any) {
      const { prompt } = params
      const text = ask(prompt)
      return text ? { ...params, prompt: [...prompt, toMessage(text)] } : params
    },

    async wrapGenerate({ doGenerate, model }: Any) {
      const last = lastModel(model)
      if (last) return last.doGenerate()
      const answer = await doGenerate()
      if (link.isAlone(run)) {
        link.attempt(() => {
          for (const part of answer.content) hearPart(link, part)
          hearPart(link, { type: 'finish', usage: answer.usage })
        })
      }
      return answer
    },

    async wrapStream({ doStream, model }: Any) {
      const last = lastModel(model)
      if (last) return last.doStream()
      const turn = run
      const answer = await doStream()
      const hear = (part: Any) => link.isAlone(turn) && hearPart(link, part)
      return { ...answer, stream: watch(answer.stream, model, hear) }
    },
  }
}

const toMessage = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })

/** Tells of a part of an answer; true if the answer has to end here. */
function hearPart(link: Link, part: Any): boolean {
  const { type, delta, text, usage } = part
  const words = toDelta(type, delta) ?? (text && { type, text })
  if (words) return link.see(words).type !== 'go'
  if (type === 'tool-call') tellCall(link, part)
  if (type === 'tool-result') tellResult(link, part, part.result, part.isError === true)
  if (type === 'finish') {
    const [inputTokens, outputTokens] = [usage?.inputTokens, usage?.outputTokens].map(
      (tokens) => tokens?.total ?? tokens,
    )
    link.see({ type: 'usage', inputTokens, outputTokens })
    link.see({ type: 'turn-end' })
  }
  return false
}
