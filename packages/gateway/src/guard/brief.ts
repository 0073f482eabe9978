import { type AgentEvent, callKey } from 'unloop'

// A call or an answer that is far larger than those of agents would take long to be compared value by value.

// the files that models write are shorter
const MAX_JSON = 64 * 2 ** 10
// so is the text of an answer, unlike its pictures
const MAX_TEXT = 4 * 2 ** 10
const ENDS = 200
const MAX_VALUES = 5000

/** The same event; very large arguments are a short text, which is equal for the same ones only. */
export function withBriefArgs(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool-call') return event
  const { args } = event
  if (typeof args === 'string')
    return args.length > MAX_JSON ? { ...event, args: toDigest(args) } : event
  return sizeOf(args).values > MAX_VALUES
    ? { ...event, args: toDigest(JSON.stringify(args)) }
    : event
}

/** The same event; of a very large answer, the length and the ends. */
export function withBriefOutput(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool-result' || typeof event.output === 'string') return event
  const { values, longest } = sizeOf(event.output)
  if (values > MAX_VALUES) return { ...event, output: JSON.stringify(event.output) }
  return longest > MAX_TEXT ? { ...event, output: withBriefTexts(event.output) } : event
}

// text that is not JSON is hashed as it is
const toDigest = (text: string) =>
  `${text.length} characters: ${callKey('long', `text ${text.length > MAX_HASHED ? endsOf(text) : text}`)}`

// what takes a few milliseconds to hash; no model writes as much in one call
const MAX_HASHED = 2 ** 20
const HASHED_ENDS = 256 * 2 ** 10

const endsOf = (text: string) => text.slice(0, HASHED_ENDS) + text.slice(-HASHED_ENDS)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** How many values a value of JSON has inside, and how long the longest text is; no more than the most are looked at. */
function sizeOf(value: unknown): { values: number; longest: number } {
  const open = isObject(value) ? [value] : []
  let values = 0
  let longest = 0
  for (let one = open.pop(); one && values <= MAX_VALUES; one = open.pop())
    for (const inner of Object.values(one)) {
      values++
      if (isObject(inner)) open.push(inner)
      else if (typeof inner === 'string' && inner.length > longest) longest = inner.length
    }
  return { values, longest }
}

function withBriefTexts(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT
      ? [value.length, value.slice(0, ENDS), value.slice(-ENDS)]
      : value
  if (Array.isArray(value)) return value.map(withBriefTexts)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withBriefTexts(inner)]),
  )
}
