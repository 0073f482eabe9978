/** What programs say in the person's place to models that write their calls as text. */
interface Observation {
  /** who says it */
  family: string
  /** how it begins */
  start: RegExp
  example: string
}

export const observations: Observation[] = [
  {
    family: 'ReAct, LangChain, SWE-agent, smolagents',
    start: /^(?:Call id: [^\n]{1,100}\n)?Observation(?: \d{1,4})?:/i,
    example: 'Observation: the page was not found',
  },
  {
    family: 'Cline, Roo Code, Kilo Code',
    start: /^\[[\w-]{1,60}(?: for [^\n]{1,300})?\] Result:/,
    example: "[read_file for 'src/app.ts'] Result:\n1 | export const app = 1",
  },
  {
    family: 'mini-swe-agent',
    start: /^<returncode>-?\d{1,10}<\/returncode>/,
    example: '<returncode>1</returncode>\n<output>\ncat: a.txt: No such file\n</output>',
  },
  {
    family: 'Hermes, Qwen, and others with tags',
    start:
      /^<(?:tool_response|tool_result|tool_output|function_results?|observation|execution_result)>/,
    example: '<tool_response>\n{"price": 12}\n</tool_response>',
  },
  {
    family: 'AutoGen',
    start: /^exitcode: -?\d{1,10} \(execution (?:succeeded|failed)/,
    example: 'exitcode: 0 (execution succeeded)\nCode output: \n12',
  },
  {
    family: 'Open Interpreter',
    start: /^(?:Code|Execution) (?:output|result|logs?):/i,
    example: 'Code output: 12',
  },
  {
    family: 'aider, after a command',
    start: /^I ran this command:\n/,
    example: 'I ran this command:\n\nnpm test\n\nAnd got this output:\n\n1 failed',
  },
  {
    family: 'aider, after an edit',
    start: /^(?:# ?)?\d{1,4} SEARCH\/REPLACE blocks? failed to match/,
    example: '# 1 SEARCH/REPLACE block failed to match!\n\n## src/app.ts',
  },
  {
    family: 'aider, about the form of an edit',
    start: /^The LLM did not conform to the edit format/,
    example: 'The LLM did not conform to the edit format.\nNo filename provided before ```',
  },
  {
    family: 'aider, after linting',
    start: /^# Fix any (?:linting )?errors below, if possible/,
    example: '# Fix any errors below, if possible.\n\n## Running: flake8 app.py',
  },
  {
    family: 'Cline, Roo Code, and others that want a tool to be used',
    start: /^(?:\[ERROR\] )?You did not use a tool\b/,
    example:
      '[ERROR] You did not use a tool in your previous response! Please retry with a tool use.',
  },
  {
    family: 'mini-swe-agent, about the form of a command',
    start: /^(?:Format error:?\s{1,4})?Please always provide EXACTLY ONE action/i,
    example: 'Please always provide EXACTLY ONE action in triple backticks, found 0 actions.',
  },
  {
    family: 'SWE-agent, about the form of a command',
    start: /^Your output was not formatted correctly/,
    example: 'Your output was not formatted correctly. You must always include one discussion.',
  },
  {
    family: 'LangChain, about the form of an action',
    start: /^(?:Invalid Format:|Could not parse LLM output|Invalid or incomplete response)/i,
    example: "Invalid Format: Missing 'Action:' after 'Thought:'",
  },
  {
    family: 'smolagents, about an error',
    start:
      /^(?:Error:|Error in code parsing:)[\s\S]{0,4000}Now let's retry: take care not to repeat previous errors/,
    example:
      "Error:\nNameError: x\nNow let's retry: take care not to repeat previous errors! If you have retried several times, try a completely different approach.",
  },
  {
    family: 'OpenHands, when the agent only talks',
    start: /^Please continue working on the task on whatever approach you think is suitable/,
    example: 'Please continue working on the task on whatever approach you think is suitable.',
  },
]

// the longest start that is looked for
const MAX_START = 5000

/** Whether a message in the person's place is what a program says about the last answer of the model. */
export function isObservation(text: string): boolean {
  const start = text.trimStart().slice(0, MAX_START)
  return observations.some((one) => one.start.test(start))
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
