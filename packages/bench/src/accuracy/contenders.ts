import { type AgentEvent, createGuard, type GuardOptions } from 'unloop'
import { presets } from 'unloop/presets'
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
  /** it ends the run, or asks the person whether to */
  stops: boolean
  /** the loop it is about, if the contender distinguishes loops */
  identity?: string
}

/** Something that watches a run from its first event until it stops it. */
export interface Contender {
  name: string
  watch(events: readonly AgentEvent[]): Alarm[]
}

export const ours = 'unloop'

export function createContenders(peers: readonly PublishedPeer[], onlyOurs = false): Contender[] {
  const own = guardContender(ours)
  if (onlyOurs) return [own]
  return [
    own,
    guardContender('unloop, preset gemini-cli', { preset: presets['gemini-cli'] }),
    guardContender('unloop, preset qwen-code', { preset: presets['qwen-code'] }),
    ...peers.map((peer) => serviceContender(`${peer.name} ${peer.version}`, peer.create)),
    ...[openHandsRule, stellaRule, openRouterRule, openCodeRule].map(ruleContender),
  ]
}

export function guardContender(name: string, options?: GuardOptions): Contender {
  return {
    name,
    watch(events) {
      const guard = createGuard(options)
      return until(events, (event) => {
        const finding = guard.observe(event)
        if (!finding) return
        const { detector, detail, identity, action } = finding
        return { detector, detail, identity, stops: action === 'stop' || action === 'ask' }
      })
    },
  }
}

function ruleContender(rule: Rule): Contender {
  return {
    name: rule.name,
    watch(events) {
      const observe = rule.start()
      return until(events, (event) => {
        const said = observe(event)
        return said && { detector: said.what, detail: said.what, stops: said.stops }
      })
    },
  }
}

/** A report from a published class asks the person or ends the run. */
function serviceContender(name: string, create: () => PublishedService): Contender {
  return {
    name,
    watch(events) {
      const service = create()
      service.reset('p')
      return until(events, (event, at) => {
        if (event.type === 'prompt') service.reset(`p${at}`)
        const translated = toServiceEvent(event)
        if (!translated || !isStop(service.addAndCheck(translated))) return
        return { detector: translated.type, detail: translated.type, stops: true }
      })
    },
  }
}

/** All alarms up to the one that stops the run: the rest would not have happened. */
function until(
  events: readonly AgentEvent[],
  look: (event: AgentEvent, at: number) => Omit<Alarm, 'at'> | undefined,
): Alarm[] {
  const alarms: Alarm[] = []
  for (const [at, event] of events.entries()) {
    const alarm = look(event, at)
    if (alarm) alarms.push({ at, ...alarm })
    if (alarm?.stops) break
  }
  return alarms
}

function toServiceEvent(event: AgentEvent): { type: string; value: unknown } | undefined {
  if (event.type === 'text') return { type: 'content', value: event.text }
  if (event.type !== 'tool-call') return undefined
  const { id: callId = 'call', name, args = {} } = event
  return { type: 'tool_call_request', value: { callId, name, args, prompt_id: 'p' } }
}
