/** A state, changed by actions alone. */
export interface Store<State, Action> {
  get(): State
  dispatch(action: Action): void
  /** Calls back once for all that happens in one go; gives the way to end that. */
  subscribe(listener: () => void): () => void
}

/** A store: keys that arrive in one read each see what the one before it has done. */
export function createStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  initial: State,
): Store<State, Action> {
  let state = initial
  let isTelling = false
  const listeners = new Set<() => void>()

  // laying out the screen for each of a thousand deltas would hold up the stream
  function tell() {
    isTelling = false
    for (const listener of listeners) listener()
  }

  return {
    get: () => state,
    dispatch(action) {
      state = reduce(state, action)
      if (!isTelling) setImmediate(tell)
      isTelling = true
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
