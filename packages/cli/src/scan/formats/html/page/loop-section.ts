import { plural, showCount, showMs } from 'unloop/words'
import { STATES } from '../../../../words.js'
import type { Evidence, LoopReport, NextStep, RunReport } from '../../../run-report.js'
import { element } from './dom.js'
import { type Cell, lapsOf } from './laps.js'
import { showAll, showMain, showPlace } from './show.js'

/** One loop: what happened, what it cost, its laps side by side, and what to do about it. */
export function toLoopSection({ unit }: RunReport, loop: LoopReport): HTMLElement {
  const { certainty, detector, detail, advice } = loop
  const steps = loop.steps.filter(({ kind, text }) => kind !== 'advice' || !text.endsWith(advice))
  return element(
    'section',
    { class: `card loop-section ${certainty}` },
    element(
      'p',
      { class: 'eyebrow' },
      element('span', { class: `badge ${certainty}` }, STATES[certainty]),
      detector,
    ),
    element('h2', {}, toSentence(detail)),
    element('p', {}, costOf(loop)),
    toFacts([
      ['Times', showCount(loop.count)],
      ['Sub-agent', loop.agent],
      ['Known', loop.known ? 'yes, from the baseline' : undefined],
      ['Began', showPlace(unit, loop.began)],
      ['Was evident', showPlace(unit, loop.evident)],
      ['A guard would have ended it', loop.stopped && showPlace(unit, loop.stopped)],
      ['Last seen', showPlace(unit, loop.last)],
    ]),
    ...toLaps(loop, unit),
    advice !== '' && element('h3', {}, 'What the guard would have told the model'),
    advice !== '' && element('blockquote', {}, advice),
    steps.length > 0 && element('h3', {}, 'What to do'),
    steps.length > 0 && element('ol', { class: 'steps' }, ...steps.map(toStep)),
  )
}

/** Names and what they stand for, without those that stand for nothing. */
export function toFacts(rows: (readonly [string, string | undefined])[]): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    ...rows.map(([name, text]) =>
      text ? element('div', {}, element('dt', {}, name), element('dd', {}, text)) : undefined,
    ),
  )
}

const toSentence = (detail: string) => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`

function costOf({ certainty, wasted, avoidable, began, evident }: LoopReport): string {
  const took = `${certainty === 'certain' ? 'It wasted' : 'It took'} ${showAll(wasted)}.`
  if (avoidable.tokens === 0 && !avoidable.cost && !avoidable.ms)
    return `${took} It was over when it was evident.`
  const ms = (evident.at ?? 0) - (began.at ?? 0)
  const after = began.at !== undefined && ms >= 1000 ? ` after ${showMs(ms)}` : ''
  return `${took} It was evident${after}; ${showMain(avoidable)} of that came later and could have been saved.`
}

const SLOTS: Record<Evidence['kind'], string> = {
  prompt: 'request',
  call: 'call',
  answer: 'answer',
  error: 'error',
  text: 'text',
  thought: 'thought',
  handoff: 'handoff',
  other: 'event',
}

/** A table with a column for every lap, so that one sees what stays the same. */
function toLaps(loop: LoopReport, unit: string): HTMLElement[] {
  const { before, count, rows } = lapsOf(loop)
  if (count === 0) return []
  const laps = Array.from({ length: count }, (_, index) =>
    element('th', { scope: 'col' }, `Lap ${index + 1}`),
  )
  const rest = loop.count > count ? `, ${count} of ${plural(loop.count, 'time')}` : ''
  const title = `Lap by lap${rest}`
  return [
    element('h3', {}, title),
    ...before.map(({ kind, text }) =>
      element('p', { class: 'before' }, element('b', {}, `${SLOTS[kind]} before it: `), text),
    ),
    element(
      'div',
      { class: 'laps', tabindex: 0, role: 'region', 'aria-label': title },
      element(
        'table',
        {},
        element('thead', {}, element('tr', {}, element('td', {}), ...laps)),
        element(
          'tbody',
          {},
          ...rows.map(({ kind, cells }) =>
            element(
              'tr',
              {},
              element('th', { scope: 'row' }, SLOTS[kind]),
              ...cells.map((cell) => toCell(cell, unit)),
            ),
          ),
        ),
      ),
    ),
  ]
}

function toCell(cell: Cell | undefined, unit: string): HTMLElement {
  if (!cell) return element('td', {})
  const { evidence, pieces, isSame } = cell
  return element(
    'td',
    { class: `${evidence.kind}${isSame ? ' same' : ''}` },
    element(
      'span',
      { class: 'where' },
      `${unit} ${showCount(evidence.line)}`,
      isSame && element('em', {}, 'the same'),
    ),
    element(
      'code',
      {},
      ...pieces.map(({ text, isNew }) => (isNew ? element('mark', {}, text) : text)),
    ),
  )
}

function toStep({ text, command }: NextStep): HTMLElement {
  if (command === undefined) return element('li', { class: 'step' }, text)
  const code = element('code', {}, command)
  const button = element('button', { type: 'button', class: 'quiet-button' }, 'Copy')
  const status = element('span', { role: 'status', class: 'quiet' })
  button.addEventListener('click', async () => {
    status.textContent = (await copy(code)) ? 'Copied' : 'Selected; press Ctrl+C'
  })
  return element(
    'li',
    { class: 'step' },
    text,
    element('div', { class: 'command' }, code, button, status),
  )
}

async function copy(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '')
    return true
  } catch {
    // not every browser lets a file do that
    getSelection()?.selectAllChildren(code)
    return false
  }
}
