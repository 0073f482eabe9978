import { defineDetector, type Report } from '../detector.js'
import { redact } from '../sample.js'
import { feedLines } from '../text/feed.js'
import { type Lines, startLines } from '../text/lines.js'
import {
  addText,
  createWindows,
  keptText,
  lapName,
  lastRepeat,
  lastWindow,
  resetWindows,
  type Windows,
} from '../text/windows.js'

interface State {
  windows: Windows
  lines: Lines
  /** number of the event with which the tracked text began; -1 before any */
  since: number
}

export const textWindow = defineDetector({
  name: 'text-window',
  finds: 'a stretch of text that returns many times within a short distance',
  advice:
    'Your text repeats itself. Stop here, say in one sentence what you have found so far, then do the next step.',
  stage: 'reference',
  plane: 'text',
  on: ['text', 'tool-call', 'retry'],

  // the numbers of Gemini CLI; `lineStart` is 'delta' where every delta begins a line, as in its class
  options: { size: 50, count: 10, distance: 250, history: 5000, lineStart: 'newline' },

  start: (options): State => ({
    windows: createWindows(options.size, options.history),
    lines: startLines(),
    since: -1,
  }),

  observe(state, event, { options, number }) {
    if (event.type !== 'text') {
      resetWindows(state.windows)
      state.since = -1
      const keepsCode = event.type === 'tool-call' && options.lineStart === 'delta'
      if (!keepsCode) state.lines = startLines()
      return
    }
    const { windows } = state
    let report: Report | undefined
    for (let from = 0; from >= 0; ) {
      const { base } = windows
      from = feedLines(state.lines, windows, event.text, from, options)
      if (state.since < 0 || windows.base !== base) state.since = number
      if (from < 0) break
      report ??= toReport(windows, options, state.since)
      resetWindows(windows)
      state.since = -1
    }
    return report
  },

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

function toReport(
  windows: Windows,
  { size, count }: { size: number; count: number },
  since: number,
) {
  const { period } = lastRepeat(windows, 2)
  return {
    kind: 'chant',
    detail: `${size} characters of text came ${count} times, the last two ${period} characters apart`,
    identity: lapName(windows, period),
    count,
    period,
    since,
    sample: redact(lastWindow(windows)),
    characters: windows.end - windows.floor,
  }
}
