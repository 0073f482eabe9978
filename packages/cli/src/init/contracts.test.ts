import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'

// what the documentation of these agents says of their files; they cannot run on our machines
const list = (item: object) => ({ type: 'array', items: item })
const file = (events: string[], handler: object) => ({
  type: 'object',
  required: ['version', 'hooks'],
  additionalProperties: false,
  properties: {
    version: { const: 1 },
    hooks: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(events.map((event) => [event, list(handler)])),
    },
  },
})

const text = { type: 'string', minLength: 1 }
const CURSOR_EVENTS = [
  ...['sessionStart', 'sessionEnd', 'preToolUse', 'postToolUse', 'postToolUseFailure'],
  ...['subagentStart', 'subagentStop', 'beforeShellExecution', 'afterShellExecution'],
  ...['beforeMCPExecution', 'afterMCPExecution', 'beforeReadFile', 'afterFileEdit'],
  ...['beforeSubmitPrompt', 'preCompact', 'stop', 'afterAgentResponse', 'afterAgentThought'],
]
const cursor = file(CURSOR_EVENTS, {
  type: 'object',
  required: ['command'],
  additionalProperties: false,
  properties: {
    command: text,
    matcher: text,
    timeout: { type: 'number' },
    failClosed: { type: 'boolean' },
  },
})

const COPILOT_EVENTS = [
  ...['sessionStart', 'sessionEnd', 'userPromptSubmitted', 'preToolUse', 'postToolUse'],
  ...['postToolUseFailure', 'agentStop', 'subagentStop', 'errorOccurred', 'permissionRequest'],
]
const copilot = file(COPILOT_EVENTS, {
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  anyOf: [{ required: ['bash'] }, { required: ['powershell'] }, { required: ['command'] }],
  properties: {
    type: { const: 'command' },
    bash: text,
    powershell: text,
    command: text,
    cwd: text,
    env: { type: 'object' },
    timeoutSec: { type: 'integer', minimum: 1 },
    matcher: text,
  },
})

async function installed(agent: string) {
  const home = emptyFolder()
  await unloop(['init', agent, '--yes'], { cwd: home, env: { HOME: home } })
  return home
}

it.each([
  ['cursor', '.cursor/hooks.json', cursor],
  ['copilot', '.copilot/hooks/unloop.json', copilot],
])('writes what %s documents', async (agent, path, schema) => {
  const home = await installed(agent)
  const content = JSON.parse(readFileSync(join(home, path), 'utf8'))
  const validate = new Ajv({ allErrors: true, strictTypes: false }).compile(schema)
  validate(content)
  expect(validate.errors).toBeNull()
  expect(Object.keys(content.hooks)).toContain('preToolUse')
})

it('never lets Copilot refuse a call because unloop is missing', async () => {
  const home = await installed('copilot')
  const { hooks } = JSON.parse(readFileSync(join(home, '.copilot/hooks/unloop.json'), 'utf8'))
  expect(hooks.preToolUse[0].bash).toMatch(/ hook copilot \|\| true$/)
  expect(hooks.preToolUse[0].powershell).toMatch(/; exit 0$/)
})

it('writes executables for Cline', async () => {
  const home = await installed('cline')
  for (const name of ['UserPromptSubmit', 'PreToolUse', 'PostToolUse']) {
    const path = join(home, '.cline/hooks', name)
    expect(statSync(path).mode & 0o111).toBe(0o111)
    expect(readFileSync(path, 'utf8')).toMatch(/^#!\/bin\/sh\n/)
  }
})
