import type { Guard } from '../../guard.js'
import type { Guards } from '../../host/guards.js'
import { resume } from '../../host/resume.js'
import { runOf } from '../../host/run.js'
import type { Any } from '../shared/any.js'
import { checkGiven, guardOr, isGuarded, noteGuarded } from '../shared/given.js'
import { isGuardedAgent, originalOf } from './agents.js'
import { historyOf, isState, openConversation } from './conversations.js'
import { type Course, createCourse } from './course.js'
import { toEvents } from './items.js'
import { isUnused } from './model.js'

export { type Outcome, outcomeOf } from '../../host/run.js'

/**
 * The same runner, guarded: in its runs tools can be refused, the model is advised, a chant is cut, and the run ends with the
 * output "Stopped: …". With `createGuards()`, each conversation has a guard of its own.
 *
 * @example
 * const guards = createGuards()
 * const runner = guardRunner(guards, new Runner())
 */
export function guardRunner<Runner extends { config: object; run: Any }>(
  guard: Guard | Guards,
  runner: Runner,
): Runner {
  checkGiven(NAME, 'a Runner', runner, typeof runner?.run === 'function')
  if (isGuarded(runner, guard)) return runner
  checkGiven(NAME, 'a Runner that no other guard watches', runner, !isGuarded(runner))
  return guardOr(guard, ADAPTER, runner, () => noteGuarded(guard, toGuarded(guard, runner)))
}

const ADAPTER = 'openai-agents'
const NAME = 'guardRunner of unloop/openai-agents'

/**
 * The guard of a run, for its result or the error it ended with: where a runner has many, this tells which.
 *
 * @example
 * const guard = guardOf(await runner.run(agent, 'Why?'))
 */
export const guardOf = (result: object): Guard | undefined =>
  (courses.get(result) ?? courses.get((result as Any)?.state?._context))?.run.guard

/** The runs by their contexts, which their states have, and by the errors that they ended with, of which not all have a state. */
const courses = new WeakMap<object, Course>()

function toGuarded(given: Guard | Guards, runner: Any): Any {
  const guarded = Object.assign(new runner.constructor(), runner)
  const { run, config } = runner
  if (!config.modelProvider) throw new Error('no provider')

  guarded.run = async (agent: Any, input: Any, options: Any, ...rest: unknown[]) => {
    const started = await begin(given, config, agent, input, options)
    if (!started) return run.call(guarded, agent, input, options, ...rest)
    const { course, save } = started
    const own = Object.assign(new runner.constructor(), guarded, { config: course.config })
    const end = async (error?: unknown) => {
      course.run.attempt(() => {
        course.end()
        if (error instanceof Object) courses.set(error, course)
      })
      await save(course.history)
    }
    try {
      const result = await run.call(own, started.agent, started.input, options, ...rest)
      course.run.attempt(() => finish(result, course))
      if (result.completed) result.completed.then(() => end(), end)
      else await end()
      return result
    } catch (error) {
      await end(error)
      throw error
    }
  }
  return guarded
}

interface Started {
  course: Course
  save(history: readonly Any[]): Promise<void>
  agent: Any
  input: Any
}

/** Finds the guard of a run, and gives what is run in the place of what the program gave; nothing if that cannot be guarded. */
async function begin(
  given: Guard | Guards,
  config: Any,
  agent: Any,
  input: Any,
  options: Any,
): Promise<Started | undefined> {
  let guard: Guard | undefined
  try {
    const known = isState(input) && courses.get(input._context)
    const conversation = await openConversation(known ? known.run.guard : given, input, options)
    guard = conversation.guard
    if (known && isGuardedAgent(input._currentAgent)) {
      return { course: known, save: conversation.save, agent, input }
    }
    const course = createCourse({
      guard,
      config,
      agent: agent.name,
      isResumed: isState(input),
      onContext: (context, own) => courses.set(context, own),
    })
    const { save } = conversation
    const own = course.guardAgent(agent)
    if (!isState(input)) return { course, save, agent: own, input }
    if (isUnused(course.run)) resume(course.run, toEvents(historyOf(input)))
    return { course, save, agent: own, input: await adopt(own, input) }
  } catch (error) {
    const why = `a run is not guarded: ${error}`
    if (guard) runOf(guard, ADAPTER).giveUp(why)
    else given.addFault(ADAPTER, new Error(why))
  }
}

/** A state that was read from a string, with our agents in the place of the program's. */
const adopt = (agent: Any, state: Any): Promise<Any> =>
  state.constructor.fromStringWithContext(agent, state.toString(), state._context)

function finish(result: Any, course: Course): void {
  courses.set(result.state._context, course)
  Object.defineProperty(result, 'lastAgent', {
    get: () => originalOf(result.state._currentAgent),
  })
}
