import { codingAgentNamed } from '../coding-agents/index.js'
import type { LoopReport, NextStep } from './run-report.js'

/** What a person can do so that a loop like this does not run on, best first. */
export function nextSteps(
  {
    certainty,
    advice,
    tool,
    stopped,
  }: Pick<LoopReport, 'certainty' | 'advice' | 'tool' | 'stopped'>,
  program: string | undefined,
): NextStep[] {
  return [
    ...(certainty === 'certain' ? [guardStep(program, stopped !== undefined)] : []),
    { kind: 'advice', text: `Tell the agent: ${advice}` },
    ...(tool === undefined ? [] : [allowStep(tool)]),
  ]
}

function guardStep(program: string | undefined, isStopped: boolean): NextStep {
  const effect = isStopped ? 'would have stopped it' : 'would have told the model'
  const agent = codingAgentNamed(program === 'copilot-cli' ? 'copilot' : program)
  if (agent)
    return {
      kind: 'hook',
      text: `Install the guard for ${agent.title}: it ${effect}.`,
      command: `unloop init ${agent.name}`,
    }
  return {
    kind: 'hook',
    text: `Put unloop into this agent: it ${effect}. See docs/guide.md.`,
  }
}

const allowStep = (tool: string): NextStep => ({
  kind: 'setting',
  text: `If it was honest work, set "tools": { ${JSON.stringify(tool)}: { "allow": "always" } } in unloop.config.json.`,
})
