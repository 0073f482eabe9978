/** Where somebody waits: those with the same name wait for each other only, and the first of each line come in turn. */
export interface Line {
  name: string
  /** goes before those that are not */
  isKnown: boolean
}

/** Does work for a few at a time; undefined for those that would have to wait too long. */
export type InLine = <Value>(line: Line, work: () => Promise<Value>) => Promise<Value | undefined>

interface LineOptions {
  /** how many are worked for at a time */
  atOnce: number
  /** how many may wait in one line */
  maxLength: number
  maxWaitMs: number
}

/** Tells somebody who waits whether it is their turn. */
type Waiting = (isTurn: boolean) => void

export function createLines({ atOnce, maxLength, maxWaitMs }: LineOptions): InLine {
  const known = new Map<string, Set<Waiting>>()
  const others = new Map<string, Set<Waiting>>()
  let busy = 0

  function wait({ name, isKnown }: Line): Promise<boolean> {
    const lines = isKnown ? known : others
    const line = lines.get(name) ?? new Set()
    if (line.size >= maxLength) return Promise.resolve(false)
    lines.set(name, line)
    return new Promise((resolve) => {
      const timer = setTimeout(() => leave(false), maxWaitMs)
      function leave(isTurn: boolean): void {
        clearTimeout(timer)
        line.delete(leave)
        // others may be waiting under this name again
        if (line.size === 0 && lines.get(name) === line) lines.delete(name)
        resolve(isTurn)
      }
      line.add(leave)
    })
  }

  /** The first of the line that has waited longest since its last turn. */
  function next(): Waiting | undefined {
    const lines = known.size > 0 ? known : others
    for (const [name, line] of lines) {
      lines.delete(name)
      lines.set(name, line)
      for (const first of line) return first
    }
    return undefined
  }

  return async (line, work) => {
    if (busy < atOnce) busy++
    else if (!(await wait(line))) return
    try {
      return await work()
    } finally {
      const first = next()
      if (first) first(true)
      else busy--
    }
  }
}
