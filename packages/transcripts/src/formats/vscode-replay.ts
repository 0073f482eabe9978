import { isObject, type Json, listOf, objectOf } from '../json.js'

/** Puts the changes of a session together, and tells a request once nothing more comes of it. */
export interface Replay {
  /** Takes a request that is complete. */
  add(request: Json): void
  /** Takes a change; gives a reason if it does not fit. */
  change(change: Json): string | undefined
  /** Tells what is left. */
  end(): void
}

interface Listener {
  tell(request: Json): void
  /** requests that were told have been taken back */
  goBack(): void
  learn(key: string, value: unknown): void
}

// what each kind of change means, as VS Code numbers them
const [INITIAL, SET, PUSH, DELETE] = [0, 1, 2, 3]

export function createReplay({ tell, goBack, learn }: Listener): Replay {
  /** those that were told are empty, so that they take no memory */
  let requests: Json[] = []
  let told = 0

  function tellUpTo(count: number): void {
    for (; told < Math.min(count, requests.length); told++) {
      const request = requests[told] as Json
      requests[told] = {}
      tell(request)
    }
  }

  function begin(session: Json): undefined {
    if (told > 0) goBack()
    told = 0
    requests = listOf(session.requests).filter(isObject)
    for (const key of ['sessionId', 'creationDate']) learn(key, session[key])
  }

  function splice(from: unknown, added: readonly unknown[]): undefined {
    const start = typeof from === 'number' ? Math.max(0, Math.trunc(from)) : requests.length
    if (start < told) {
      goBack()
      told = start
    }
    requests.length = Math.min(start, requests.length)
    for (const request of added) if (isObject(request)) requests.push(request)
    // what stands before the last one is over
    tellUpTo(requests.length - 1)
  }

  function change({ kind, k, v, i }: Json): string | undefined {
    if (kind === INITIAL) return isObject(v) ? begin(v) : 'a session that is not an object'
    const [root, index, ...rest] = listOf(k)
    if (root !== 'requests') {
      if (typeof root === 'string' && index === undefined && kind === SET) learn(root, v)
      return
    }
    if (index === undefined) {
      if (kind === PUSH) return splice(i, listOf(v))
      return kind === SET ? splice(0, listOf(v)) : undefined
    }
    const request = typeof index === 'number' ? requests[index] : undefined
    if (!request) return 'a change of a request that is not there'
    // votes and the like come later
    if ((index as number) < told) return
    if (rest.length === 0) {
      if (isObject(v)) requests[index as number] = v
      return
    }
    return changeIn(request, rest, { kind, v, i })
  }

  return {
    add(request) {
      requests.push(request)
      tellUpTo(requests.length)
    },
    change(record) {
      const [root, index] = listOf(record.k)
      const last = requests.length - 1
      // a request that is over gets no more than what was written with its end
      if (isOver(requests[last]) && !(root === 'requests' && index === last)) tellUpTo(last + 1)
      return change(record)
    },
    end: () => tellUpTo(requests.length),
  }
}

/** Complete, cancelled or failed. */
const isOver = (request: Json | undefined) =>
  [1, 2, 3].includes(objectOf(request?.modelState).value as number)

function changeIn(request: Json, path: readonly unknown[], { kind, v, i }: Json): undefined {
  const name = path.at(-1) as string
  let within: Json = request
  for (const key of path.slice(0, -1)) {
    if (!Object.hasOwn(within, key as string)) return
    const next = within[key as string]
    if (typeof next !== 'object' || next === null) return
    within = next as Json
  }
  if (name === '__proto__') return
  if (kind === SET) within[name] = v
  if (kind === DELETE) delete within[name]
  if (kind !== PUSH) return
  const list = Object.hasOwn(within, name) ? listOf(within[name]) : []
  const kept = typeof i === 'number' ? list.slice(0, Math.max(0, i)) : list
  within[name] = [...kept, ...listOf(v)]
}
