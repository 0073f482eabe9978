import type { Guard } from '../../guard.js'
import type { Guards } from '../../host/guards.js'
import { giveUp } from '../shared/account.js'
import { checkGuard, isGuarded, noteGuarded } from '../shared/given.js'
import { createEar } from './answer.js'
import { courseOf, finderOf, noteCourse, openCourse, ours } from './course.js'
import type { Message } from './messages.js'
import { toLastModel, toWatched } from './model.js'
import type { Step } from './step.js'
import { guardTools, type Tool } from './tools.js'

export { type Outcome, outcomeOf } from '../../host/run.js'
export { guardApproval } from './approval.js'
export { guardMiddleware } from './middleware.js'
export type { Step } from './step.js'
export { isStuck } from './stuck.js'

/** A step that comes next. */
export interface StepStart {
  steps: readonly Step[]
  stepNumber: number
  messages: readonly Message[]
  model: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK's types are generic over the tools; what we give fits all of them
type Any = any

/** What of a run is yours, and goes on to work; each may as well take the SDK's own types. */
export interface RunOptions {
  stopWhen?: StopCondition | readonly StopCondition[]
  prepareStep?(start: StepStart): unknown
  onStepFinish?(step: Step): unknown
  /** its name in version 7 */
  onStepEnd?(step: Step): unknown
}

type StopCondition = {
  // a method, since the SDK's own conditions know more of the steps than this
  is(options: { steps: Step[] }): boolean | PromiseLike<boolean>
}['is']

/** Goes into the options of a run. */
export interface GuardedRun {
  prepareStep: Any
  onStepFinish: Any
  stopWhen?: Any
}

/**
 * Options of `generateText`, `streamText` or an agent that guard its runs: tools that can be refused, a condition that ends
 * the run, advice before the next step, and an end to a chant. With `createGuards()` they serve all conversations of a program;
 * with one guard, one conversation, of which `outcomeOf(guard)` tells how it ended.
 *
 * @example
 * const guards = createGuards()
 * const agent = new ToolLoopAgent({ model, ...guardRun(guards, { tools, stopWhen: stepCountIs(20) }) })
 */
export function guardRun<Tools extends Record<string, Tool>>(
  guard: Guard | Guards,
  options: RunOptions & { tools: Tools },
): GuardedRun & { tools: Tools }
export function guardRun(guard: Guard | Guards, options?: RunOptions): GuardedRun
export function guardRun(
  guard: Guard | Guards,
  {
    tools,
    stopWhen,
    prepareStep,
    onStepFinish,
    onStepEnd,
  }: RunOptions & { tools?: Record<string, Tool> } = {},
): GuardedRun {
  checkGuard(guard, 'ai-sdk')
  let isPrepared = false

  /** Whether the words that end a stopped run are still to come: the next step has them, and asks nobody. */
  function isUnsaid({ steps }: { steps: readonly Step[] }): boolean {
    const course = courseOf(guard, steps)
    if (!course || course.isEnded || !course.account.isOwn) return false
    course.feed(steps)
    return course.account.run.stopped !== undefined
  }

  const unless =
    (isOver: StopCondition): StopCondition =>
    (options) =>
      !isUnsaid(options) && isOver(options)

  async function prepare(start: StepStart) {
    isPrepared = true
    const own = ((await prepareStep?.(start)) ?? {}) as Partial<StepStart>
    const { steps, model, messages } = { ...start, ...own }
    const course = courseOf(guard, steps) ?? (await openCourse(guard, steps, start.messages))
    const { account } = course
    noteCourse(guard, course, start.messages, messages)
    if (!account.enter()) return own
    const { run } = account
    course.feed(steps)
    const notes = run.attempt(() => course.ask(start.messages, model)) ?? []
    const { stopped } = run
    course.isEnded = stopped !== undefined
    if (stopped) {
      await account.leave(course.name)
      return { ...own, model: toLastModel(start.model, stopped) }
    }
    run.decide({ type: 'turn-start' })
    course.isHeard = typeof model === 'object'
    const heard = toWatched(guard, run, model, createEar(account, course.name))
    const content = [...notes, run.takeAdvice() ?? []].flat().join('\n')
    if (content === '') return { ...own, model: heard }
    const note = { role: 'user', content }
    ours.add(note)
    const told = [...messages, note]
    noteCourse(guard, course, told)
    return { ...own, model: heard, messages: told }
  }

  async function finish(step: Step) {
    if (!isPrepared)
      giveUp(guard, 'ai-sdk', 'prepareStep was not called: it was replaced, or the SDK is too old')
    isPrepared = true
    await onStepFinish?.(step)
    await onStepEnd?.(step)
  }

  const isKnown = isGuarded(prepareStep, guard)
  return {
    ...(tools && { tools: guardTools(finderOf(guard), tools) }),

    // any condition takes the place of the SDK's own limit
    ...(stopWhen && { stopWhen: [stopWhen].flat().map(unless) }),

    // options that are guarded already stay as they are
    prepareStep: isKnown ? prepareStep : noteGuarded(guard, prepare, prepareStep),
    onStepFinish: isKnown ? onStepFinish : finish,
  }
}
