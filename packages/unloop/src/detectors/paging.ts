import type { Round } from '../rounds/round.js'
import { isWaiting, lastWhile, patientLimit } from '../rounds/rounds.js'
import { defineRowDetector } from '../row.js'

export const paging = defineRowDetector({
  name: 'paging',
  finds: 'the same source read over and over: pages seen before, ranges that move by a line',
  advice:
    'You have already seen these parts. Write down what you need from them, or search for it directly.',

  // curves in packages/bench/CURVES.md: 8 to 14 find and flag the same
  options: { limit: 20 },

  rows(log, { limit }) {
    const last = log.rounds.at(-1)
    if (!last) return []
    const pages = lastWhile(
      log.rounds,
      (round) =>
        round.name === last.name &&
        round.target === last.target &&
        isPage(round) &&
        round.lines - round.fresh - round.novel >= KNOWN * round.lines,
    )
    // reading something twice is normal
    const rounds = pages.filter(
      (page) =>
        page.looks !== 2 && (page.looks > 1 ? isShownAgain(page, log.rounds) : last.target !== 0),
    )
    return [
      {
        kind: 'sweep',
        rounds,
        limit: patientLimit(log, limit, last),
        likely: patientLimit(log, limit / 2, last),
        detail: () =>
          `${last.name} showed ${rounds.length} pages in a row that had mostly been seen before`,
        identity: last.name,
      },
    ]
  },
})

// the share of a page that was seen before, to the letter
const KNOWN = 0.75

/** A page may mention errors, so failures count too. */
const isPage = (round: Round) => !isWaiting(round) && round.effect !== 'changes' && round.lines >= 4

/** Whether the same call showed exactly this before; if not, it has moved on. */
const isShownAgain = (page: Round, rounds: readonly Round[]) =>
  rounds.some(
    ({ key, print, number }) => key === page.key && print === page.print && number < page.number,
  )
