import type { RecordFormat } from '../format.js'
import { isObject, type Json, textOf } from '../json.js'
import { createStreamJsonReader } from './stream-json.js'

/** Claude Code without a terminal: what `claude -p --output-format stream-json --verbose` prints. */
export const claudeStream: RecordFormat = {
  name: 'claude-stream',
  title: 'Claude Code stream',
  stage: 'stable',
  container: 'records',
  layouts: ['lines'],
  isPrinted: true,
  detect: ({ records }) => records.some(isOurs),
  // the answer of a tool a second time, with the whole file that was edited
  shortcuts: {
    unread: ',"tool_use_result":',
    isEnough: (line) =>
      line.type === 'user' &&
      isObject(line.message) &&
      'parent_tool_use_id' in line &&
      'timestamp' in line,
  },
  start: (sink) => createStreamJsonReader(sink, { program: 'claude-code', isTurnPerMessage: true }),
}

/** Files of sessions have `sessionId` in its place. */
const isOurs = ({ type, subtype, session_id, message }: Json) =>
  textOf(session_id) !== undefined &&
  ((type === 'system' && subtype === 'init') ||
    ((type === 'assistant' || type === 'user') && isObject(message)))
