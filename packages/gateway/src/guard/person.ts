import { cut } from './cut.js'

// Agents put notes of their own beside the answers of tools, in the person's role: reminders, the environment, hints. They are in tags.

// notes are short, and so are most messages; what is longer is cut
const MAX_WORDS = 20_000
const MAX_NOTES = 100

const TAG = /<([a-zA-Z][\w-]{0,40})>/

/** The words of a text that a person may have said: all but what is in tags. */
export function personWords(text: string): string {
  let rest = cut(text, MAX_WORDS)
  let words = ''
  for (let notes = 0; notes < MAX_NOTES; notes++) {
    const found = TAG.exec(rest)
    const end = found ? rest.indexOf(`</${found[1]}>`, found.index) : -1
    if (!found || end < 0) break
    words += rest.slice(0, found.index)
    rest = rest.slice(end + `</${found[1]}>`.length)
  }
  return (words + rest).trim()
}
