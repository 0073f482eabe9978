import { codingAgentNamed } from '../coding-agents/index.js'
import type { LoopReport, NextStep } from './run-report.js'

/** What a person can do so that a loop like this does not run on, best first. */
export function nextSteps(
  { certainty, advice, stopped }: Pick<LoopReport, 'certainty' | 'advice' | 'stopped'>,
  program: string | undefined,
): NextStep[] {
  return [
    ...(certainty === 'certain' ? [guardStep(program, stopped !== undefined)] : []),
    { kind: 'advice', text: `Tell the agent: ${advice}` },
    TUNE,
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
    text: `Put unloop into this agent: it ${effect}. ${GUIDE} shows how.`,
  }
}

const GUIDE = 'https://github.com/unloop-dev/unloop/blob/main/docs/guide.md'

const TUNE: NextStep = {
  kind: 'setting',
  text: 'If it was honest work, see which limit to raise, and for which tool:',
  command: 'unloop tune --since 30d',
}
