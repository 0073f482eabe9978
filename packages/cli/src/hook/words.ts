import type { Verdict } from 'unloop/host'
import type { Decision } from '../coding-agents/coding-agent.js'
import { inOneLine, printable } from '../printable.js'
import { redactSample } from '../scan/redact.js'
import { withoutFrame } from './quoted.js'

/** How decisions are put into words in one session. */
export interface Voice {
  /** whether the person can be asked */
  isAttended: boolean
  /** what to type to let a stopped session go on */
  continueCommand: string
  /** the agent whose run no hook can end, by its title */
  unstoppable?: string | undefined
}

/** Nothing to tell. */
export const GO: Decision = { type: 'go' }

/** A verdict for an agent: the reason is for the model, the notice for the person. */
export function toDecision(verdict: Verdict, voice: Voice): Decision {
  if (verdict.type === 'go' || verdict.type === 'cut') return GO
  const { isAttended, continueCommand, unstoppable } = voice
  const { type, reason, finding } = verdict
  const detail = withoutFrame(inOneLine(printable(redactSample(finding.detail))))
  if (type === 'deny') return { type, reason, notice: `unloop refused a call: ${detail}.` }
  if (finding.action === 'ask' && isAttended) {
    const notice = `unloop: ${detail}. Run this call anyway?`
    return { type: 'ask', reason: notice, notice }
  }
  if (unstoppable !== undefined) {
    return {
      type: 'stop',
      reason: `${reason.replace(/^Stopped: /, 'All further calls are refused: ')} End your turn now, and say what you found and what is missing.`,
      notice: `unloop refuses all further calls of this prompt: ${detail}. ${unstoppable} does not let hooks end a run: press Esc, send a new prompt, or let it continue with: ${continueCommand}. unloop run and unloop gateway can end it.`,
    }
  }
  const notice = `unloop stopped this run: ${detail}. Send a new prompt to start over, or let it continue with: ${continueCommand}`
  return { type: 'stop', reason, notice }
}
