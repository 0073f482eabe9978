import { type PageData, unpackRuns } from '../page-data.js'
import { byId, element, fill } from './dom.js'
import { createOverview } from './overview.js'
import { toRunPage } from './run-page.js'
import { showTime } from './show.js'
import { toLegend } from './strip.js'

const data = JSON.parse(byId('data').textContent ?? '') as PageData
const runs = unpackRuns(data)
const title = document.title
/** where the list was, and the link that was followed */
let scrolled = 0
let visited = ''

createOverview(data, runs)
byId('legend').append(toLegend())
byId('scanned').textContent = `Scanned ${showTime(Date.parse(data.scannedAt))}`
drawProblems()
addEventListener('hashchange', route)
byId('runs').addEventListener('click', () => {
  scrolled = scrollY
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !byId('run').hidden) location.hash = '#runs-heading'
})
route()

/** Shows the page of a run if the address asks for one, or all of them. */
function route(): void {
  const index = /^#run-(\d+)$/.exec(location.hash)?.[1]
  const run = index === undefined ? undefined : runs[Number(index)]
  const isBack = !run && byId('overview').hidden
  byId('overview').hidden = run !== undefined
  byId('run').hidden = run === undefined
  if (run) {
    visited = location.hash
    fill(byId('run-content'), toRunPage(run, data.prices))
    const heading = byId('run-content').querySelector('h1')
    document.title = `${heading?.textContent ?? ''} – unloop scan`
    scrollTo(0, 0)
    heading?.focus({ preventScroll: true })
    return
  }
  document.title = title
  if (!isBack) return
  fill(byId('run-content'))
  scrollTo(0, scrolled)
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a.run')]
  links.find(({ hash }) => hash === visited)?.focus({ preventScroll: true })
}

function drawProblems(): void {
  const { problems } = data
  if (problems.length === 0) return
  const count = problems.length === 1 ? '1 transcript was' : `${problems.length} transcripts were`
  byId('problems').append(
    element(
      'details',
      {},
      element('summary', {}, `${count} not read in full`),
      element(
        'ul',
        {},
        ...problems.map(({ path, message }) =>
          element('li', {}, element('code', {}, path), `: ${message}`),
        ),
      ),
    ),
  )
}
