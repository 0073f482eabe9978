/**
 * Counts what stands in recorded sessions, record by record and as plainly as possible. Nothing here comes from the
 * readers, so that what both of them find is right.
 */
export interface Count {
  turns: number
  calls: number
  results: number
  errors: number
  /** all that was read, from the cache or not */
  input: number
  cached: number
  cacheWrite: number
  cacheWriteHour: number
  output: number
}

// biome-ignore lint/suspicious/noExplicitAny: a count asks for what it knows to be there
type Any = any

export function countSession(text: string): Count {
  const records: Any[] = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
  if (records.some(({ payload }) => payload)) return countCodex(records)
  if (records.some(({ projectHash }) => projectHash)) return countGemini(records)
  return countClaude(records)
}

const nothing = (): Count => ({
  ...{ turns: 0, calls: 0, results: 0, errors: 0 },
  ...{ input: 0, cached: 0, cacheWrite: 0, cacheWriteHour: 0, output: 0 },
})

/** An answer is written in several lines; the last of them has all of its tokens. */
function countClaude(records: Any[]): Count {
  const count = nothing()
  const seen = new Set<string>()
  const answers = new Map<string, Any>()
  for (const { uuid, type, message, isApiErrorMessage } of records) {
    if (seen.has(uuid)) continue
    if (uuid) seen.add(uuid)
    const blocks: Any[] = Array.isArray(message?.content) ? message.content : []
    if (type === 'user') {
      const results = blocks.filter((block) => block.type === 'tool_result')
      count.results += results.length
      count.errors += results.filter((block) => block.is_error === true).length
    }
    if (type !== 'assistant' || isApiErrorMessage || message.model === '<synthetic>') continue
    count.calls += blocks.filter((block) => block.type === 'tool_use').length
    answers.set(message.id, message.usage)
  }
  count.turns = answers.size
  for (const usage of answers.values()) {
    const written = usage.cache_creation_input_tokens ?? 0
    const read = usage.cache_read_input_tokens ?? 0
    count.input += usage.input_tokens + read + written
    count.cached += read
    count.cacheWrite += written
    count.cacheWriteHour += usage.cache_creation?.ephemeral_1h_input_tokens ?? 0
    count.output += usage.output_tokens
  }
  return count
}

/** Who writes an item: the model, or somebody who answers it. */
const MODEL = new Set(['reasoning', 'function_call', 'custom_tool_call', 'web_search_call'])
const RESULTS = new Set(['function_call_output', 'custom_tool_call_output'])

function countCodex(records: Any[]): Count {
  const count = nothing()
  let total = ''
  let speaker = ''
  for (const { type, payload } of records) {
    if (type === 'event_msg' && payload.type === 'token_count' && payload.info) {
      const { total_token_usage: sum, last_token_usage: last } = payload.info
      const now = `${sum.input_tokens} ${sum.output_tokens}`
      if (now === total) continue
      total = now
      speaker = ''
      count.input += last.input_tokens
      count.cached += last.cached_input_tokens
      count.output += last.output_tokens
    }
    if (type === 'compacted') speaker = ''
    if (type !== 'response_item') continue
    const isModel = MODEL.has(payload.type) || payload.role === 'assistant'
    if (isModel && speaker !== 'model') count.turns++
    if (isModel) speaker = 'model'
    if (RESULTS.has(payload.type) || payload.role === 'user') speaker = 'other'
    if (isModel && payload.type.endsWith('_call')) count.calls++
    if (!RESULTS.has(payload.type)) continue
    count.results++
    if (/[1-9]/.test(exitCodeIn(payload.output))) count.errors++
  }
  return count
}

/** The exit code that stands in an output, or nothing. */
function exitCodeIn(output: unknown): string {
  if (typeof output !== 'string') return ''
  if (output.startsWith('{"output":')) return `${JSON.parse(output).metadata?.exit_code ?? ''}`
  const head = output.slice(0, 400).split('\n').slice(0, 5)
  const line = head.find((one) => /^(Exit code: |Process exited with code )-?\d/.test(one))
  return line?.match(/-?\d+/)?.[0] ?? ''
}

/** A message is written again as it grows; one that was taken back was paid all the same. */
function countGemini(records: Any[]): Count {
  const gone: Any[] = []
  let kept: Any[] = []
  const put = (message: Any) => {
    const at = kept.findIndex(({ id }) => id === message.id)
    if (at < 0) kept.push(message)
    else kept[at] = { ...kept[at], ...message }
  }
  for (const record of records) {
    const history: Any[] = record.$set?.messages ?? []
    if (record.$rewindTo) {
      const at = kept.findIndex(({ id }) => id === record.$rewindTo)
      gone.push(...kept.slice(at))
      kept = kept.slice(0, at)
    } else if (record.type) put(record)
    // a summary stands in the place of what is gone, and what follows the last known message is new
    const last = history.findLastIndex(({ id }) => kept.some((message) => message.id === id))
    for (const message of history.slice(last + 1)) put(message)
  }
  const count = nothing()
  for (const { type, toolCalls = [], tokens } of [...gone, ...kept]) {
    if (type !== 'gemini') continue
    count.turns++
    count.calls += toolCalls.length
    const answered = toolCalls.filter(({ result }: Any) => result)
    count.results += answered.length
    count.errors += answered.filter(({ status }: Any) => status === 'error').length
    count.input += tokens.input
    count.cached += tokens.cached
    count.output += tokens.output + tokens.thoughts
  }
  return count
}
