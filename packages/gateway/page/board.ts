import { plural, showCount } from 'unloop/words'
import { announce, createStateAnnouncer } from './announce.js'
import { byId, element, field, isTyping, setText } from './dom.js'
import type { Choice, Live, SessionView } from './live.js'
import { select } from './selection.js'
import { createSessionDetail, type SessionDetail } from './session-detail.js'
import { createSessionList, type Means } from './session-list.js'
import { createSummary } from './summary.js'

/** The page once there is data. */
export interface Board {
  show(live: Live): void
  /** brings times such as "12 s ago" up to date */
  tick(): void
}

type SendTo = (id: string, choice: Choice) => Promise<string>

// as in style.css: the detail is beside the list, so moving through the list may show it
const BESIDE = matchMedia('(min-width: 60rem)')

/** Wires `#board`. */
export function createBoard(send: SendTo): Board {
  const showSummary = createSummary()
  const announceStates = createStateAnnouncer()
  const list = createSessionList(choose)
  let live: Live | undefined
  let detail: SessionDetail | undefined
  let last: SessionView | undefined
  // the gateway's clock, which "12 s ago" is about, may differ from this machine's
  let ahead = 0

  const find = (id: string) => live?.sessions.find((session) => session.id === id)

  function choose(id: string, means: Means): void {
    if (means === 'move' && !BESIDE.matches) return
    const session = find(id)
    if (!session) return
    if (detail?.id !== id) {
      detail = createSessionDetail(session, (choice) => send(id, choice))
      byId('detail').replaceChildren(detail.element)
      byId('detail-pane').scrollTop = 0
    }
    byId('panes').classList.add('has-detail')
    draw()
    if (means === 'enter' || !BESIDE.matches) detail.heading.focus()
  }

  function close(): void {
    const id = detail?.id
    if (!BESIDE.matches) {
      detail = undefined
      showNoDetail()
      draw()
    }
    if (id !== undefined) list.focus(id)
  }

  function showNoDetail(): void {
    byId('panes').classList.remove('has-detail')
    byId('detail').replaceChildren(
      element('h2', { id: 'detail-heading' }, 'No session selected'),
      element('p', { class: 'quiet' }, 'Select a session to see its findings and your choices.'),
    )
  }

  function draw(): void {
    if (!live) return
    const { sessions, store } = live
    const filters = { search: field('search').value, state: field('state').value }
    const focused = list.focused()
    const kept = focused === undefined ? undefined : find(focused)
    const matching = select(sessions, filters)
    // a row does not vanish from under the keyboard
    list.show(kept && !matching.includes(kept) ? [...matching, kept] : matching, detail?.id ?? '')
    byId('panes').hidden = sessions.length === 0
    byId('start').hidden = sessions.length > 0
    byId('no-match').hidden = matching.length > 0
    setText(byId('count'), showMatches(matching.length, sessions.length))
    if (detail) {
      const session = find(detail.id)
      last = session ?? last
      if (last) detail.update(last, store, session === undefined)
    }
    tick()
  }

  function tick(): void {
    const now = Date.now() + ahead
    list.showAges(now)
    detail?.showTimes(now)
  }

  byId('filters').addEventListener('submit', (event) => event.preventDefault())
  byId('filters').addEventListener('input', () => {
    draw()
    announce(byId('count').textContent ?? '')
  })
  byId('clear').addEventListener('click', () => {
    field('search').value = field('state').value = ''
    draw()
    field('search').focus()
  })
  byId('back').addEventListener('click', close)
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && byId('detail-pane').contains(document.activeElement)) close()
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '/') field('search').focus()
    else if (!detail?.press(event.key)) return
    event.preventDefault()
  })
  setText(byId('start-lines'), START_LINES.join('\n'))
  showNoDetail()

  return {
    show(received) {
      live = received
      ahead = received.at - Date.now()
      byId('board').hidden = false
      showSummary(received)
      announceStates(received.sessions)
      draw()
    },
    tick,
  }
}

const START_LINES = [
  `ANTHROPIC_BASE_URL=${location.origin}`,
  `OPENAI_BASE_URL=${location.origin}/v1`,
  `GOOGLE_GEMINI_BASE_URL=${location.origin}`,
]

const showMatches = (count: number, all: number): string =>
  count === all ? plural(all, 'session') : `${showCount(count)} of ${plural(all, 'session')}`
