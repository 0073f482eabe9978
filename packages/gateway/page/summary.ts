import { showCost, showCount, showTokens } from 'unloop/words'
import { byId, element, setText } from './dom.js'
import type { Live } from './live.js'

/** Shows the totals and the state of the store. */
export function createSummary(): (live: Live) => void {
  const tiles = {
    sessions: addTile('Sessions'),
    stuck: addTile('Stuck', 'waste'),
    requests: addTile('Requests'),
    saved: addTile('Saved'),
  }
  return ({ totals, store }) => {
    const { sessions, stuck, requests, saved } = totals
    setText(byId('answer'), toAnswer(sessions, stuck))
    document.title = `${stuck > 0 ? `(${stuck} stuck) ` : ''}unloop gateway`
    tiles.sessions(showCount(sessions))
    tiles.stuck(showCount(stuck))
    tiles.requests(showCount(requests))
    tiles.saved(
      showCount(saved.requests),
      [
        saved.requests === 1 ? 'request' : 'requests',
        saved.tokens > 0 && `${showTokens(saved.tokens)} tokens`,
        saved.dollars > 0 && showCost(saved.dollars),
      ]
        .filter(Boolean)
        .join(', '),
    )
    setText(byId('store'), STORES[store.kind])
    setText(byId('store-problem'), store.ok ? '' : STORE_PROBLEM)
  }
}

const STORES = {
  memory: 'Sessions are kept in the memory of this instance.',
  redis: 'Sessions are kept in Redis and shared by all instances.',
}

const STORE_PROBLEM =
  'Redis cannot be reached. Requests still go to the provider, but loops may be missed. Until Redis is back, the list below is not up to date and choices cannot be saved.'

function toAnswer(sessions: number, stuck: number): string {
  if (sessions === 0) return 'No sessions yet'
  if (stuck === 0) return sessions === 1 ? 'The session is not stuck' : 'No session is stuck'
  if (sessions === 1) return 'The session is stuck'
  return `${showCount(stuck)} of ${showCount(sessions)} sessions ${stuck === 1 ? 'is' : 'are'} stuck`
}

function addTile(name: string, kind = ''): (value: string, more?: string) => void {
  const value = element('b')
  const more = element('span')
  const tile = element(
    'div',
    { class: kind },
    element('dt', {}, name),
    element('dd', {}, value, more),
  )
  byId('tiles').append(tile)
  return (text, moreText = '') => {
    setText(value, text)
    setText(more, moreText)
    tile.classList.toggle('none', text === '0')
  }
}
