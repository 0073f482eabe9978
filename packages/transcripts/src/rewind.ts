import type { Emit } from './stamp.js'

/** Sees to it that what a rewind has left behind counts no more in what follows. */
export interface Rewind {
  /** The history goes back: the next event begins anew. */
  mark(): void
  /** Passes events on; after a rewind a request comes first, the last one again if there is no new one. */
  through(emit: Emit): Emit
}

/** The last request once more, as a new one: behind one without words, for "go on" alone begins nothing anew. */
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
