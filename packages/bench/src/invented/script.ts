import type { AgentEvent } from 'unloop'
import { createRandom, type Random } from './random.js'

/** An agent run that nobody recorded: made up, with the verdict of a careful reader. */
export interface Invented {
  name: string
  kind: 'loop' | 'honest'
  domain: string
  /** why a careful person says so */
  why: string
  /** for loops: the step (model turn) at which a careful person would step in */
  evidentAt?: number
  events(seed: number): AgentEvent[]
}

/** A tool call together with its answer. */
export interface Call {
  name: string
  args?: unknown
  output?: unknown
  isError?: boolean
}

/** How the recording program writes events down. */
export interface Style {
  /** prefix of call ids; none when the program records none */
  ids?: string
  /** false when the program does not mark turns */
  turns?: boolean
  /** true when events carry their time */
  clock?: boolean
}

export interface Run extends Random {
  readonly events: AgentEvent[]
  /** model turns so far */
  readonly steps: number
  prompt(text: string): void
  /** what the model thinks at the start of its next step */
  think(text: string): void
  /** one model turn: what it says, and the round of calls it makes */
  step(say: string, ...calls: Call[]): void
  /** one model turn that starts a helper and waits for what it does */
  delegate(say: string, call: Call, helper: string, work: () => void): void
  /** laps until the run has that many steps */
  until(steps: number, lap: (index: number) => void): void
  /** the sub-agent that acts from here on; nothing for the main agent */
  as(agent?: string): void
  handoff(to: string, text?: string): void
  /** lets time pass */
  wait(seconds: number): void
}

interface About {
  name: string
  domain: string
  why: string
  style?: Style
}

export const loop = (
  { style, ...about }: About & { evidentAt: number },
  write: (run: Run) => void,
): Invented => ({ ...about, kind: 'loop', events: (seed) => play(seed, style, write) })

export const honest = ({ style, ...about }: About, write: (run: Run) => void): Invented => ({
  ...about,
  kind: 'honest',
  events: (seed) => play(seed, style, write),
})

/** The member of a list that comes up in lap `index`. */
export function cycle<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T
}

/** Numbers from 0 up to, not including, `count`. */
export const range = (count: number) => Array.from({ length: count }, (_, index) => index)

function play(seed: number, style: Style = {}, write: (run: Run) => void): AgentEvent[] {
  const run = createRun(seed, style)
  write(run)
  return run.events
}

function createRun(seed: number, style: Style): Run {
  const random = createRandom(seed)
  const events: AgentEvent[] = []
  let now = Date.UTC(2026, 8, 1) + random.int(0, 5_000_000) * 1000
  let agent: string | undefined
  let thought = ''
  let steps = 0

  const push = (event: AgentEvent) => {
    if (style.clock) event.at = now
    if (agent) event.agent = agent
    events.push(event)
  }

  const ask = (say: string, calls: Call[]) => {
    steps++
    now += random.int(1500, 9000)
    if (style.turns !== false) push({ type: 'turn-start' })
    if (thought) push({ type: 'reasoning', text: thought })
    thought = ''
    if (say) push({ type: 'text', text: say })
    const ids = calls.map(() => (style.ids ? { id: style.ids + random.token(20) } : {}))
    calls.forEach(({ name, args }, index) => {
      push({ type: 'tool-call', ...ids[index], name, args })
    })
    return ids
  }
  const answer = (calls: Call[], ids: { id?: string }[]) => {
    now += random.int(50, 2500)
    calls.forEach(({ name, output, isError }, index) => {
      const failed = isError === undefined ? {} : { isError }
      push({ type: 'tool-result', ...ids[index], name, output, ...failed })
    })
  }

  const run: Run = {
    ...random,
    events,
    get steps() {
      return steps
    },
    prompt: (text) => push({ type: 'prompt', text }),
    think: (text) => {
      thought = text
    },
    step(say, ...calls) {
      answer(calls, ask(say, calls))
    },
    delegate(say, call, helper, work) {
      const ids = ask(say, [call])
      const caller = agent
      agent = helper
      work()
      agent = caller
      answer([call], ids)
    },
    until(count, lap) {
      for (let index = 0; steps < count; index++) lap(index)
    },
    as: (name) => {
      agent = name
    },
    handoff: (to, text) => push({ type: 'handoff', to, ...(text ? { text } : {}) }),
    wait: (seconds) => {
      now += seconds * 1000
    },
  }
  return run
}

export function times(count: number, act: (index: number) => void) {
  for (let index = 0; index < count; index++) act(index)
}

export function each<T>(list: readonly T[], act: (item: T, index: number) => void) {
  for (const [index, item] of list.entries()) act(item, index)
}
