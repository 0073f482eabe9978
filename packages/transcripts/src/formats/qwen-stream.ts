import type { RecordFormat } from '../format.js'
import { type Json, textOf } from '../json.js'
import { createStreamJsonReader } from './stream-json.js'

/** qwen-code without a terminal: what `qwen -p … --output-format stream-json` prints, which is close to Claude Code's. */
export const qwenStream: RecordFormat = {
  name: 'qwen-stream',
  title: 'qwen-code stream',
  stage: 'stable',
  container: 'records',
  layouts: ['lines'],
  isPrinted: true,
  detect: ({ records }) => records.some(isOurs),
  // each part of an answer is a message with an id of its own
  start: (sink) => createStreamJsonReader(sink, { program: 'qwen-code', isTurnPerMessage: false }),
}

const isOurs = ({ type, subtype, qwen_code_version }: Json) =>
  type === 'system' && subtype === 'init' && textOf(qwen_code_version) !== undefined
