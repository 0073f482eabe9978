import type { Finding } from 'unloop'
import { createGuard } from 'unloop'
import { runOf } from 'unloop/host'
import type { Breath } from '../body/breath.js'
import { writeJson } from '../body/json.js'
import { toActions } from '../config/actions.js'
import type { Config } from '../config/config.js'
import { type Decision, decide } from '../guard/decide.js'
import { startLane } from '../guard/lane.js'
import { type Body, readRequest } from '../guard/read-request.js'
import { showRequest } from '../guard/show-request.js'
import { stopWords } from '../guard/words.js'
import type { Metrics } from '../operator/metrics.js'
import { createLitellm } from './litellm.js'
import { createPortkey } from './portkey.js'

/** Answers for gateways of others. Each is a function of what it is given: nothing is kept between requests. */
export interface Guardrails {
  litellm(asked: Body, breath: Breath): Promise<object>
  portkey(asked: Body, breath: Breath): Promise<object>
}

/** What a guardrail has to know. */
export interface Judge {
  /** Decides about a request by its history. */
  request(path: string, body: Body, breath: Breath): Promise<Decision | undefined>
  /** The loop in an answer, if there is one. */
  answer(texts: readonly string[], breath: Breath): Promise<Finding | undefined>
  words(finding: Finding): string
}

// what takes the guard less than a millisecond
const PIECE = 16 * 2 ** 10

export function createGuardrails({ guard, actions, limits }: Config, metrics: Metrics): Guardrails {
  const judge: Judge = {
    async request(path, body, breath) {
      const bytes = await writeJson(body, breath)
      const request = await readRequest(path, { bytes, body, breath }, limits)
      if ('reason' in request) return void metrics.unguarded.inc({ reason: request.reason })
      const chosen = actions ?? toActions('respond')
      if (!chosen) return
      const lane = await startLane('', request, guard)
      showRequest(lane, request, 'new')
      return decide(lane, chosen, undefined)
    },
    async answer(texts, breath) {
      const run = runOf(createGuard(guard), 'gateway')
      run.decide({ type: 'turn-start' })
      for (const text of texts)
        for (let at = 0; at < text.length; at += PIECE) {
          const { finding } = run.decide({ type: 'text', text: text.slice(at, at + PIECE) })
          if (finding) return finding
          if (breath.isDue) await breath.take()
        }
      return undefined
    },
    words: stopWords,
  }
  return { litellm: createLitellm(judge), portkey: createPortkey(judge) }
}
