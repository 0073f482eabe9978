import { type AgentEvent, createGuard } from 'unloop'
import { isStop, type PublishedPeer, type PublishedService } from '../published/load.js'
import { openHandsRule } from '../rules/open-hands.js'
import { openRouterRule } from '../rules/open-router.js'
import { openCodeRule } from '../rules/opencode.js'
import type { Rule } from '../rules/rule.js'
import { stellaRule } from '../rules/stella.js'

/** What a contender said about a run: which event showed it, and by which detector. */
export interface Alarm {
  at: number
  detector: string
  detail: string
  /** the loop it is about, where the contender tells one loop from another */
  identity?: string
}

/** Something that watches a run from its first event. */
export interface Contender {
  name: string
  watch(events: readonly AgentEvent[]): Alarm[]
}

type GuardOptions = NonNullable<Parameters<typeof createGuard>[0]>

export const ours = 'unloop'

export function createContenders(peers: readonly PublishedPeer[], onlyOurs = false): Contender[] {
  const own = guardContender(ours)
  if (onlyOurs) return [own]
  return [
    own,
    guardContender('unloop, preset gemini-cli', { preset: 'gemini-cli' }),
    guardContender('unloop, preset qwen-code', { preset: 'qwen-code' }),
    ...peers.map((peer) => serviceContender(`${peer.name} ${peer.version}`, peer.create)),
    ...[openHandsRule, stellaRule, openRouterRule, openCodeRule].map(ruleContender),
  ]
}

// one alarm decides a run; a few more show whether the same loop is reported again and again
const enoughAlarms = 12

export function guardContender(name: string, options?: GuardOptions): Contender {
  return {
    name,
    watch(events) {
      const guard = createGuard(options)
      const alarms: Alarm[] = []
      for (let at = 0; at < events.length && alarms.length < enoughAlarms; at++) {
        const finding = guard.observe(events[at] as AgentEvent)
        if (!finding) continue
        const { detector, detail, identity } = finding
        alarms.push({ at, detector, detail, identity })
      }
      return alarms
    },
  }
}

function ruleContender(rule: Rule): Contender {
  return {
    name: rule.name,
    watch(events) {
      const observe = rule.start()
      for (const [at, event] of events.entries()) {
        const said = observe(event)
        if (said) return [{ at, detector: said, detail: said }]
      }
      return []
    },
  }
}

function serviceContender(name: string, create: () => PublishedService): Contender {
  return {
    name,
    watch(events) {
      const service = create()
      service.reset('p')
      for (const [at, event] of events.entries()) {
        if (event.type === 'prompt') service.reset(`p${at}`)
        const translated = toServiceEvent(event)
        if (translated && isStop(service.addAndCheck(translated))) {
          return [{ at, detector: translated.type, detail: translated.type }]
        }
      }
      return []
    },
  }
}

function toServiceEvent(event: AgentEvent): { type: string; value: unknown } | undefined {
  if (event.type === 'text') return { type: 'content', value: event.text }
  if (event.type !== 'tool-call') return undefined
  const { id: callId = 'call', name, args = {} } = event
  return { type: 'tool_call_request', value: { callId, name, args, prompt_id: 'p' } }
}
