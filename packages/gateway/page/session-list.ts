import { byId, isTyping } from './dom.js'
import { createKeyedList } from './keyed-list.js'
import type { SessionView } from './live.js'
import { createSessionRow } from './session-row.js'

export interface SessionList {
  show(sessions: readonly SessionView[], selected: string): void
  showAges(now: number): void
  /** the session whose row has the focus */
  focused(): string | undefined
  focus(id: string): void
}

/** How a session was chosen: with the pointer, with Enter, or by moving to it. */
export type Means = 'click' | 'enter' | 'move'

// long enough to aim at a row
const CALM_MS = 3000

/** The rows in `#sessions`: one stop for the Tab key, arrows within. */
export function createSessionList(onSelect: (id: string, means: Means) => void): SessionList {
  const list = createKeyedList(
    byId('sessions'),
    ({ id }: SessionView) => id,
    (session) => {
      const row = createSessionRow()
      // a click that no pointer made has no count
      row.button.addEventListener('click', ({ detail }) =>
        onSelect(session.id, detail === 0 ? 'enter' : 'click'),
      )
      return row
    },
  )
  let order: string[] = []
  let selected = ''
  let touchedAt = Number.NEGATIVE_INFINITY

  const focused = () => order.find((id) => list.items.get(id)?.button === document.activeElement)

  function markAll(): void {
    const isShown = order.includes(selected)
    const current = focused() ?? (isShown ? selected : order[0])
    for (const [id, row] of list.items) row.mark(id === selected, id === current)
  }

  function focus(id: string): void {
    list.items.get(id)?.button.focus()
    markAll()
  }

  const touched = () => {
    touchedAt = performance.now()
  }
  byId('sessions').addEventListener('pointermove', touched)
  byId('sessions').addEventListener('focusin', markAll)
  byId('sessions').addEventListener('keydown', (event) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
    const to = STEPS[event.key]?.(order.indexOf(focused() ?? ''), order.length - 1)
    const id = order[Math.min(Math.max(to ?? -1, 0), order.length - 1)]
    if (to === undefined || id === undefined) return
    event.preventDefault()
    touched()
    focus(id)
    onSelect(id, 'move')
  })

  return {
    focused,
    focus,
    show(sessions, nowSelected) {
      selected = nowSelected
      const isCalm = performance.now() - touchedAt > CALM_MS
      const shown = isCalm ? sessions : keepOrder(sessions, order)
      order = shown.map(({ id }) => id)
      list.show(shown)
      markAll()
    },
    showAges(now) {
      for (const row of list.items.values()) row.showAge(now)
    },
  }
}

const down = (at: number) => at + 1
const up = (at: number) => at - 1
const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowDown: down,
  j: down,
  ArrowUp: up,
  k: up,
  Home: () => 0,
  End: (_, last) => last,
}

/** A row does not move away from the pointer or the key that goes for it. */
function keepOrder(sessions: readonly SessionView[], order: readonly string[]): SessionView[] {
  const places = new Map(order.map((id, place) => [id, place]))
  const place = ({ id }: SessionView) => places.get(id) ?? order.length
  return [...sessions].sort((a, b) => place(a) - place(b))
}
