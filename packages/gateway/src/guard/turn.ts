import type { AgentEvent, Finding } from 'unloop'
import { costOf, listPrices, type Usage } from 'unloop/prices'
import { nextName, settleRound, showCall } from 'unloop/wire'
import type { Actions } from '../config/actions.js'
import { withBriefArgs } from './brief.js'
import { withoutOwnId } from './call-ids.js'
import type { Lane } from './lane.js'
import type { RequestFacts } from './read-request.js'

/** An answer while it comes, as its lane sees it. */
export interface Turn {
  /** True if the answer has to end here. */
  see(event: AgentEvent): boolean
  /** The name of the history with this answer. */
  readonly standing: string
  /** loops in what it says */
  readonly found: readonly Finding[]
  /** Notes that the answer is over. */
  end(): void
  /** Notes that it will have to be asked for again. */
  lose(): void
  spent(): { tokens: number; dollars: number }
  /** What ending it early has spared, as an estimate. */
  saved(): { tokens: number; dollars: number }
}

type UsageEvent = Extract<AgentEvent, { type: 'usage' }>

// prose in English has about that many characters to a token
const CHARACTERS_PER_TOKEN = 4

export function startTurn(lane: Lane, request: RequestFacts, { cut }: Actions): Turn {
  const { run, guard } = lane
  const usage: Required<Pick<Usage, 'inputTokens' | 'cachedTokens' | 'outputTokens'>> = {
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
  }
  const { voice } = request
  let standing = request.place
  let characters = 0
  const found: Finding[] = []
  lane.told = []
  lane.sinceBefore = lane.since
  lane.since = guard.events
  lane.hasCalls = false
  lane.callIds = []
  // what waits for the model is in the findings as well
  run.takeAdvice()
  run.decide({ type: 'turn-start' })

  const dollarsOf = (spent: Usage) => {
    const price = listPrices.priceOf(request.model)
    return price ? costOf(spent, price) : 0
  }

  function add({ inputTokens = 0, cachedTokens = 0, outputTokens = 0 }: UsageEvent): void {
    usage.inputTokens += inputTokens
    usage.cachedTokens += cachedTokens
    usage.outputTokens += outputTokens
  }

  return {
    see(given) {
      if (given.type === 'tool-call') {
        const event = withBriefArgs(withoutOwnId(given, request.protocol)) as typeof given
        standing = nextName(standing, event)
        lane.hasCalls = true
        if (given.id && given.id !== given.name) lane.callIds.push(given.id)
        // the call has reached the client; the next request shows what to do about it
        showCall(run, event)
        return false
      }
      const event = given
      voice?.hear(event)
      if (event.type === 'usage') add(event)
      else if ('text' in event) characters += event.text?.length ?? 0
      const { type, finding } = run.decide(event)
      if (finding) {
        lane.told.push(finding.lastEvent)
        // a chant that is let go on is one loop
        if (!found.some(({ identity }) => identity === finding.identity)) found.push(finding)
      }
      return cut !== 'observe' && (type === 'cut' || type === 'stop')
    },
    get standing() {
      return voice ? `${standing} ${voice.name}` : standing
    },
    found,
    end() {
      run.decide({ type: 'turn-end' })
      settleRound(run)
    },
    lose() {
      run.decide({ type: 'retry' })
      run.decide({ type: 'turn-end' })
      lane.since = lane.sinceBefore
    },
    spent: () => ({
      tokens: usage.inputTokens + usage.outputTokens,
      dollars: dollarsOf(usage),
    }),
    saved() {
      const said = Math.ceil(characters / CHARACTERS_PER_TOKEN)
      const tokens = request.maxTokens ? Math.max(0, request.maxTokens - said) : said
      return { tokens, dollars: dollarsOf({ outputTokens: tokens }) }
    },
  }
}
