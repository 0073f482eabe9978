import type { Finding } from 'unloop'
import type { ProtocolName } from 'unloop/wire'

/** What a person reads in the place of the model's answer. */
export function stopWords({ detector, detail }: Finding): string {
  if (detector === 'person')
    return 'This run was stopped on the live page of the unloop gateway. Your next message continues it.'
  if (detector === 'budget')
    return `The unloop gateway stopped this session: ${detail}. Whoever runs the gateway can continue it on the live page.`
  return `The unloop gateway stopped this run: the agent is stuck: ${detail}. Your next message continues it; say what should be done differently.`
}

// opencode asks again when an error says something like this, and others may do so too
const RETRIED =
  /\d{3}|rate.?limit|overloaded|time.?out|timed|too many|exhausted|unavailable|try (?:your request )?again|retry|network|connection|server error|quota|capacity/i

/** The same for a program that reads it as an error; nothing in it makes a client ask again. */
function errorWords(finding: Finding): string {
  const { detector, detail } = finding
  const why = RETRIED.test(detail)
    ? `found by ${detector}, see the live page of the gateway`
    : detail
  return detector === 'budget'
    ? `Stopped by the gateway: ${why}. This request was not sent. Whoever runs the gateway can continue the session.`
    : `Loop detected: ${why}. This request was not sent. Send a new user message to continue.`
}

const codeOf = ({ detector }: Finding) =>
  detector === 'budget' ? 'session_budget_used_up' : 'agent_loop_detected'

/** The body of an error, as the provider would write it. */
export function errorBody(protocol: ProtocolName, finding: Finding, agent: string): object {
  const message = errorWords(finding)
  const code = codeOf(finding)
  // Claude Code repeats an invalid request three times with fewer features, but not one that costs too much
  const type = agent === 'claude-code' ? 'billing_error' : 'invalid_request_error'
  switch (protocol) {
    case 'anthropic':
      return {
        type: 'error',
        error: { type, message, details: { error_code: code } },
      }
    case 'gemini':
      return {
        error: {
          code: 400,
          message,
          status: 'FAILED_PRECONDITION',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: code.toUpperCase(),
              domain: 'unloop',
            },
          ],
        },
      }
    default:
      return { error: { message, type: 'invalid_request_error', param: 'messages', code } }
  }
}
