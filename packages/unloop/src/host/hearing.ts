import { isObservation } from '../reading/answer/observations.js'

/** Reminders and the environment, which programs put in tags, also before the words of a person. */
const NOTES = /<[a-z][\w-]{0,40}>[^<]{0,5000}<\/[a-z][\w-]{0,40}>/gi
const NOTE = /^\s{0,9}<[a-z]/i

/** How programs ask for the summary that takes the place of a history, as Claude Code, Codex and Qwen Code do. */
const SUMMARY = /\bsummar[^.]{1,80}\b(?:conversation|context|LLM|so far)\b/i

// notes are short, and so are most messages; what is longer is cut
const MAX_WORDS = 20_000

/**
 * Hears what is said in the person's role, in order; true if it is new, as the words of a person are. A program says about the
 * same again and again, maybe with other numbers, and a person rarely does.
 */
export function createHearing(): (text?: string) => boolean {
  const known = new Set<string>()
  return (text = '') => {
    const words = text.slice(0, MAX_WORDS).replace(NOTES, '')
    const parts = partsOf(words)
    const again = parts.filter((part) => known.has(part)).length
    for (const part of parts) known.add(part)
    const isNew = again < parts.length / 2
    return isNew && !NOTE.test(words) && !SUMMARY.test(words) && !isObservation(words)
  }
}

/** All runs of three words: a sentence with another word in it shares most of its own. Numbers alone ask for nothing. */
function partsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  return words.map((_, at) => words.slice(at, at + 3).join(' '))
}
