import type { AgentEvent } from 'unloop'
import type { Random } from '../random.js'
import type { Agent } from './agents.js'
import type { Trace } from './trace.js'
import type { World } from './world.js'

/** One scripted run, of which we know whether it is a loop. */
export interface LoopCase {
  /** kind and number; the same seed gives the same case */
  id: string
  kind: string
  family: string
  loop: boolean
  /** number of the event after which a careful person would step in */
  evidentAt?: number
  /** number of the event with which the second repeat begins; a finding before it is a false alarm */
  secondRepeatAt?: number
  events: AgentEvent[]
}

/** Where a loop became visible, in numbers of events. */
export interface Evidence {
  evidentAt: number
  secondRepeatAt: number
}

/** What a kind has at hand when it writes a run. */
export interface Stage {
  random: Random
  agent: Agent
  world: World
  trace: Trace
}

/** A kind of loop: how to write one, and in words when it becomes evident. */
export interface LoopKind {
  kind: string
  evident: string
  write(stage: Stage): Evidence
}

/** Honest work that looks like a loop. */
export interface LookalikeKind {
  kind: string
  write(stage: Stage): void
}

export interface Family {
  family: string
  loops: readonly LoopKind[]
  lookalikes: readonly LookalikeKind[]
}
