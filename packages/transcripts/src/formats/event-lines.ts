import type { AgentEvent } from 'unloop'
import type { RecordFormat } from '../format.js'
import { isObject, type Json, textOf } from '../json.js'
import type { Run } from '../transcript.js'
import { whyNoEvent, whyUnlike } from '../why-no-event.js'

/** Our own events, one a line; or one run a line, its events in a list. */
export const eventLines: RecordFormat = {
  name: 'event-lines',
  title: 'unloop events',
  stage: 'stable',
  container: 'records',
  layouts: ['lines', 'document'],

  detect: ({ records, layout, isArray }) => {
    if (records.some((record) => typeof record.unloop === 'number' || isWholeRun(record)))
      return true
    const good = records.filter(isLike)
    // what stands alone and has more than an event has may be anything
    if (layout !== 'lines' && !isArray) return good.length > 0 && good.every(hasNoMore)
    return good.length > 0 && good.length * 2 >= records.length
  },

  start(sink) {
    let run: Run | undefined
    return {
      read(record) {
        if (typeof record.unloop === 'number') {
          if (record.unloop !== 1) return `written by a newer version (${record.unloop})`
          run = sink.run(factsOf(record))
          return
        }
        if (Array.isArray(record.events) && record.type === undefined) {
          const whole = sink.run(factsOf(record))
          const events: unknown[] = record.events
          const reason = events.map(whyNoEvent).find((why) => why !== undefined)
          if (reason !== undefined) return reason
          for (const event of events) sink.emit(whole, event as AgentEvent)
          return
        }
        const reason = whyNoEvent(record)
        if (reason !== undefined) return reason
        run ??= sink.run()
        sink.emit(run, record as AgentEvent)
      },
    }
  },
}

const MEMBERS = new Set([
  ...['type', 'at', 'agent', 'id', 'name', 'model', 'text', 'to', 'args', 'output', 'isError'],
  ...['inputTokens', 'cachedTokens', 'cacheWriteTokens', 'cacheWriteHourTokens'],
  ...['outputTokens', 'contextTokens', 'cost'],
])

const hasNoMore = (record: Json) => Object.keys(record).every((member) => MEMBERS.has(member))

const isLike = (record: Json) => whyUnlike(record) === undefined

const isWholeRun = ({ events, type }: Json) =>
  type === undefined && Array.isArray(events) && isObject(events[0]) && isLike(events[0])

/** The first line, or a line that holds a run, may say whose it is. */
function factsOf(record: Json): Partial<Run> {
  const session = textOf(record.session) ?? textOf(record.id)
  const program = textOf(record.program) ?? textOf(record.source)
  const project = textOf(record.project)
  const model = textOf(record.model)
  return {
    ...(session && { session }),
    ...(program && { program }),
    ...(project && { project }),
    ...(model && { model }),
  }
}
