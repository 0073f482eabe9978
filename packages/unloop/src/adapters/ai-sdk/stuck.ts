import { createGuard, type Guard } from '../../guard.js'
import { type Run, runOf } from '../../host/run.js'
import { isAlone } from '../shared/alone.js'
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
    return isAlone(reading.run, steps) && read(reading, steps)
  }
}

interface Reading {
  run: Run
  steps: number
  isStuck: boolean
}

const startReading = (guard: Guard): Reading => ({
  run: runOf(guard, 'ai-sdk'),
  steps: 0,
  isStuck: false,
})

function read(reading: Reading, steps: readonly Step[]): boolean {
  const { run } = reading
  const { guard } = run
  const before = guard.findings.at(-1)
  for (const step of steps.slice(reading.steps)) {
    reading.steps++
    run.decide({ type: 'turn-start' })
    run.attempt(() => feedStep(run, step))
  }
  const found = guard.findings.slice(before ? guard.findings.lastIndexOf(before) + 1 : 0)
  // a model that is told nothing cannot better itself, so it is not waited for
  reading.isStuck ||= found.some(({ certainty }) => certainty === 'certain')
  return guard.mode === 'enforce' && (reading.isStuck || run.stopped !== undefined)
}
