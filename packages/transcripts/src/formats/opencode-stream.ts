import type { Reader, RecordFormat, Sink } from '../format.js'
import { isObject, type Json, objectOf, textOf, timeOf } from '../json.js'
import { kindOfStop, setOutcome } from '../outcome.js'
import { stamp } from '../stamp.js'
import type { Run } from '../transcript.js'
import { emitPart } from './opencode-parts.js'

/** opencode without a terminal: what `opencode run --format json` prints. */
export const opencodeStream: RecordFormat = {
  name: 'opencode-stream',
  title: 'opencode stream',
  stage: 'stable',
  container: 'records',
  layouts: ['lines'],
  isPrinted: true,
  detect: ({ records }) => records.some(isOurs),
  start: createReader,
}

const isOurs = ({ type, sessionID, part, error }: Json) =>
  textOf(sessionID)?.startsWith('ses') === true &&
  ((isObject(part) && textOf(part.messageID) !== undefined) ||
    (type === 'error' && isObject(error)))

function createReader(sink: Sink): Reader {
  const run: Run = sink.run({ program: 'opencode' })
  return {
    read(line) {
      const session = textOf(line.sessionID)
      if (session) run.session ??= session
      // the printed time is that of the printing; parts that lasted have their own
      const at = timeOf(objectOf(objectOf(objectOf(line.part).state).time).start)
      const time = at ?? timeOf(line.timestamp)
      if (time !== undefined) run.startedAt ??= time
      const agent = session !== undefined && session !== run.session ? session : undefined
      const emit = stamp(sink, run, time, agent)
      if (line.type === 'error') {
        const name = textOf(objectOf(line.error).name) ?? 'error'
        const isLimit = /OutputLength|ContextOverflow/.test(name.slice(0, 200))
        const kind = name === 'MessageAbortedError' ? 'aborted' : isLimit ? 'limit' : 'failed'
        setOutcome(run, kind, name)
        return void emit({ type: 'turn-end' })
      }
      if (!isObject(line.part)) return 'a line without a part'
      const { type, reason } = line.part
      if (agent === undefined) {
        const end = type === 'step-finish' ? textOf(reason) : undefined
        setOutcome(run, kindOfStop(end), end)
      }
      emitPart(line.part, undefined, emit)
    },
  }
}
