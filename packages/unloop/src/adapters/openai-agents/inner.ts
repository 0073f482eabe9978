import { placeOf } from '../../host/lineage.js'
import type { Run } from '../../host/run.js'
import type { Any } from '../shared/any.js'
import { toEvents, toItems } from './items.js'
import { createTurns, type Turns } from './model.js'

/** The runs of agents that are tools of a run: each has an account of its own. */
export interface Inner {
  /** the names of the tools that are agents */
  tools: readonly string[]
  guardModel(model: Any): Any
}

// more than run side by side in one round
const MAX_RUNS = 16

/** Watches what agents inside tools say to models; all that tells them apart is what was said. */
export function createInner(run: Run, nextNumber: () => string): Inner {
  let runs: { turns: Turns; place: string | undefined }[] = []

  /** The turns that a request belongs to. */
  function turnsOf(request: Any): Turns {
    const { last } = placeOf(toEvents(toItems(request.input)))
    for (const one of runs) one.place = placeOf(toEvents(one.turns.history)).last ?? one.place
    const known = runs.find(({ place }) => last !== undefined && place === last)
    if (known) return known.turns
    const turns = createTurns(run.within(`${nameOf()} ${nextNumber()}`), {
      isNew: false,
      isWatched: () => run.outcome !== 'unguarded',
    })
    runs = [...runs.slice(1 - MAX_RUNS), { turns, place: undefined }]
    return turns
  }

  /** The tool that is running; nobody can tell which, if there are several. */
  function nameOf(): string {
    const names = run.calls.flatMap(({ name, turn, answer }) =>
      turn === run.turn && !answer && inner.tools.includes(name) ? [name] : [],
    )
    return new Set(names).size === 1 ? `${names[0]}` : 'agent'
  }

  const guarded = (model: Any, request: Any): Any =>
    (run.attempt(() => turnsOf(request)) ?? { guardModel: () => model }).guardModel(model)

  const inner: Inner = {
    tools: [],
    guardModel: (model) =>
      Object.create(model, {
        getResponse: { value: (request: Any) => guarded(model, request).getResponse(request) },
        getStreamedResponse: {
          value: (request: Any) => guarded(model, request).getStreamedResponse(request),
        },
        getRetryAdvice: { value: (failure: Any) => model.getRetryAdvice?.(failure) },
      }),
  }
  return inner
}
