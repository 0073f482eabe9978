import { createGuard } from 'unloop'
import { presets } from 'unloop/presets'
import { LoopDetectionService } from 'unloop/service'
import { isStop, type PublishedPeer } from '../published/load.js'
import type { CallEvent } from './material.js'

/** Something that takes events and says whether it raised an alarm, which ordinary material must not cause. */
export interface Contender {
  name: string
  /** published packages are thousands of times slower, so they get less of the same text */
  slow: boolean
  /** begins a message; the function it returns takes the deltas, in any number of calls */
  startText(): (deltas: readonly string[]) => boolean
  calls(calls: readonly CallEvent[]): boolean
  callsAndAnswers?(calls: readonly CallEvent[], answers: readonly string[]): boolean
}

// a new prompt after this many calls: real prompts rarely need more
const callsPerPrompt = 40

export const limitName = 'bare charCodeAt loop'

export function createContenders(peers: readonly PublishedPeer[]): Contender[] {
  return [
    limit(),
    guard('unloop, all default detectors', () => createGuard()),
    guard('unloop, preset gemini-cli', () => createGuard({ preset: presets['gemini-cli'] })),
    service('unloop/service', () => new LoopDetectionService({}), false),
    ...peers.map((peer) => service(`${peer.name} ${peer.version}`, peer.create, true)),
  ]
}

function limit(): Contender {
  return {
    name: limitName,
    slow: false,
    startText: () => (deltas) => {
      let sum = 0
      for (const delta of deltas) {
        for (let index = 0; index < delta.length; index++) sum = (sum + delta.charCodeAt(index)) | 0
      }
      return sum === 0.5
    },
    calls(calls) {
      let sum = 0
      for (const call of calls) sum += JSON.stringify(call.args).length
      return sum === 0.5
    },
  }
}

function guard(name: string, create: () => ReturnType<typeof createGuard>): Contender {
  return {
    name,
    slow: false,
    startText() {
      const { observe } = create()
      observe({ type: 'prompt', id: 'p' })
      observe({ type: 'turn-start' })
      return (deltas) => {
        let alarm = false
        for (const text of deltas) if (observe({ type: 'text', text })) alarm = true
        return alarm
      }
    },
    calls(calls) {
      const { observe } = create()
      let alarm = false
      for (let index = 0; index < calls.length; index++) {
        if (index % callsPerPrompt === 0) observe({ type: 'prompt', id: `p${index}` })
        observe({ type: 'turn-start' })
        if (observe(calls[index] as CallEvent)) alarm = true
      }
      return alarm
    },
    callsAndAnswers(calls, answers) {
      const { observe } = create()
      let alarm = false
      for (let index = 0; index < calls.length; index++) {
        const call = calls[index] as CallEvent
        if (index % callsPerPrompt === 0) observe({ type: 'prompt', id: `p${index}` })
        observe({ type: 'turn-start' })
        if (observe(call)) alarm = true
        const answer = { id: call.id as string, name: call.name, output: answers[index] }
        if (observe({ type: 'tool-result', ...answer })) alarm = true
      }
      return alarm
    },
  }
}

interface ServiceLike {
  reset(promptId: string): void
  addAndCheck(event: { type: string; value: unknown }): boolean | { count: number }
}

function service(name: string, create: () => ServiceLike, slow: boolean): Contender {
  return {
    name,
    slow,
    startText() {
      const service = create()
      service.reset('p')
      return (deltas) => {
        let alarm = false
        for (const value of deltas) {
          if (isStop(service.addAndCheck({ type: 'content', value }))) alarm = true
        }
        return alarm
      }
    },
    calls(calls) {
      const service = create()
      let alarm = false
      for (let index = 0; index < calls.length; index++) {
        const { id, name, args } = calls[index] as CallEvent
        if (index % callsPerPrompt === 0) service.reset(`p${index}`)
        const value = { callId: id, name, args, prompt_id: 'p' }
        if (isStop(service.addAndCheck({ type: 'tool_call_request', value }))) alarm = true
      }
      return alarm
    },
  }
}
