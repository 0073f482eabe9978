import { sentence } from '../prose.js'
import type { Stage } from './case.js'
import { statement, symbol } from './code.js'
import { listing, matches, testRunners } from './outputs.js'
import { stems } from './tables/names.js'
import { beforeEditing, beforeReading, beforeTesting, requests } from './tables/talk.js'

/** A request of the person, then some steps of honest work: looking, reading, changing, testing. */
export function startWorking(stage: Stage, steps = stage.random.int(0, 14)): void {
  const { random, trace, world } = stage
  trace.prompt(fill(random.pick(requests), random.pick(world.paths)))
  if (random.chance(0.4)) trace.message(plan(stage))
  keepWorking(stage, steps)
}

/** Honest work: no call is made twice, every answer is new. */
export function keepWorking(stage: Stage, steps: number): void {
  const { random } = stage
  for (let step = 0; step < steps; step++) {
    random.pick([readSomething, readSomething, searchSomething, listSomething, editSomething])(
      stage,
    )
  }
}

export function readSomething(stage: Stage, path = stage.world.freshPath()): void {
  const { random, trace, world, agent } = stage
  const lines = world.lines(path)
  const count = Math.min(lines.length, random.int(40, 200))
  trace.step(
    agent.read(path, 1, count),
    agent.shown(path, lines.slice(0, count), 1, lines.length),
    {
      say: maybe(stage, fill(random.pick(beforeReading), path)),
    },
  )
}

function searchSomething({ random, trace, world, agent }: Stage): void {
  const pattern = symbol(random, world.language)
  const folder = random.pick(world.paths).replace(/\/[^/]*$/, '')
  trace.step(agent.search(pattern, folder), matches(random, world.paths, pattern))
}

function listSomething({ random, trace, world, agent }: Stage): void {
  const folder = random.pick(world.paths).replace(/\/[^/]*$/, '')
  trace.step(agent.list(`${folder}/${random.pick(stems)}`), listing(random))
}

export function editSomething(stage: Stage, path = stage.random.pick(stage.world.paths)): void {
  const { random, trace, world, agent } = stage
  const before = statement(random, world.language)
  const after = `${before}\n${statement(random, world.language)}`
  trace.step(
    agent.edit(path, before, after),
    agent.edited(path, snippet(random.int(3, 300), after)),
    {
      say: maybe(stage, fill(random.pick(beforeEditing), path)),
    },
  )
}

/** Runs the tests with so many failures left. */
export function testSomething(stage: Stage, failing: readonly string[], total: number): void {
  const { random, trace, agent, world } = stage
  const runner = runnerFor(world.language)
  trace.step(
    agent.shell(runner.command, 'Run the tests'),
    agent.printed(
      random,
      runner.command,
      runner.print(random, failing, total),
      failing.length ? 1 : 0,
    ),
    { say: maybe(stage, random.pick(beforeTesting)), failed: failing.length > 0 },
  )
}

export function runnerFor(language: string) {
  const index = ['py', 'ts', 'go', 'java', 'rs'].indexOf(language)
  return testRunners[Math.max(0, index)] as (typeof testRunners)[number]
}

export function snippet(from: number, text: string): string {
  return text
    .split('\n')
    .map((line, index) => `${String(from + index).padStart(6)}\t${line}`)
    .join('\n')
}

export const fill = (template: string, value: string) => template.replaceAll('{x}', value)

/** Agents do not always speak before they act. */
export function maybe(stage: Stage, text: string): string | undefined {
  return stage.random.chance(0.6) ? text : undefined
}

function plan({ random }: Stage): string {
  const steps = Array.from(
    { length: random.int(2, 5) },
    (_, index) => `${index + 1}. ${sentence(random)}`,
  )
  return `Here is my plan:\n${steps.join('\n')}`
}
