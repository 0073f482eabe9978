import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { nextName, placeOf } from '../../host/lineage.js'
import { runOf } from '../../host/run.js'
import { type Account, openAccount, rebuild } from '../shared/account.js'
import { begin, type Message, toEvents } from './messages.js'
import { feedCalls, feedStep, type Step } from './step.js'
import type { FindRun } from './tools.js'

/** One call of `generateText` or `streamText`, or of an agent. */
export interface Course {
  readonly account: Account
  /** its last words are ours, and nothing more is heard of it */
  isEnded: boolean
  /** whether the answer to the last request is heard while it comes */
  isHeard: boolean
  /** Tells what the steps brought that no other part has told. */
  feed(steps: readonly Step[]): void
  /** Notes what the model is asked with; gives reasons for it. */
  ask(messages: readonly Message[], model: unknown): string[]
  /** the name of the conversation as the last request had it */
  readonly name: string
}

/** What a guard knows a run by: the array of its steps, and those of the messages that its tools are given. */
const courses = new WeakMap<Guard | Guards, WeakMap<object, Course>>()

export const courseOf = (guard: Guard | Guards, key: unknown): Course | undefined =>
  courses.get(guard)?.get(Object(key))

export function noteCourse(guard: Guard | Guards, course: Course, ...keys: object[]): void {
  const own = courses.get(guard) ?? new WeakMap()
  courses.set(guard, own)
  for (const key of keys) own.set(key, course)
}

/** Messages of ours, which are not the person's. */
export const ours = new WeakSet<Message>()

/** The run that a tool is called in, unless it cannot be guarded; one that is called outside of a run is that of the only guard there is. */
export const finderOf =
  (guard: Guard | Guards): FindRun =>
  (messages) => {
    const { account } = courseOf(guard, messages) ?? {}
    if (!account) {
      if (isGuards(guard)) return
      // calls that a person has approved run before the first step of a request
      const run = runOf(guard)
      run.attempt(() => Array.isArray(messages) && rebuild(run, toEvents(messages)))
      return run
    }
    return account.isOwn ? account.run : undefined
  }

export async function openCourse(
  given: Guard | Guards,
  steps: readonly Step[],
  messages: readonly Message[],
): Promise<Course> {
  const account = await openAccount(given, 'ai-sdk', toEvents(messages))
  let read = 0
  let named = 0
  let name = ''
  const course: Course = {
    account,
    isEnded: false,
    isHeard: false,
    get name() {
      return name
    },
    feed(steps) {
      const { run } = account
      for (const step of steps.slice(read)) {
        read++
        if (!course.isEnded) run.attempt(() => (course.isHeard ? feedCalls : feedStep)(run, step))
      }
    },
    ask(messages, model) {
      const isFirst = named === 0
      const fresh = toEvents(messages.slice(named).filter((message) => !ours.has(message)))
      named = messages.length
      name = isFirst ? placeOf(fresh).whole : fresh.reduce(nextName, name)
      return isFirst ? begin(account.run, messages, model) : []
    },
  }
  noteCourse(given, course, steps)
  return course
}
