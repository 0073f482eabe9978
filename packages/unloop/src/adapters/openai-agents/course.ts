import type { Guard } from '../../guard.js'
import { createLineage, type Lineage, placeOf } from '../../host/lineage.js'
import { type Run, runOf } from '../../host/run.js'
import type { Any } from '../shared/any.js'
import { createGuardAgent } from './agents.js'
import { createInner } from './inner.js'
import { toEvents, toItems } from './items.js'
import { createTurns } from './model.js'

/** One run of a runner. */
export interface Course {
  readonly run: Run
  /** what was said, as far as it was sent to a model */
  readonly history: readonly Any[]
  guardAgent(agent: Any): Any
  /** what the SDK's runner is to be made with */
  readonly config: Any
  /** The run is over, for now. */
  end(): void
}

/** What runs with the same guard know of each other. */
interface Floor {
  lineage: Lineage
  /** runs that are not over, and not inside a tool of another */
  open: Set<object>
  /** those of them whose tools run */
  inTools: Set<object>
  /** how many agents have run inside tools */
  inner: number
}

const floors = new WeakMap<Guard, Floor>()

function floorOf(guard: Guard): Floor {
  const known = floors.get(guard)
  const floor = known ?? { lineage: createLineage(), open: new Set(), inTools: new Set(), inner: 0 }
  floors.set(guard, floor)
  return floor
}

const SHARED = 'two runs at once share this guard; createGuards() gives each conversation its own'

export interface CourseOptions {
  guard: Guard
  config: Any
  agent: string
  /** it goes on from a state */
  isResumed: boolean
  onContext(context: object, course: Course): void
}

/** A run that begins. */
export function createCourse({
  guard,
  config,
  agent,
  isResumed,
  onContext,
}: CourseOptions): Course {
  const root = runOf(guard, 'openai-agents')
  const floor = floorOf(guard)
  const { open, inTools, lineage } = floor
  const key = {}
  // while all others wait for their tools, this is an agent inside one of them
  const isInner = open.size > 0 && inTools.size === open.size
  const run = isInner ? root.within(`${agent} ${++floor.inner}`) : root
  let isSide: boolean | undefined

  function isWatched(request?: Any): boolean {
    if (request) {
      isSide ??= !isResumed && isAside(request)
      if (!isSide && !isAlone(request)) root.giveUp(SHARED)
    }
    return !isSide && root.outcome !== 'unguarded'
  }

  /** Whether a run is none of this conversation, such as one that asks for a title. */
  function isAside({ input, tools = [], handoffs = [] }: Any): boolean {
    if (tools.length > 0 || handoffs.length > 0 || startOf(input) !== undefined) return false
    return open.size > 0 || root.calls.length > 0
  }

  let hasEntered = isResumed

  /** Notes that it asks; false if it shares the guard with others. */
  function isAlone({ input, conversationId, previousResponseId }: Any): boolean {
    if (isInner) return inTools.size === open.size
    open.add(key)
    const isKnown = hasEntered || conversationId || previousResponseId
    hasEntered = true
    return open.size === 1 && (isKnown || lineage.enter(startOf(input)) !== 'shared')
  }

  const turns = createTurns(run, {
    isNew: !isResumed,
    isWatched,
    onCalls(isRunning) {
      if (isRunning && open.has(key)) inTools.add(key)
      else inTools.delete(key)
    },
    onError: (error) => onContext(error, course),
  })
  const inner = createInner(run, () => `${++floor.inner}`)
  let isOurs = false

  /** A model that is known by name is made by the provider, which is asked right after this. */
  function modelOf(own: Any): Any {
    const selected = own || config.model
    if (typeof selected === 'object') return turns.guardModel(selected)
    isOurs = true
    queueMicrotask(() => {
      isOurs = false
    })
    return own
  }

  // agents that are tools have the same provider
  const getModel = (name?: string) => {
    const made = config.modelProvider.getModel(name)
    const guardModel = isOurs ? turns.guardModel : inner.guardModel
    return 'then' in made ? made.then(guardModel) : guardModel(made)
  }

  const course: Course = {
    run,
    get history() {
      return turns.history
    },
    guardAgent: createGuardAgent({
      run,
      modelOf,
      onTurn(context, agentTools) {
        inner.tools = agentTools
        onContext(context, course)
      },
    }),
    config: {
      ...config,
      modelProvider: { getModel, close: config.modelProvider.close?.bind(config.modelProvider) },
      ...(typeof config.model === 'object' && { model: inner.guardModel(config.model) }),
    },
    end() {
      open.delete(key)
      inTools.delete(key)
      if (!isSide && !isInner) lineage.leave(placeOf(toEvents(turns.history)).whole)
    },
  }
  return course
}

/** The place that a request goes on from. */
const startOf = (input: Any) => placeOf(toEvents(toItems(input))).last
