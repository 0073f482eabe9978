import { type DetectorContext, type DetectorReport, defineDetector } from '../detector.js'
import type { AgentEvent } from '../event.js'
import { redact } from '../reading/redact.js'
import { type Feed, feedLines } from '../text/feed.js'
import { type Lines, startLines } from '../text/lines.js'
import { ringName, ringText } from '../text/ring.js'
import {
  addText,
  createWindows,
  keptText,
  lastRepeat,
  resetWindows,
  type Windows,
} from '../text/windows.js'

interface State {
  windows: Windows
  lines: Lines
  /** number of the event that started the tracked text; -1 before any */
  since: number
}

const OPTIONS = { size: 50, count: 10, distance: 250, history: 5000 }

export const textWindow = defineDetector({
  name: 'text-window',
  finds: 'a stretch of text that recurs many times within a short distance',
  advice:
    'Your text repeats itself. Say in one sentence what you have found so far, then take the next step.',
  stage: 'reference',
  plane: 'text',
  on: ['text', 'tool-call', 'retry'],

  // the numbers of Gemini CLI
  options: OPTIONS,

  start: (options): State => ({
    windows: createWindows(options.size, options.history),
    lines: startLines(),
    since: -1,
  }),

  observe: watchText(feedLines),

  pressure({ windows }, { options }) {
    const { times: count } = lastRepeat(windows, options.count)
    return { pressure: Math.max(0, count - 1) / options.count, count, limit: options.count }
  },

  save: ({ windows, lines, since }) => ({ text: keptText(windows), lines: { ...lines }, since }),

  load(saved, options) {
    const { text, lines, since } = saved as { text: string; lines: Lines; since: number }
    const windows = createWindows(options.size, options.history)
    addText(windows, text, 0, text.length, 0, 0)
    return { windows, lines: { ...lines }, since }
  },
})

/** The rule for a given way of reading lines; `keepsCode` says whether a code block continues after a call. */
export function watchText(feed: Feed, keepsCode = false) {
  return (
    state: State,
    event: AgentEvent,
    { options, number }: DetectorContext<typeof OPTIONS>,
  ) => {
    const { windows } = state
    const forget = () => {
      resetWindows(windows)
      state.since = -1
    }
    if (event.type !== 'text') {
      forget()
      if (event.type !== 'tool-call' || !keepsCode) state.lines = startLines()
      return
    }
    let report: DetectorReport | undefined
    for (let from = 0; from >= 0; ) {
      const { base } = windows
      from = feed(state.lines, windows, event.text, from, options)
      if (state.since < 0 || windows.base !== base) state.since = number
      if (from < 0) break
      report ??= toReport(windows, options.count, state.since)
      forget()
    }
    return report
  }
}

function toReport(windows: Windows, count: number, since: number): DetectorReport {
  const { size, floor, end } = windows
  const { period } = lastRepeat(windows, 2)
  return {
    kind: 'chant',
    detail: `the same ${size} characters appeared ${count} times, the last two ${period} characters apart`,
    identity: ringName(windows, end - period, end),
    count,
    period,
    firstEvent: since,
    sample: redact(ringText(windows, end - size, end)),
    characters: end - floor,
  }
}
