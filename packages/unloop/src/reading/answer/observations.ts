/**
 * How programs begin what they say in the person's place to models that write their calls as text.
 * `test/observation-examples.ts` has the program and an example for each.
 */
export const observations: readonly RegExp[] = [
  /^(?:Call id: [^\n]{1,100}\n)?Observation(?: \d{1,4})?:/i,
  /^\[[\w-]{1,60}(?: for [^\n]{1,300})?\] Result:/,
  /^<returncode>-?\d{1,10}<\/returncode>/,
  /^<(?:tool_response|tool_result|tool_output|function_results?|observation|execution_result)>/,
  /^exitcode: -?\d{1,10} \(execution (?:succeeded|failed)/,
  /^(?:Code|Execution) (?:output|result|logs?):/i,
  /^I ran this command:\n/,
  /^(?:# ?)?\d{1,4} SEARCH\/REPLACE block/,
  /^The LLM did not conform to/,
  /^# Fix any (?:linting )?errors below/,
  /^(?:\[ERROR\] )?You did not use a tool\b/,
  /^(?:Format error:?\s{1,4})?Please always provide EXACTLY ONE action/i,
  /^Your output was not formatted/,
  /^(?:Invalid Format:|Could not parse LLM output|Invalid or incomplete response)/i,
  /^Error(?: in code parsing)?:[\s\S]{0,4000}Now let's retry: take care/,
  /^Please continue working on the task on whatever/,
]

// the longest start that is looked for
const MAX_START = 5000

/** Whether a message in the person's place is what a program says about the last answer of the model. */
export function isObservation(text: string): boolean {
  const start = text.trimStart().slice(0, MAX_START)
  return observations.some((one) => one.test(start))
}

/** What a model wants to be done, where it says so in words. */
export interface TextAction {
  name: string
  args: Record<string, string>
}

const ACTION = /(?:^|\n)Action:[ \t]{0,8}([^\n]{1,200})/
const INPUT = /(?:^|\n)Action Input:([\s\S]*)/
const FENCE = /(?:^|\n)```(\w{0,20})[^\n]{0,80}\n([\s\S]*)/
const TAG = /<([a-z][a-z_]{1,40})>/g
const THOUGHTS = new Set(['thinking', 'thought', 'think', 'plan', 'reflection', 'scratchpad'])
const SHELLS = new Set(['', 'bash', 'sh', 'shell', 'console', 'mswea_bash_command'])

/** The call in a message: an action with its input, a tool in tags, a block of code, or else all that it says. */
export function actionIn(text: string): TextAction {
  const [, action] = ACTION.exec(text) ?? []
  if (action !== undefined)
    return { name: action.trim(), args: { input: INPUT.exec(text)?.[1]?.trim() ?? '' } }
  const [, language = '', block] = FENCE.exec(text) ?? []
  if (block !== undefined) {
    const end = block.indexOf('\n```')
    const code = (end < 0 ? block : block.slice(0, end)).trim()
    return SHELLS.has(language)
      ? { name: 'bash', args: { command: code } }
      : { name: language, args: { code } }
  }
  for (const { 1: name = '', index } of text.matchAll(TAG)) {
    const from = index + name.length + 2
    const end = text.indexOf(`</${name}>`, from)
    if (THOUGHTS.has(name) || end < 0) continue
    return { name, args: { input: text.slice(from, end).trim() } }
  }
  return { name: 'message', args: { text: text.trim() } }
}
