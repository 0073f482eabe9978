import type { Finding } from '../../finding.js'
import { createGuard, type Guard } from '../../guard.js'
import { type Run, runOf } from '../../host/run.js'
import { isAlone } from '../shared/alone.js'
import { type Course, courseOf } from './course.js'
import { feedStep, type Step } from './step.js'

/**
 * A condition that ends a run which is certainly stuck, in the SDK's own way. It reads the steps and changes nothing; without a guard it
 * is a pure function of them, which an agent may have for all its users.
 *
 * @example generateText({ model, tools, prompt, stopWhen: [stepCountIs(20), isStuck()] })
 */
export function isStuck(guard?: Guard) {
  if (guard) runOf(guard, 'ai-sdk')
  const readings = new WeakMap<object, Reading>()
  return ({ steps }: { steps: readonly Step[] }): boolean => {
    const reading = readings.get(steps) ?? startReading(guard ?? createGuard())
    readings.set(steps, reading)
    const course = guard && courseOf(guard, steps)
    const isOwn = course ? course.account.isOwn : isAlone(reading.run, steps)
    return isOwn && read(reading, steps, course)
  }
}

interface Reading {
  run: Run
  steps: number
  /** the finding that was known last */
  last: Finding | undefined
  isStuck: boolean
}

const startReading = (guard: Guard): Reading => ({
  run: runOf(guard, 'ai-sdk'),
  steps: 0,
  last: guard.findings.at(-1),
  isStuck: false,
})

function read(reading: Reading, steps: readonly Step[], course: Course | undefined): boolean {
  const { run } = reading
  // `guardRun` of the same guard tells of them
  course?.feed(steps)
  for (const step of course ? [] : steps.slice(reading.steps)) {
    reading.steps++
    run.decide({ type: 'turn-start' })
    run.attempt(() => feedStep(run, step))
  }
  const { findings, mode } = run.guard
  const found = findings.slice(reading.last ? findings.lastIndexOf(reading.last) + 1 : 0)
  reading.last = findings.at(-1)
  // a model that is told nothing cannot better itself, so it is not waited for
  reading.isStuck ||= found.some(({ certainty }) => certainty === 'certain')
  return mode === 'enforce' && (reading.isStuck || run.stopped !== undefined)
}
