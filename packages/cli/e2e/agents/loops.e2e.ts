import { describe, expect, test } from 'vitest'
import { type AgentName, agentNames } from './agents.js'
import { openLab, type Run } from './lab.js'
import { fillProject, loops, readRan } from './scenarios.js'

// the first words of what the model reads, whatever the agent puts around it
const WORDS = '(?:You have made|The same error|Your last calls|You are going)'

/** How each agent tells its model of a call that a hook refused. */
const REFUSED: Record<AgentName, RegExp> = {
  'claude-code': new RegExp(`PreToolUse:Bash hook error: ${WORDS}`),
  codex: new RegExp(`Command blocked by PreToolUse hook: ${WORDS}`),
  'gemini-cli': new RegExp(`Tool execution blocked: ${WORDS}`),
  'qwen-code': new RegExp(`"(?:text|content)":"${WORDS}`),
  opencode: new RegExp(`"content":"${WORDS}`),
}

/** How a run ends that the guard stopped. */
const ENDED: Record<AgentName, (run: Run) => void> = {
  'claude-code'({ code, stdout }) {
    expect(code).toBe(0)
    expect(stdout).toContain('unloop stopped this run')
  },
  // its hooks cannot end a run: the calls are refused until the model gives up
  codex({ code, stdout }) {
    expect(code).toBe(0)
    expect(stdout).toContain('Ok.')
    expect(stdout).not.toMatch(/unloop stopped/)
  },
  'gemini-cli'({ code, stdout }) {
    expect(code).toBe(0)
    expect(stdout).toContain('unloop stopped this run')
  },
  // it ends without a word
  'qwen-code'({ code, stdout }) {
    expect(code).toBe(0)
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ result: '' })
  },
  opencode({ code, stdout }) {
    expect(code).toBe(1)
    expect(stdout).toContain('MessageAbortedError')
  },
}

/** Detectors of the agents themselves, which also count a call that was refused. */
const OWN: Partial<Record<AgentName, string>> = {
  'gemini-cli': 'Loop detected, stopping execution',
  'qwen-code': 'Loop detection halted the run',
}

const SAME = 'the same failing call'

// real agents on a busy machine take minutes
describe.concurrent.each(agentNames)(
  '%s with hooks of unloop init',
  { timeout: 300_000 },
  (name) => {
    for (const [title, { wishes, atMost }] of Object.entries(loops)) {
      test(`${title}: the model is told, a call is refused, the run is stopped`, async () => {
        await using lab = await openLab(name, wishes)
        await fillProject(lab)
        expect(await lab.unloop('init', name, '--yes')).toMatchObject({ code: 0 })
        const run = await lab.run('Find out what the configuration says')

        const ran = await readRan(lab)
        expect(ran.length).toBeGreaterThan(1)
        expect(ran.length).toBeLessThanOrEqual(atMost)
        const last = JSON.stringify(lab.turns().at(-1))
        // the advice, and the refusal
        expect(last.match(new RegExp(WORDS, 'g'))?.length ?? 0).toBeGreaterThan(1)
        expect(last).toMatch(REFUSED[name])

        const own = title === SAME ? OWN[name] : undefined
        if (own) expect(run.stdout).toContain(own)
        else ENDED[name](run)
        if (name !== 'codex') expect(run.stdout).not.toContain('Ok.')
      })
    }
  },
)
