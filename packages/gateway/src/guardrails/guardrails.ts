import type { Finding } from 'unloop'
import { createGuard } from 'unloop'
import { runOf } from 'unloop/host'
import { toActions } from '../config/actions.js'
import type { Config } from '../config/config.js'
import { type Decision, decide } from '../guard/decide.js'
import { startLane } from '../guard/lane.js'
import { type Body, readRequest } from '../guard/read-request.js'
import { showRequest } from '../guard/show-request.js'
import { stopWords } from '../guard/words.js'
import { createLitellm } from './litellm.js'
import { createPortkey } from './portkey.js'

/** Answers for gateways of others. Each is a function of what it is given: nothing is kept between requests. */
export interface Guardrails {
  litellm(asked: Body): object
  portkey(asked: Body): object
}

/** What a guardrail has to know. */
export interface Judge {
  /** Decides about a request by its history. */
  request(path: string, body: Body): Decision | undefined
  /** The loop in an answer, if there is one. */
  answer(texts: readonly string[]): Finding | undefined
  words(finding: Finding): string
}

export function createGuardrails({ guard, actions }: Config): Guardrails {
  const judge: Judge = {
    request(path, body) {
      const request = readRequest(path, JSON.stringify(body))
      const chosen = actions ?? toActions('respond')
      if (!request || !chosen) return
      const lane = startLane('', request, guard)
      showRequest(lane, request, 'new')
      return decide(lane, chosen, undefined)
    },
    answer(texts) {
      const run = runOf(createGuard(guard), 'gateway')
      run.decide({ type: 'turn-start' })
      for (const text of texts) {
        const { finding } = run.decide({ type: 'text', text })
        if (finding) return finding
      }
      return undefined
    },
    words: stopWords,
  }
  return { litellm: createLitellm(judge), portkey: createPortkey(judge) }
}
