import type { FromView } from '../src/protocol.js'
import { fill, h } from './dom.js'

/** Words that may be paths of files: those that the host knows become buttons. */
export interface Paths {
  /** Notes an element whose text may be a path. */
  mark(element: HTMLElement, path: string | undefined): HTMLElement
  /** Asks the host about those it was not asked about yet. */
  ask(): void
  /** The host's answer. */
  answer(asked: readonly string[], existing: readonly string[]): void
}

// a few screens at a time
const MAX_ASKED = 200

export function createPaths(tell: (message: FromView) => void, label: string): Paths {
  const known = new Map<string, boolean>()
  const waiting = new Map<string, HTMLElement[]>()
  let toAsk: string[] = []

  function open(element: HTMLElement, path: string) {
    const name = fill(label, path)
    const onclick = () => tell({ type: 'open-path', path })
    const button = h('button', { type: 'button', class: 'path', title: name, onclick })
    element.replaceWith(button)
    button.append(element)
  }

  function ask() {
    if (toAsk.length === 0) return
    tell({ type: 'check-paths', paths: toAsk.slice(0, MAX_ASKED) })
    toAsk = toAsk.slice(MAX_ASKED)
  }

  return {
    mark(element, path) {
      if (path === undefined) return element
      const isKnown = known.get(path)
      if (isKnown === false) return element
      if (isKnown) {
        const onclick = () => tell({ type: 'open-path', path })
        const title = fill(label, path)
        return h('button', { type: 'button', class: 'path', title, onclick }, element)
      }
      if (!waiting.has(path)) toAsk.push(path)
      waiting.set(path, [...(waiting.get(path) ?? []), element])
      return element
    },
    ask,
    answer(asked, existing) {
      for (const path of asked) {
        const exists = existing.includes(path)
        known.set(path, exists)
        if (exists) for (const element of waiting.get(path) ?? []) open(element, path)
        waiting.delete(path)
      }
      ask()
    },
  }
}
