import type { AgentEvent } from '../event.js'

// Clients that run out of room put a placeholder where the old answers of tools were. All of them say the same, but the answers did not.

const NOUN = 'tools?|results?|outputs?|contents?|responses?|observations?'
const SMALL =
  'the|this|that|an?|all|some|old|older|previous|earlier|prior|past|stale|large|long|function|calls?|commands?|files?|texts?|data|body|use|of|s|is|are|was|were|has|have|had|been'
const SUBJECT = `(?=[^.]*\\b(?:${NOUN})\\b)(?:(?:${NOUN}|${SMALL})\\b[\\s'-]*){1,10}`
const DONE = '(?:cleared|omitted|elided|pruned|removed|truncated|compacted|hidden|trimmed)\\b'
const WHY =
  "(?:[\\s,:;-]*(?:to (?:save|free|fit|reduce|shorten|keep|stay)|for (?:brevity|space|length|context)|due to|because|by (?:the )?(?:client|compaction|context|system)|(?:from|in) (?:the |this )?(?:context|history|conversation|prompt|transcript))\\b[\\w\\s'-]{0,80})?"
const OPEN = '[\\s[(<*.…-]{0,8}'
const CLOSE = '[\\s\\])>*.…-]{0,8}'

// all of the text: a tool that says "removed 'a.txt'" has said something
const PLACEHOLDER = new RegExp(
  [
    `^${OPEN}${SUBJECT}${DONE}${WHY}${CLOSE}$`,
    // without saying what, only in brackets
    `^\\s*[[(<*]${OPEN}${DONE}${WHY}${CLOSE}$`,
    // and in brackets, with any advice
    `^\\s*[[(<]${OPEN}${SUBJECT}${DONE}[^'"\`/\\\\\\])>]{0,120}[\\])>]\\s*$`,
  ].join('|'),
  'i',
)
const MAX_PLACEHOLDER = 200

/** The history with answers that differ where a client has cleared them. */
export function withoutPlaceholders(history: readonly AgentEvent[]): AgentEvent[] {
  const counts = new Map<string, number>()
  for (const event of history) {
    const text = placeholderOf(event)
    if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  let cleared = 0
  return history.map((event) => {
    const text = placeholderOf(event)
    // once, it may be what the tool said
    if (text === undefined || (counts.get(text) ?? 0) < 2) return event
    return { ...event, output: toWord(cleared++) } as AgentEvent
  })
}

function placeholderOf(event: AgentEvent): string | undefined {
  if (event.type !== 'tool-result') return
  const { output } = event
  const text = typeof output === 'string' ? output : textOf(output)
  return text !== undefined &&
    text.length <= MAX_PLACEHOLDER &&
    PLACEHOLDER.test(text.replaceAll('_', ' '))
    ? text
    : undefined
}

/** The text of an answer that has one part. */
function textOf(output: unknown): string | undefined {
  const part: unknown = Array.isArray(output) && output.length === 1 ? output[0] : undefined
  const text = typeof part === 'object' && part !== null && 'text' in part ? part.text : undefined
  return typeof text === 'string' ? text : undefined
}

/** Another word for each number; a number would be taken for a detail that changes. */
const toWord = (number: number): string =>
  [...number.toString(20)]
    .map((digit) => 'bcdfghjklmnpqrstvwxz'[Number.parseInt(digit, 20)])
    .join('')
