import { STUCK_KINDS } from '@unloop/agent'
import { suggestion } from '../nearest.js'

export interface StuckOptions {
  isEmbedded: boolean
  /** a model is asked whether the agent is stuck */
  hasJudge: boolean
  /** how to use the embedded model here */
  advice: string
}

/** Why a prompt that begins with `/stuck` cannot be played; nothing if it can, or is another prompt. */
export function problemWithStuck(
  prompt: string,
  { isEmbedded, hasJudge, advice }: StuckOptions,
): string | undefined {
  const [word, kind, heed, ...rest] = prompt.trim().split(/\s+/)
  if (word !== '/stuck') return
  if (!isEmbedded) return `/stuck needs the embedded model; ${advice}`
  if (kind === 'judge' && !hasJudge) return NO_JUDGE
  if (kind !== undefined && STUCK_KINDS.includes(kind)) {
    if (rest.length === 0 && (heed === undefined || heed === 'heed')) return
    return `/stuck takes a kind and optionally heed, got ${heed}`
  }
  const kinds = STUCK_KINDS.join(', ')
  if (kind === undefined) return `/stuck takes a kind: ${kinds}`
  return `/stuck does not know ${kind}${suggestion(kind, STUCK_KINDS)} (known: ${kinds})`
}

const NO_JUDGE =
  '/stuck judge needs a judge, since no rule sees this loop; "judge": { "model": "embedded" } in unloop.config.json adds one (see docs/judge.md)'
