import type { Emit } from './stamp.js'

/** Makes sure that what was rewound does not count anymore. */
export interface Rewind {
  /** The history was rewound: the next event starts over. */
  mark(): void
  /** Passes events on; after a rewind a request comes first, the last one again if there is no new one. */
  through(emit: Emit): Emit
}

/** The last request once more, as a new one: after one without words, because "go on" alone does not reset anything. */
export function askAgain(emit: Emit, request: string | undefined): void {
  emit({ type: 'prompt' })
  if (request !== undefined) emit({ type: 'prompt', text: request })
}

export function createRewind(): Rewind {
  let request: string | undefined
  let isPending = false
  return {
    mark() {
      isPending = true
    },
    through: (emit) => (event) => {
      const wasPending = isPending
      isPending = false
      if (event.type === 'prompt' && event.agent === undefined) request = event.text
      else if (wasPending) askAgain(emit, request)
      emit(event)
    },
  }
}
