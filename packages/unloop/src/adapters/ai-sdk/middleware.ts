import type { Guard } from '../../guard.js'
import { type Run, runOf } from '../../host/run.js'
import { isAlone } from '../shared/alone.js'
import { isBusy } from '../shared/refusal.js'
import { begin, hasKnown, type Message } from './messages.js'
import { toDelta, toLastModel, type Waiting, waitFor, watch } from './model.js'
import { tellCall, tellResult } from './tools.js'

// biome-ignore lint/suspicious/noExplicitAny: models of all versions, of which we know the few fields that we use
type Any = any

/**
 * A middleware that guards one run of a model, for programs that take a model and run the tools themselves, and for structured
 * output. Where the options of the run are yours, `guardRun` can do more.
 *
 * @example const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: guardMiddleware(guard) })
 */
export function guardMiddleware(guard: Guard): Any {
  const link = runOf(guard, 'ai-sdk')
  let asked: unknown
  /** the request that goes on, and those by their parameters */
  let current: Turn | undefined
  const turns = new WeakMap<object, Turn>()

  /** Tells of a request; gives words for the model. */
  function ask(turn: Turn, prompt: readonly Message[]): string | undefined {
    const isBeside = current?.isWaiting
    turn.isAside = !turn.hasTools && !hasKnown(link, prompt) && (isBeside || isBusy(link))
    if (turn.isAside) return
    // one without tools that began before the run is none of it either
    if (isBeside && current) current.isAside = !current.hasTools
    current = turn
    turn.isWaiting = true
    if (!isAlone(link, turn)) return
    const notes = link.attempt(() => begin(link, prompt)) ?? []
    if (link.stopped) return
    link.decide({ type: 'turn-start' })
    return [...notes, link.takeAdvice() ?? []].flat().join('\n')
  }

  /** Answers in the place of a model, if the run has to end. */
  function lastModel(turn: Turn, model: Any) {
    const { stopped } = link
    turn.isWaiting = false
    return stopped && isHeard(turn) && toLastModel(model, `Stopped: ${stopped.detail}.`)
  }

  const isHeard = (turn: Turn) => !turn.isAside && isAlone(link, turn)

  return {
    specificationVersion: 'v3',

    async transformParams({ params }: Any) {
      const { prompt, tools } = params
      // asked again after a failure, it is the same request
      const turn = prompt === asked && current ? current : { hasTools: tools?.length > 0 }
      const text = turn === current ? undefined : ask(turn, prompt)
      if (turn === current) asked = prompt
      const sent = { ...params, prompt: text ? [...prompt, toMessage(text)] : prompt }
      turns.set(sent, turn)
      return sent
    },

    async wrapGenerate({ doGenerate, model, params }: Any) {
      const turn = turns.get(params) ?? {}
      const last = lastModel(turn, model)
      if (last) return last.doGenerate()
      const answer = await waitFor(turn, doGenerate())
      if (isHeard(turn)) {
        link.attempt(() => {
          for (const part of answer.content) hearPart(link, part)
          hearPart(link, { type: 'finish', usage: answer.usage })
        })
      }
      return answer
    },

    async wrapStream({ doStream, model, params }: Any) {
      const turn = turns.get(params) ?? {}
      const last = lastModel(turn, model)
      if (last) return last.doStream()
      const answer = await waitFor(turn, doStream())
      const hear = (part: Any) => isHeard(turn) && hearPart(link, part)
      return { ...answer, stream: watch(answer.stream, model, hear, turn) }
    },
  }
}

/** A request, and its answer while it comes. */
interface Turn extends Waiting {
  hasTools?: boolean
  /** it is none of the run's */
  isAside?: boolean | undefined
}

const toMessage = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })

/** Tells of a part of an answer; true if the answer has to end here. */
function hearPart(link: Run, part: Any): boolean {
  const { type, delta, text, usage } = part
  const words = toDelta(type, delta) ?? (text && { type, text })
  if (words) return link.decide(words).type !== 'go'
  if (type === 'tool-call') tellCall(link, part)
  if (type === 'tool-result') tellResult(link, part, part.result, part.isError === true)
  if (type === 'finish') {
    const [inputTokens, outputTokens] = [usage?.inputTokens, usage?.outputTokens].map(
      (tokens) => tokens?.total ?? tokens,
    )
    link.decide({ type: 'usage', inputTokens, outputTokens })
    link.decide({ type: 'turn-end' })
  }
  return false
}
