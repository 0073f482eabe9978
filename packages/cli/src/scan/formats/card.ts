import { plural, showCost, showMs, showPercent, showTokens } from 'unloop/words'
import { worstOf } from '../answer.js'
import type { LoopReport, RunReport, Spent } from '../run-report.js'

/** A picture of the worst loop to share: only numbers and the kind of loop, nothing from the transcript. */
export function toCard(runs: readonly RunReport[]): string | undefined {
  const worst = worstOf(runs)
  return worst && toSvg(worst.loop)
}

// the size of a link's preview
const WIDTH = 1200
const HEIGHT = 630

/** What each detector finds; a detector of the person's own may have a telling name. */
const KINDS: Record<string, string> = {
  'asked-again': 'the same question, in ever other words',
  'call-cycle': 'the same calls, lap after lap',
  'call-flood': 'far too many calls',
  chanting: 'the same words, over and over',
  failing: 'one failure after another',
  'identical-call': 'the same call, over and over',
  paging: 'the same pages, over and over',
  'ping-pong': 'the same task, passed back and forth',
  'repeated-call': 'the same call, over and over',
  'repeated-message': 'the same message, over and over',
  'repeated-thought': 'the same thought, over and over',
  'same-answer': 'other calls, always the same answer',
  'scattered-call': 'the same call, time and again',
  'text-window': 'the same text, over and over',
}

function toSvg({ detector, count, wasted, avoidable }: LoopReport): string {
  const [main = '', ...others] = amountsOf(wasted)
  const kind = (Object.hasOwn(KINDS, detector) && KINDS[detector]) || 'going in circles'
  const fact = [plural(count, 'time'), ...others].join(' · ')
  const saved = shareOf(avoidable, wasted)
  const words = `An AI agent got stuck: ${kind}; ${main}, ${fact.replaceAll(' · ', ', ')}.`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title" font-family="system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif">
<title id="title">${words}</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
<rect width="16" height="${HEIGHT}" fill="#c02a20"/>
${toRing(saved)}
<g text-anchor="middle"><text x="940" y="290" font-size="60" font-weight="700" fill="#12161d">${showPercent(saved)}</text>
<text x="940" y="330" font-size="22" fill="#566070">spent after it</text>
<text x="940" y="358" font-size="22" fill="#566070">was evident</text></g>
<text x="80" y="132" font-size="30" fill="#566070">My agent got stuck in a loop</text>
<text x="76" y="288" font-size="${sizeOf(main, 144)}" font-weight="700" letter-spacing="-4" fill="#c02a20">${main}</text>
<text x="80" y="374" font-size="${sizeOf(kind, 40)}" font-weight="600" fill="#12161d">${kind}</text>
<text x="80" y="438" font-size="${sizeOf(fact, 34, 0.55)}" fill="#12161d">${fact}</text>
<line x1="80" x2="1120" y1="528" y2="528" stroke="#d5dae2" stroke-width="2"/>
<text x="80" y="582" font-size="28" font-weight="700" fill="#12161d">unloop scan</text>
<text x="1120" y="582" font-size="26" text-anchor="end" font-family="ui-monospace, Menlo, Consolas, monospace" fill="#566070">npx @unloop/cli scan</text>
</svg>
`
}

/** A size at which a text does not reach the ring; a bold letter is up to 0.65 as wide as its size. */
const sizeOf = (text: string, most: number, width = 0.65) =>
  Math.min(most, Math.floor(660 / (text.length * width)))

/** Dollars, tokens and time, as far as they are known; how many events there were, if nothing is. */
function amountsOf({ cost = 0, tokens, ms = 0, events }: Spent): string[] {
  const known = [
    cost > 0 && showCost(cost),
    ms >= 1000 && showMs(ms),
    tokens > 0 && `${showTokens(tokens)} tokens`,
  ].filter((text) => text !== false)
  // an XML text cannot hold "< $0.01"
  return known.length > 0
    ? known.map((text) => text.replace('<', 'under'))
    : [plural(events, 'event')]
}

/** How much came after it was evident, between 0 and 1. */
function shareOf(part: Spent, whole: Spent): number {
  const share =
    whole.tokens > 0
      ? part.tokens / whole.tokens
      : whole.events > 0
        ? part.events / whole.events
        : 0
  return Math.min(1, Math.max(0, share))
}

const TICKS = 48

/** A clock of laps: what came after the loop was evident is red. */
function toRing(share: number): string {
  const ticks = Array.from({ length: TICKS }, (_, tick) => {
    const angle = (tick / TICKS) * 2 * Math.PI
    const at = (radius: number) =>
      [940 + radius * Math.sin(angle), 284 - radius * Math.cos(angle)].map((value) =>
        value.toFixed(1),
      )
    const [x1, y1] = at(124)
    const [x2, y2] = at(172)
    const colour = tick / TICKS < 1 - share ? '#a9b4c6' : '#c02a20'
    return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}"/>`
  })
  return `<g stroke-width="11" stroke-linecap="round" aria-hidden="true">${ticks.join('')}</g>`
}
