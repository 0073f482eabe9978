import { topics } from '../../guide/topics.js'
import type { ResultPart } from '../../message.js'
import type { Reply } from './reply.js'
import type { Situation } from './situation.js'

/** The reply of a helpful agent: it looks things up with one call, then it answers. */
export function helpfulReply({ ask, turns, results }: Situation): Reply {
  if (turns === 0) return firstReply(ask)
  return { text: answerFrom(results) }
}

type Rule = readonly [RegExp, (match: RegExpMatchArray) => Reply]

const call = (text: string, name: string, args: Record<string, unknown>): Reply => ({
  text,
  calls: [{ name, args }],
})

const rules: readonly Rule[] = [
  [/^(hi|hello|hey|good (morning|evening))\b/i, () => ({ text: GREETING })],
  [/\b(what can you do|who are you|help)\b/i, () => ({ text: GREETING })],
  [
    /\b(read|open|show|cat)\s+(?:the\s+)?(?:file\s+)?[`"']?([\w@.\-/]+\.[\w]+)/i,
    ([, , path]) => call(`I read ${path}.\n`, 'read_file', { path }),
  ],
  [
    /\b(list|ls|which files|what is in|what's in)\b/i,
    () => call('I look at the folder.\n', 'list_files', {}),
  ],
  [
    /\b(?:search|find|grep)\s+(?:for\s+)?[`"']([^`"']+)[`"']/i,
    ([, pattern]) => call(`I search for ${pattern}.\n`, 'search_files', { pattern }),
  ],
  [
    /\brun\s+[`"']([^`"']+)[`"']/i,
    ([, command]) => call(`I run ${command}.\n`, 'run_command', { command }),
  ],
  [
    /\b(?:write|create)\s+(?:a file\s+)?[`"']?([\w@.\-/]+\.[\w]+)[`"']?\s+(?:with|saying)\s+[`"']([^`"']+)[`"']/i,
    ([, path, text]) => call(`I write ${path}.\n`, 'edit_file', { path, new: text }),
  ],
]

const GREETING = `I am the embedded model of unloop: a script, not a mind, so that you can try everything without a key.
I can list, read and search the files here, run a command after you agreed, and answer from the guide to unloop.
Ask me "how does the ladder work?", "read package.json", or type /stuck repeated-call and watch me get caught.`

function firstReply(ask: string): Reply {
  for (const [pattern, reply] of rules) {
    const match = ask.match(pattern)
    if (match) return reply(match)
  }
  const word = topicIn(ask)
  return word
    ? call('I look it up in the guide.\n', 'read_topic', { topic: word })
    : call('I look for it in the guide.\n', 'search_guide', { query: longestWord(ask) })
}

/** The topic a question names, be it in the singular or the plural. */
function topicIn(ask: string): string | undefined {
  const words = ask.toLowerCase().match(/[a-z]+/g) ?? []
  const isNamed = (topic: string) => words.some((word) => word === topic || `${word}s` === topic)
  return Object.keys(topics).findLast(isNamed)
}

const longestWord = (ask: string): string =>
  (ask.match(/[\p{L}\p{N}-]+/gu) ?? ['unloop']).reduce((a, b) => (b.length > a.length ? b : a))

function answerFrom(results: readonly ResultPart[]): string {
  const [result] = results
  if (!result) return 'There is nothing I could look at.'
  if (result.isError) return `That did not work: ${result.output}`
  if (result.output === 'Nothing found.') {
    return 'My guide does not say anything about that. Try "what can you do?", or choose a real model with --model.'
  }
  return `This is what I found:\n\n${result.output}`
}
