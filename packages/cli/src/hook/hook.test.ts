import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createClaude, createHookHost, type Told, tell } from '../../test/hooks.js'
import { unloop } from '../../test/host.js'
import { codingAgents } from '../coding-agents/index.js'
import { stateFolder } from '../state-folder.js'
import { sessionsFolder } from './folders.js'
import { type HookHost, hook } from './hook.js'
import { logFile } from './log.js'

const missing = 'cat: nothing.txt: No such file or directory'
const loop = 'cat nothing.txt'
const NO_TOOL = '<tool_use_error>Error: No such tool available: Frobnicate</tool_use_error>'
const INVALID =
  '<tool_use_error>InputValidationError: Bash failed due to the following issue:\nThe required parameter `command` is missing</tool_use_error>'

describe('a hook', () => {
  it('warns the model, refuses the call, and stops the run', () => {
    const claude = createClaude(createHookHost())
    claude.prompt('Look into nothing.txt')
    const told = Array.from({ length: 6 }, () => claude.call(loop, missing))
    expect(told.map(({ hasRun }) => hasRun)).toEqual([true, true, true, false, false, false])
    expect(told[2]?.after?.hookSpecificOutput?.additionalContext).toContain('this exact call')
    expect(told[3]?.before?.hookSpecificOutput?.permissionDecision).toBe('deny')
    expect(told[3]?.before?.continue).toBeUndefined()
    expect(told[4]?.before?.continue).toBe(false)
    expect(told[4]?.before?.systemMessage).toContain('unloop session s1 --continue')
  })

  it('starts over with a new prompt', () => {
    const claude = createClaude(createHookHost())
    for (let i = 0; i < 6; i++) claude.call(loop, missing)
    claude.prompt('Try again')
    expect(claude.call(loop, missing).hasRun).toBe(true)
  })

  it('says nothing about work', () => {
    const claude = createClaude(createHookHost())
    for (let i = 0; i < 60; i++) {
      const { before, after } = claude.call(`make part-${i}`, { stdout: `part ${i} is made` })
      expect({ before, after }).toEqual({ before: undefined, after: undefined })
    }
  })

  it('lets the model do something else after a refusal', () => {
    const claude = createClaude(createHookHost())
    const told = Array.from({ length: 4 }, () => claude.call(loop, missing))
    expect(told[3]?.hasRun).toBe(false)
    for (let i = 0; i < 20; i++) {
      expect(claude.call(`make part-${i}`, { stdout: `part ${i} is made` }).hasRun).toBe(true)
    }
  })

  it('tells sub-agents apart', () => {
    const host = createHookHost()
    const main = createClaude(host, { session_id: 'one' })
    const helpers = ['a', 'b', 'c', 'd'].map((agent_id) =>
      createClaude(host, { session_id: 'one', agent_id }),
    )
    for (const each of [main, ...helpers]) {
      expect(each.call(loop, missing)).toMatchObject({ hasRun: true })
    }
  })

  it('counts a call once that two hooks tell of', () => {
    const host = createHookHost()
    const tool = { session_id: 's1', tool_name: 'Bash', tool_input: { command: loop } }
    const told = Array.from({ length: 3 }, (_, i) => {
      const call = { ...tool, tool_use_id: `t${i}` }
      const both = (name: string, more = {}) =>
        [1, 2].map(() => tell(host, 'claude-code', { ...call, ...more, hook_event_name: name }))
      return [
        ...both('PreToolUse'),
        ...both('PostToolUse', { tool_response: 'same' }),
        ...both('PostToolBatch'),
      ]
    })
    // as many calls as one hook needs for its first words, and no words before
    expect(told.flat().filter(Boolean)).toHaveLength(1)
    expect(told[2]?.[4]?.hookSpecificOutput?.additionalContext).toContain('this exact call')
  })

  it('counts a call once whose answer is told twice, as to hooks that an older version installed', () => {
    const host = createHookHost()
    const before = createClaude(createHookHost())
    const wanted = Array.from({ length: 5 }, () => before.call(loop, missing).hasRun)
    const send = (name: string, more: object) =>
      tell(host, 'claude-code', { session_id: 's1', hook_event_name: name, ...more })
    const ran = Array.from({ length: 5 }, (_, i) => {
      const tool = { tool_name: 'Bash', tool_use_id: `t${i}`, tool_input: { command: loop } }
      if (send('PreToolUse', tool)) return false
      const error = `Exit code 1\n${missing}`
      send('PostToolUseFailure', { ...tool, error })
      send('PostToolBatch', { tool_calls: [{ ...tool, tool_response: error }] })
      return true
    })
    expect(ran).toEqual(wanted)
  })

  it.each([
    ['an unknown tool', { tool_name: 'Frobnicate', tool_response: NO_TOOL }],
    ['invalid arguments', { tool_name: 'Bash', tool_response: INVALID }],
    [
      'ever new arguments of an unknown tool',
      { tool_name: 'Frobnicate', tool_response: NO_TOOL, isVaried: true },
    ],
  ])('stops a loop of calls with %s, of which it hears only when they are over', (_, call) => {
    for (const env of [{}, { CLAUDE_CODE_SESSION_ATTENDED: '1' }]) {
      for (const fields of [{}, { agent_id: 'helper' }]) {
        const claude = createClaude(createHookHost(env), fields)
        claude.prompt('Frobnicate it')
        const told: (Told | undefined)[] = []
        const limit = 'isVaried' in call ? 16 : 8
        while (told.length < limit && told.at(-1)?.continue !== false) {
          const tool_input = 'isVaried' in call ? { name: `thing ${told.length}` } : { name: 'it' }
          told.push(claude.fail({ ...call, tool_input }))
        }
        expect(told.at(-1)?.continue).toBe(false)
        expect(told.at(-1)?.systemMessage).toContain('unloop stopped this run')
        expect(told.some((one) => one?.hookSpecificOutput?.additionalContext)).toBe(true)
      }
    }
  })

  it('says nothing about one unknown tool between calls that work', () => {
    const claude = createClaude(createHookHost())
    for (let i = 0; i < 20; i++) {
      expect(claude.call(`make part-${i}`, { stdout: `part ${i} is made` }).after).toBeUndefined()
      if (i % 10 === 5) {
        expect(claude.fail({ tool_name: 'Frob', tool_response: NO_TOOL })).toBeUndefined()
      }
    }
  })

  it('refuses a call to both hooks that tell of it', () => {
    const host = createHookHost()
    const claude = createClaude(host)
    for (let i = 0; i < 3; i++) claude.call(loop, missing)
    const call = {
      session_id: 's1',
      tool_name: 'Bash',
      tool_use_id: 'again',
      tool_input: { command: loop },
      hook_event_name: 'PreToolUse',
    }
    const [first, second] = [1, 2].map(() => tell(host, 'claude-code', call))
    expect(first?.hookSpecificOutput?.permissionDecision).toBe('deny')
    expect(second).toEqual(first)
  })

  it('finds a loop of calls that all have the same id, and blames no other call for it', () => {
    const host = createHookHost()
    const send = (name: string, command: string, more = {}) =>
      tell(host, 'codex', {
        session_id: 's1',
        hook_event_name: name,
        tool_name: 'Bash',
        tool_use_id: 'call_0',
        tool_input: { command },
        ...more,
      })
    let ran = 0
    for (let i = 0; i < 10; i++) {
      if (send('PreToolUse', loop)) continue
      ran++
      send('PostToolUse', loop, { tool_response: missing })
    }
    expect(ran).toBeLessThanOrEqual(6)
    send('UserPromptSubmit', '', { prompt: 'And now?' })
    expect(send('PreToolUse', 'ls src')).toBeUndefined()
  })

  it.each(['null', '{}', '5', '{"end":'])(
    'goes on after somebody wrote %s into its state',
    (text) => {
      const host = createHookHost()
      const claude = createClaude(host)
      for (let i = 0; i < 12; i++) claude.call(`make part-${i}`, { stdout: `part ${i} is made` })
      const folder = join(sessionsFolder(host), 's1')
      for (const name of ['1.json', '7.json', '99.json']) writeFileSync(join(folder, name), text)
      const told = Array.from({ length: 6 }, () => claude.call(loop, missing))
      expect(told.at(-1)?.hasRun).toBe(false)
    },
  )

  it('finds a loop in an agent that does not tell when a round is over', () => {
    const host = createHookHost()
    const send = (name: string, id: number, more = {}) =>
      tell(host, 'claude-code', {
        session_id: 's1',
        hook_event_name: name,
        tool_name: 'Bash',
        tool_use_id: `t${id}`,
        tool_input: { command: loop },
        ...more,
      })
    let ran = 0
    for (let i = 0; i < 12; i++) {
      if (send('PreToolUse', i)) continue
      ran++
      send('PostToolUseFailure', i, { error: missing })
    }
    expect(ran).toBeLessThanOrEqual(6)
  })

  it('lets an agent search for many things that are not there', () => {
    const claude = createClaude(createHookHost())
    for (let i = 0; i < 30; i++) {
      expect(claude.call(`rg -n symbol${i * 7}Handler src`, { stdout: '' }).hasRun).toBe(true)
    }
  })

  it('matches calls without ids by their arguments, in parallel too', () => {
    const host = createHookHost()
    const send = (name: string, path: string, more = {}) =>
      tell(host, 'gemini-cli', {
        session_id: 'g',
        hook_event_name: name,
        tool_name: 'read_file',
        tool_input: { path },
        ...more,
      })
    const answer = { tool_response: { llmContent: 'nothing new', returnDisplay: 'nothing new' } }
    let ran = 0
    for (let i = 0; i < 8; i++) {
      const paths = ['a.ts', 'b.ts'].filter((path) => !send('BeforeTool', path))
      for (const path of paths.toReversed()) send('AfterTool', path, answer)
      ran += paths.length
    }
    expect(ran).toBeGreaterThanOrEqual(6)
    expect(ran).toBeLessThanOrEqual(9)
  })

  it('asks where a person sits in front of Claude Code, and continues if they agree', () => {
    const host = createHookHost({ CLAUDE_CODE_ENTRYPOINT: 'cli' })
    const claude = createClaude(host)
    const told = Array.from({ length: 6 }, () => claude.call(loop, missing))
    const asked = told.find(
      ({ before }) => before?.hookSpecificOutput?.permissionDecision === 'ask',
    )
    expect(asked?.before?.continue).toBeUndefined()
    expect(asked?.before?.hookSpecificOutput?.permissionDecisionReason).toContain('anyway?')
  })

  const NO =
    "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing."

  it.each([
    ['an answer that says so', true],
    ['the end of the round without the call', false],
  ])('ends a sub-agent to which the person has said no, known by %s', (_, isAnswered) => {
    const host = createHookHost({ CLAUDE_CODE_SESSION_ATTENDED: '1' })
    const helper = createClaude(host, { agent_id: 'helper' })
    for (let i = 0; i < 4; i++) helper.call(loop, missing)
    const asked = { tool_name: 'Bash', tool_use_id: 'asked', tool_input: { command: loop } }
    const question = helper.send('PreToolUse', asked)
    expect(question?.hookSpecificOutput?.permissionDecision).toBe('ask')
    const tool_calls = isAnswered ? [{ ...asked, tool_response: NO }] : []
    expect(helper.send('PostToolBatch', { tool_calls })?.continue).toBe(false)
    for (const command of [loop, 'ls']) {
      const { before } = helper.call(command)
      expect(before?.continue).toBe(false)
      expect(before?.hookSpecificOutput?.permissionDecision).toBe('deny')
    }
    const main = createClaude(host)
    main.prompt('Go on')
    expect(helper.call('ls').hasRun).toBe(true)
  })

  it('of an agent whose run it cannot end says so once, and never that it stopped', () => {
    const host = createHookHost()
    const fields = { session_id: 's1', cwd: '/' }
    const send = (hook_event_name: string, more: object) =>
      tell(host, 'codex', { ...fields, hook_event_name, ...more })
    const round = (at: number) => {
      const tool = { tool_name: 'Bash', tool_use_id: `t${at}`, tool_input: { command: loop } }
      const before = send('PreToolUse', tool)
      if (!before) send('PostToolUse', { ...tool, tool_response: missing })
      return before
    }
    for (const prompt of ['Do it', 'Again']) {
      send('UserPromptSubmit', { prompt, turn_id: prompt })
      const told = Array.from({ length: 20 }, (_, at) => round(at)).filter((one) => one)
      const notices = told.map((one) => one?.systemMessage).filter((one) => one !== undefined)
      expect(told.length).toBeGreaterThan(10)
      expect(told.every((one) => one?.hookSpecificOutput?.permissionDecision === 'deny')).toBe(true)
      // the first refused call, and all further ones
      expect(notices).toHaveLength(2)
      expect(notices[1]).toContain('refuses all further calls of this prompt')
      expect(notices[1]).toContain('unloop run')
      expect(JSON.stringify(told)).not.toMatch(/stopped/i)
    }
  })

  it('asks the person before a call, and never the model', () => {
    const claude = createClaude(createHookHost({ CLAUDE_CODE_SESSION_ATTENDED: '1' }))
    const told = Array.from({ length: 24 }, (_, i) =>
      claude.call(`cat name-${i}.txt`, `cat: name-${i}.txt: No such file or directory`),
    )
    const asked = ({ before }: (typeof told)[number]) =>
      before?.hookSpecificOutput?.permissionDecision === 'ask'
    expect(told.some(asked)).toBe(true)
    for (const { before, after } of told) {
      expect(before?.continue).toBeUndefined()
      expect(JSON.stringify(after ?? '')).not.toContain('anyway?')
    }
  })

  it('keeps what it knows where nobody else can read it', () => {
    const host = createHookHost()
    createClaude(host).call('ls')
    const folder = join(sessionsFolder(host), 's1')
    const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map(
      (path) => statSync(path).mode & 0o077,
    )
    expect(new Set(modes)).toEqual(new Set([0]))
  })

  it('keeps little, however long the session and the answers are', () => {
    const host = createHookHost()
    const claude = createClaude(host)
    for (let i = 0; i < 80; i++) claude.call(`dump ${i}`, { stdout: `${i} ${'x'.repeat(300_000)}` })
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [i, 'x'.repeat(30_000)]))
    for (let i = 0; i < 8; i++) claude.call(`dump ${i}`, { stdout: `${i}`, ...many })
    const folder = join(sessionsFolder(host), 's1')
    const bytes = readdirSync(folder).reduce(
      (sum, name) => sum + statSync(join(folder, name)).size,
      0,
    )
    expect(bytes).toBeLessThan(1_000_000)
  })

  it('forgets sessions that have been silent for days', () => {
    const host = createHookHost()
    createClaude(host, { session_id: 'old' }).call('ls')
    const old = join(sessionsFolder(host), 'old')
    const longAgo = new Date(Date.now() - 5 * 24 * 60 * 60_000)
    for (const name of readdirSync(old)) utimesSync(join(old, name), longAgo, longAgo)
    utimesSync(old, longAgo, longAgo)
    createClaude(host, { session_id: 'new' }).call('ls')
    expect(readdirSync(sessionsFolder(host))).toEqual(['new'])
  })

  it.each(['../../etc', 'a/b', '', '.', 'x'.repeat(5000), 'ü\u0000'])(
    'keeps the session %j in a folder of its own',
    (session_id) => {
      const host = createHookHost()
      createClaude(host, { session_id }).call('ls')
      const names = existsSync(sessionsFolder(host)) ? readdirSync(sessionsFolder(host)) : []
      expect(names).toHaveLength(session_id === '' ? 0 : 1)
      expect(names.every((name) => /^[\w-]+$/.test(name))).toBe(true)
    },
  )

  it.each([
    ['', 'not JSON'],
    ['{"session_id": "s1", "hook_ev', 'not JSON'],
    ['[1, 2]', 'nothing to read'],
    ['null', 'not an object'],
    ['"text"', 'not an object'],
    ['{"hook_event_name": "Unheard", "session_id": "s1"}', 'nothing to read'],
    ['{"hook_event_name": 7, "session_id": {}}', 'nothing to read'],
  ])('lets the agent continue after %j', (input, message) => {
    for (const { name } of codingAgents) {
      const host = createHookHost()
      expect(hook(host, name, input)).toEqual({})
      expect(readFileSync(logFile(host), 'utf8')).toContain(message)
    }
  })

  it('lets an agent continue that it does not know', () => {
    const host = createHookHost()
    expect(hook(host, 'nobody', '{}')).toEqual({})
    expect(readFileSync(logFile(host), 'utf8')).toContain('no agent named "nobody"')
  })

  it('lets the agent continue if there is no place for its state', () => {
    const host = createHookHost({ UNLOOP_HOME: '/dev/null/unloop' })
    expect(createClaude(host).call('ls')).toMatchObject({ before: undefined, after: undefined })
  })

  it('does not write into the log what an event says', () => {
    const host = createHookHost()
    hook(host, 'claude-code', 'password=hunter2')
    expect(readFileSync(logFile(host), 'utf8')).not.toContain('hunter2')
  })
})

describe('rounds of several calls', () => {
  const paths = ['a.json', 'b.json', 'c.json']

  /** Makes the same round until it is stopped, and tells what happened to its calls in each round. */
  function repeat(round: () => string[]): string[][] {
    const rounds: string[][] = []
    while (rounds.length < 12 && !rounds.at(-1)?.includes('stop')) rounds.push(round())
    return rounds
  }

  const outcomeOf = (told: Told | undefined) =>
    told === undefined ? 'ran' : told.continue === false ? 'stop' : 'refused'

  function createRound(agent: string, isTogether: boolean) {
    const host = createHookHost()
    let count = 0
    return () => {
      const calls = paths.map((path) => ({
        session_id: 's1',
        tool_name: 'Bash',
        tool_use_id: `t${count++}`,
        tool_input: { command: `cat ${path}` },
      }))
      const before = (call: object) => tell(host, agent, { ...call, hook_event_name: 'PreToolUse' })
      const after = (call: (typeof calls)[number]) =>
        tell(host, agent, {
          ...call,
          hook_event_name: 'PostToolUse',
          tool_response: `${call.tool_input.command}: No such file or directory`,
        })
      const outcomes: string[] = []
      if (isTogether) {
        const shuffled = count % 2 ? calls.toReversed() : calls
        const told = shuffled.map((call) => ({ call, outcome: outcomeOf(before(call)) }))
        for (const { call, outcome } of told) {
          outcomes.push(outcome)
          if (outcome === 'ran' && after(call)) outcomes.push('told')
        }
      } else {
        for (const call of calls) {
          const outcome = outcomeOf(before(call))
          outcomes.push(outcome)
          if (outcome === 'ran') after(call)
        }
        const told = tell(host, agent, { session_id: 's1', hook_event_name: 'PostToolBatch' })
        if (told) outcomes.push(told.continue === false ? 'stop' : 'told')
      }
      return outcomes
    }
  }

  it.each([
    ['codex', true],
    ['claude-code', false],
  ])('are refused and stopped as one in %s', (agent, isTogether) => {
    const rounds = repeat(createRound(agent, isTogether))
    const ran = rounds.flat().filter((outcome) => outcome === 'ran')
    expect(ran.length).toBeLessThanOrEqual(9)
    // the model reads each step before the next
    const at = (outcome: string) => rounds.findIndex((round) => round.includes(outcome))
    expect(at('told')).toBeGreaterThan(0)
    expect(at('refused')).toBeGreaterThan(at('told'))
    expect(rounds[at('refused')]?.every((outcome) => outcome === 'refused')).toBe(true)
    // Codex cannot be stopped: everything is refused from then on
    if (agent !== 'codex') expect(at('stop')).toBeGreaterThan(at('refused'))
    else expect(rounds.slice(at('refused')).flat()).not.toContain('ran')
  })

  it('may have a call in common with the one before', () => {
    const host = createHookHost()
    for (let i = 0; i < 12; i++) {
      const calls = ['status.txt', `part-${i}.txt`].map((path, at) => ({
        session_id: 's1',
        tool_name: 'Bash',
        tool_use_id: `t${i}-${at}`,
        tool_input: { command: `cat ${path}` },
      }))
      for (const call of calls) {
        expect(tell(host, 'codex', { ...call, hook_event_name: 'PreToolUse' })).toBeUndefined()
      }
      for (const call of calls) {
        const tool_response = `${call.tool_input.command} says ${i}`
        const answer = { ...call, hook_event_name: 'PostToolUse', tool_response }
        expect(tell(host, 'codex', answer)).toBeUndefined()
      }
    }
  })
})

describe('a loop that answers prove', () => {
  it.each([
    ['two failing calls in turn', (i: number) => (i % 2 ? 'cat a.txt' : 'cat b.txt'), 9],
    ['ever new names', (i: number) => `cat name-${i}.txt`, 16],
  ])('%s: the model is told, a call is refused, the run is stopped', (_, commandOf, most) => {
    const claude = createClaude(createHookHost())
    const told = []
    for (let i = 0; i < 30; i++) {
      const command = commandOf(i)
      const made = claude.call(command, `${command}: No such file or directory`)
      told.push(made)
      if (made.before?.continue === false || made.after?.continue === false) break
    }
    expect(told.filter(({ hasRun }) => hasRun).length).toBeLessThanOrEqual(most)
    const advised = told.findIndex(({ after }) => after?.hookSpecificOutput)
    const refused = told.findIndex(({ hasRun }) => !hasRun)
    expect(advised).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(advised)
    expect(refused).toBeLessThan(told.length - 1)
    expect(told.length).toBeLessThan(30)
  })

  it('does not quote our own words', () => {
    const host = createHookHost()
    const answers = Array.from({ length: 20 }, (_, i) =>
      tell(host, 'codex', {
        session_id: 's1',
        tool_name: 'Bash',
        tool_use_id: `t${i}`,
        tool_input: { command: loop },
        hook_event_name: i % 2 ? 'PostToolUse' : 'PreToolUse',
        tool_response: missing,
      }),
    )
    for (const answer of answers) {
      expect(JSON.stringify(answer ?? '').split('Stopped:').length).toBeLessThanOrEqual(2)
    }
  })
})

describe('a session whose state is removed while the agent works', () => {
  const folderOfSession = (host: HookHost) => join(sessionsFolder(host), 's1')

  it('refuses all further calls of the prompt, if its settings are still there', () => {
    const host = createHookHost()
    const claude = createClaude(host)
    claude.prompt('Do it')
    for (const command of ['ls a', 'ls b', 'ls c']) expect(claude.call(command).hasRun).toBe(true)
    for (const name of readdirSync(folderOfSession(host))) {
      if (name !== 'session.json') rmSync(join(folderOfSession(host), name))
    }
    for (const command of ['ls d', 'ls e', 'ls f']) {
      const { hasRun, before } = claude.call(command)
      expect(hasRun).toBe(false)
      expect(before?.systemMessage).toMatch(/removed the state|stopped|refused/)
    }
    claude.prompt('Go on')
    expect(claude.call('ls g').hasRun).toBe(true)
  })

  it('is not calm until the next prompt', () => {
    const host = createHookHost()
    const claude = createClaude(host)
    const isCalm = () => existsSync(join(folderOfSession(host), 'calm'))
    claude.prompt('Do it')
    claude.call('ls a')
    expect(isCalm()).toBe(true)
    rmSync(stateFolder(host), { recursive: true })
    claude.call('ls b')
    claude.call('ls c')
    expect(isCalm()).toBe(false)
    claude.prompt('Go on')
    claude.call('ls d')
    expect(isCalm()).toBe(true)
  })
})

describe('the configuration of the folder', () => {
  const PATH = 'unloop.config.json'
  // each makes the guard more lenient
  const LENIENT: object[] = [
    { mode: 'off' },
    { mode: 'observe' },
    { preset: 'deepv' },
    { detectors: { failing: false, 'repeated-call': false } },
    {
      detectors: {
        failing: { likely: 90, limit: 90, places: 90 },
        'repeated-call': { likely: 90, limit: 90 },
      },
    },
    { tools: { Bash: { allow: 'always' } } },
    { tools: { Bash: { allow: 90 } } },
    { ladder: ['warn', 'warn', 'warn', 'warn', 'warn', 'warn', 'warn', 'stop'] },
  ]

  /** A session in a folder of its own, which may be written to while it lasts. */
  function inFolder(config?: object) {
    const host = createHookHost()
    const folder = join(host.cwd(), 'project')
    mkdirSync(folder)
    const write = (what: object, into = folder) =>
      writeFileSync(join(into, PATH), JSON.stringify(what))
    if (config) write(config)
    const run = (...args: string[]) => unloop(args, { env: host.env, cwd: folder })
    const claude = createClaude(host, { cwd: folder })
    const ran = (calls: number) =>
      Array.from({ length: calls }, () => claude.call(loop, missing).hasRun)
    const words = () =>
      JSON.stringify(['ls a', 'ls b', 'ls c', 'ls d'].map((command) => claude.call(command)))
    return { host, folder, write, run, claude, ran, words }
  }

  const STOPPED = [true, true, true, false, false]

  it.each(LENIENT)('takes no effect before it is trusted, and then it does: %j', async (config) => {
    const { folder, run, claude, ran } = inFolder(config)
    const told = claude.prompt('Look into nothing.txt')
    expect(told?.systemMessage).toContain(`${join(folder, PATH)} is not trusted`)
    expect(told?.systemMessage).toContain(`unloop trust ${folder}`)
    expect(ran(5)).toEqual(STOPPED)
    expect(claude.prompt('Try again')).toBeUndefined()
    expect((await run('trust', '--yes')).code).toBe(0)
    expect(claude.prompt('And again')?.systemMessage).toContain('the configuration has changed')
    expect(ran(5)).not.toEqual(STOPPED)
  })

  it.each(LENIENT)('stops an agent that writes it at the fourth call: %j', (config) => {
    const { write, claude, ran } = inFolder()
    claude.prompt('Look into nothing.txt')
    const before = ran(3)
    write(config)
    expect([...before, ...ran(2)]).toEqual(STOPPED)
    expect(claude.prompt('Try again')?.systemMessage).toContain('is not trusted')
    expect(ran(5)).toEqual(STOPPED)
  })

  it('leaves the configuration of the person as strict as it is', () => {
    const { host, claude, words, write } = inFolder({})
    write({ budget: { steps: 1 } }, host.env.HOME)
    claude.prompt('Do it')
    expect(words()).toContain('budget')
    write({ budget: { steps: 90 }, mode: 'enforce' })
    claude.prompt('Try again')
    expect(words()).toContain('budget')
  })

  it('may make a guard stricter without trust', () => {
    const { folder, claude, words } = inFolder({ budget: { steps: 1 } })
    expect(claude.prompt('Do it')?.systemMessage).toContain(
      `${join(folder, PATH)} limits what each prompt may use: {"steps":1}.`,
    )
    expect(claude.prompt('Do it')).toBeUndefined()
    expect(words()).toContain('budget')
  })

  it('takes effect with the next prompt, also if it is the person’s own', () => {
    const { host, write, claude, ran } = inFolder()
    claude.prompt('Look into nothing.txt')
    const before = ran(3)
    write({ mode: 'off' }, host.env.HOME)
    expect([...before, ...ran(2)]).toEqual(STOPPED)
    expect(claude.prompt('Try again')?.systemMessage).toContain('nothing is guarded')
    expect(ran(6)).not.toContain(false)
    write({}, host.env.HOME)
    expect(ran(6)).not.toContain(false)
    expect(claude.prompt('Once more')?.systemMessage).toContain('it applies')
    expect(ran(5)).toEqual(STOPPED)
  })

  it('of the person that was written during a prompt has no effect, though the state is removed, too', () => {
    const { host, write, claude, ran } = inFolder()
    claude.prompt('Look into nothing.txt')
    ran(3)
    write({ mode: 'off' }, host.env.HOME)
    rmSync(stateFolder(host), { recursive: true })
    expect(ran(5)).toContain(false)
    claude.prompt('Try again')
    expect(ran(8)).not.toContain(false)
  })

  it('of the person holds where a repository has none', () => {
    const { host, folder, write, claude, ran } = inFolder()
    mkdirSync(join(folder, '.git'))
    write({ mode: 'off' }, host.env.HOME)
    claude.prompt('Look into nothing.txt')
    expect(ran(6)).not.toContain(false)
  })

  it('is ignored, and the log says why, if it is wrong', () => {
    for (const config of [
      { tools: { Bash: { allow: 'often' } } },
      { budget: { steps: 'many' } },
      { detectors: 5, budget: 5 },
      { mode: 'of' },
    ]) {
      const { host, ran } = inFolder(config)
      expect(ran(5)).toEqual(STOPPED)
      expect(readFileSync(logFile(host), 'utf8')).toMatch(/ignored/)
    }
  })

  it('is shown by unloop sessions as the session has it', async () => {
    const { write, run, claude, ran } = inFolder()
    claude.prompt('Look into nothing.txt')
    ran(5)
    write({ mode: 'off' })
    expect((await run('sessions')).stdout).toContain(' stopped ')
  })
})

describe('unloop session', () => {
  const terminal = () => Object.assign(Readable.from([]), { isTTY: true })
  const stuck = () => {
    const host = createHookHost()
    const claude = createClaude(host)
    for (let i = 0; i < 5; i++) claude.call(loop, missing)
    const run = (...args: string[]) =>
      unloop(args, { env: host.env, cwd: host.cwd(), stdin: terminal() })
    return { host, claude, run }
  }

  it('begins no line with what an agent has as a name', async () => {
    const host = createHookHost()
    const claude = createClaude(host)
    const tool = { tool_name: 'x\n::error::y', tool_input: {}, tool_response: NO_TOOL }
    const told = Array.from({ length: 9 }, () => claude.fail(tool))
    const run = (...args: string[]) => unloop(args, { env: host.env, cwd: host.cwd() })
    const printed = [
      (await run('sessions')).stdout,
      (await run('session', 's1')).stdout,
      ...told.map((one) => `${one?.systemMessage ?? ''}`),
    ].join('\n')
    expect(printed).toContain('x ::error::y')
    expect(printed).not.toMatch(/^\s*::/m)
  })

  it('lists guarded sessions and what happened in them', async () => {
    const { run } = stuck()
    const { code, stdout } = await run('sessions')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^s1 {2}claude-code .* stopped .*\n {2}Bash was called 4 times/)
    const shown = (await run('session', 's1')).stdout
    expect(shown).toContain(': the call was refused')
    expect(shown).toContain(': the agent was stopped')
    const { sessions } = JSON.parse((await run('sessions', '--json')).stdout)
    expect(sessions).toMatchObject([{ id: 's1', agent: 'claude-code', state: 'stopped' }])
  })

  it('shows a session on one line, whatever its id is', async () => {
    const host = createHookHost()
    createClaude(host, { session_id: 'one\ntwo \u001b[31mred' }).call('ls')
    const { stdout } = await unloop(['sessions'], { env: host.env, cwd: host.cwd() })
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(stdout).not.toContain('\u001b')
  })

  it('lets a stopped session continue', async () => {
    const { run, claude } = stuck()
    expect(claude.call(loop, missing).hasRun).toBe(false)
    expect((await run('session', 's', '--continue')).code).toBe(0)
    expect(claude.call(loop, missing).hasRun).toBe(true)
  })

  it('allows a tool to repeat', async () => {
    const { run, claude } = stuck()
    await run('session', 's1', '--allow', 'Bash')
    const told = Array.from({ length: 9 }, () => claude.call(loop, missing))
    expect(told.every(({ hasRun }) => hasRun)).toBe(true)
  })

  it('gives the model a hint', async () => {
    const { run, claude } = stuck()
    await run('session', 's1', '--hint', 'It is in src.')
    const told = Array.from({ length: 2 }, (_, i) => claude.call(`ls src/${i}`))
    const words = told.map(({ after }) => after?.hookSpecificOutput?.additionalContext)
    expect(words.filter((each) => String(each).includes('It is in src.'))).toHaveLength(1)
  })

  it('turns the guard off and on again', async () => {
    const { run, claude } = stuck()
    await run('session', 's1', '--off')
    const off = Array.from({ length: 9 }, () => claude.call(loop, missing))
    expect(off.every(({ hasRun }) => hasRun)).toBe(true)
    expect((await run('sessions')).stdout).toContain('off')
    await run('session', 's1', '--on')
    const on = Array.from({ length: 5 }, () => claude.call(loop, missing))
    expect(on.map(({ hasRun }) => hasRun)).toEqual([true, true, true, false, false])
  })

  it('refuses a choice that would change nothing', async () => {
    const { run } = stuck()
    const wrong = await run('session', 's1', '--allow', 'bash')
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('has not called bash (it called Bash); did you mean Bash?')
    expect((await run('session', 's1', '--hint', ' ')).code).toBe(2)
  })

  it.each([['--continue'], ['--allow', 'Bash'], ['--hint', 'Go on.'], ['--off'], ['--on']])(
    'changes nothing for an agent, or without a terminal: %s',
    async (...choice) => {
      const { host, claude } = stuck()
      const { env } = host
      for (const [more, stdin, words] of [
        [{}, '', 'here is no terminal'],
        [{ CLAUDECODE: '1' }, terminal(), 'inside Claude Code'],
        [{ GEMINI_CLI: '1' }, '', 'inside Gemini CLI'],
      ] as const) {
        const options = { env: { ...env, ...more }, cwd: host.cwd(), stdin }
        const { code, stdout, stderr } = await unloop(['session', 's1', ...choice], options)
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
        expect(stderr).toContain(words)
        expect(stderr).toContain('terminal of your own')
        expect((await unloop(['session', 's1'], options)).code).toBe(0)
      }
      expect(claude.call(loop, missing).hasRun).toBe(false)
    },
  )

  it('says what to do if there is no such session, or more than one', async () => {
    const { run } = stuck()
    const none = await run('session', 'unknown')
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('unloop sessions lists them')
    expect((await run('session', 's1', '--on', '--off')).code).toBe(2)
    expect((await run('session', '')).stderr).toContain("there is no guarded session ''")
  })
})
