import type { AgentEvent } from 'unloop'
import { type Invented, invented } from '../invented/index.js'
import type { SourceRun } from './sources.js'

// whoever has not ended an invented loop by then has missed it
const PATIENCE = 60

/** Each invented scenario with so many seeds; a loop ends after sixty steps. */
export function* inventedRuns(seed: number, seeds: number): Generator<SourceRun> {
  for (const scenario of invented) {
    for (let number = 0; number < seeds; number++) yield toRun(scenario, seed, number)
  }
}

function toRun({ name, kind, domain, evidentAt, events }: Invented, seed: number, number: number) {
  const all = events(seed + number)
  const ends = stepEnds(all)
  const loop = kind === 'loop'
  const run: SourceRun = {
    id: `${name}/${number}`,
    kind: name,
    family: `invented ${domain}`,
    loop,
    events: loop ? all.slice(0, (ends[PATIENCE - 1] ?? all.length - 1) + 1) : all,
    sections: ['invented'],
  }
  if (!loop) return run
  // they begin with the run, so an alarm is never about something else
  run.secondRepeatAt = 0
  const evident = ends[(evidentAt ?? 0) - 1]
  if (evident !== undefined) run.evidentAt = evident
  return run
}

/** The number of the last event of each step of the model, whether turns were recorded or not. */
export function stepEnds(events: readonly AgentEvent[]): number[] {
  const hasTurns = events.some(({ type }) => type === 'turn-start')
  const ends: number[] = []
  let isOpen = false
  for (const [number, { type }] of events.entries()) {
    const before = events[number - 1]?.type
    const isModel = type === 'text' || type === 'reasoning' || type === 'tool-call'
    const begins = hasTurns
      ? type === 'turn-start'
      : isModel && (before === 'tool-result' || (type === 'text' && before === 'text'))
    if (isOpen && (begins || type === 'prompt')) {
      ends.push(number - 1)
      isOpen = false
    }
    if (begins || isModel) isOpen = true
  }
  if (isOpen) ends.push(events.length - 1)
  return ends
}
