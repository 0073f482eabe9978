import type { Finding } from 'unloop'
import { type Json, objectsOf, textOf, toLine } from './json.js'
import type { Notice } from './words.js'
import { adviceFor, questionOf } from './words.js'

/** Ends the turn of a session. */
export const cancelLine = (sessionId: string): string =>
  toLine({ method: 'session/cancel', params: { sessionId } })

/** Takes back a request; who does not know this ignores it. */
export const withdrawLine = (requestId: string): string =>
  toLine({ method: '$/cancel_request', params: { requestId } })

/** Tells the person: as a notice where the editor has them, else as a message of the agent. */
export function noticeLine(sessionId: string, notice: Notice, hasNotices: boolean): string {
  const { title, description } = notice
  const update = hasNotices
    ? { sessionUpdate: 'notice', severity: 'warning', title, description }
    : {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: `\n\n**${title}.** ${description}\n\n` },
      }
  return toLine({ method: 'session/update', params: { sessionId, update } })
}

/** Asks the person what to do about a loop. */
export function questionLine(sessionId: string, id: string, finding: Finding): string {
  const { title, text, options } = questionOf(finding)
  const content = [{ type: 'content', content: { type: 'text', text } }]
  const toolCall = { toolCallId: id, title, kind: 'other', status: 'pending', content }
  return toLine({
    id,
    method: 'session/request_permission',
    params: { sessionId, toolCall, options },
  })
}

/** Closes the question, which editors show as a call. */
export const answeredLine = (sessionId: string, id: string, title: string): string =>
  toLine({
    method: 'session/update',
    params: {
      sessionId,
      update: { sessionUpdate: 'tool_call_update', toolCallId: id, status: 'completed', title },
    },
  })

/** Refuses a permission; nothing if the request has no such option. */
export function refusalLine(request: Json, params: Json, reason: string): string | undefined {
  const options = objectsOf(params.options)
  const of = (wanted: string) => options.find(({ kind }) => kind === wanted)
  const optionId = textOf((of('reject_once') ?? of('reject_always'))?.optionId)
  if (optionId === undefined) return
  const result = { outcome: { outcome: 'selected', optionId }, _meta: { unloop: { reason } } }
  return toLine({ id: request.id, result })
}

/** The answer to a permission request of a turn that was canceled. */
export const canceledLine = (id: unknown): string =>
  toLine({ id, result: { outcome: { outcome: 'cancelled' } } })

/** The prompt with words for the model after those of the person. */
export function withAdvice(request: Json, params: Json, words: readonly string[]): string {
  const prompt = [...(params.prompt as unknown[]), { type: 'text', text: adviceFor(words) }]
  return `${JSON.stringify({ ...request, params: { ...params, prompt } })}\n`
}
