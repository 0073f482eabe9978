import { describe, expect, it } from 'vitest'
import {
  complaintsAbout,
  failsOn,
  families,
  type Outcome,
  roundsOf,
  type Step,
  type Story,
} from '../../testing/src/stories/index.js'
import { createClaude, createHookHost, type Told } from './hooks.js'

const PLAYED = [
  'deactivate_user: ten items, told by uid',
  'deactivate_user: one item again and again, told by uid',
  'reading settings with a timeout, by cat',
  'the same settings with a timeout, again and again',
  'as often as the person said: Run python test.py 20 times',
  'the same file, after: Fix the build and let me know when you are done.',
  'a log of requests, page by page, with sed',
  'a source of 1,600 lines, page by page',
  'eight greps without a match',
  'a tool that does not exist, with arguments that count up, in Claude Code',
  'an edit, and a test that fails as before but for a number',
  'twenty messages to twenty people',
  'twenty messages to one person',
  'forty files of a refactoring, each read and changed',
  'the same five files at once, again and again',
]

/** Has Claude Code live through a story, and tell its hooks of it. */
function play(story: Story): Outcome {
  const { prompt, send } = createClaude(createHookHost(), { cwd: '/srv/shop' })
  const outcome: Outcome = { said: [] }
  let step = 0
  let calls = 0

  /** Tells an event; gives what the agent reads in the place of an answer, if the call was refused. */
  function tell(event: string, more: object): string | undefined {
    const told = send(event, more)
    const said = wordsOf(told)
    if (said.length > 0) outcome.found ??= step
    outcome.said.push(...said)
    if (told?.continue === false) outcome.ended ??= step
    const { permissionDecision, permissionDecisionReason } = told?.hookSpecificOutput ?? {}
    if (permissionDecision !== 'deny') return
    outcome.refused ??= step
    return `PreToolUse hook error: ${permissionDecisionReason}`
  }

  prompt(story.prompt ?? 'Go on.')
  for (const round of roundsOf(story)) {
    step++
    const answered = round.map((one) => {
      const tool = { tool_use_id: `t${calls++}`, ...toTool(one) }
      const answer = answerOf(one)
      // it rejects these itself, and tells only of the whole round
      const refusal = answer.startsWith('<tool_use_error>') ? undefined : tell('PreToolUse', tool)
      return { ...tool, tool_response: refusal ?? answer }
    })
    if (!outcome.ended) tell('PostToolBatch', { tool_calls: answered })
    if (outcome.ended) break
    step += round.length - 1
  }
  return outcome
}

const wordsOf = (told: Told | undefined): string[] =>
  [
    told?.systemMessage,
    told?.stopReason,
    told?.hookSpecificOutput?.additionalContext,
    told?.hookSpecificOutput?.permissionDecisionReason,
  ].filter((words) => typeof words === 'string')

/** What a tool of a story is called in Claude Code. */
function toTool({ name = '', args }: Step) {
  if (name === 'bash') return { tool_name: 'Bash', tool_input: args }
  const isOwn = /^[A-Z]|^mcp__/.test(name)
  return { tool_name: isOwn ? name : `mcp__shop__${name}`, tool_input: args }
}

function answerOf({ name, output, isError }: Step): string {
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  if (!isError || text.startsWith('<tool_use_error>')) return text
  return name === 'bash' ? `Exit code 1\n${text}` : `Error: ${text}`
}

const stories = Object.values(families).flat()

describe('Claude Code with hooks', () => {
  for (const name of PLAYED) {
    const story = stories.find((one) => one.name === name)
    if (!story) throw new Error(`there is no story named ${name}`)
    const test = failsOn(story, 'hook') ? it.fails : it
    test(name, () => expect(complaintsAbout(story, play(story)).join('\n')).toBe(''))
  }
})
