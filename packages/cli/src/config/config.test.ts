import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, jsonLines, unloop } from '../../test/host.js'
import { toJsonSchema } from './schema.js'

const event = '{"type":"text","text":"hi"}\n'
const calls = '{"type":"tool-call","name":"read","args":{"path":"a"}}\n'.repeat(12)

const withConfig = (name: string, content: string) => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, name), content)
  return cwd
}

describe('unloop.config', () => {
  it('is found from the working directory upwards', async () => {
    const home = withConfig('unloop.config.json', '{ "preset": "gemini-cli" }')
    const cwd = join(home, 'a/b')
    mkdirSync(cwd, { recursive: true })
    const { stdout } = await unloop(['check', '--json', '-'], {
      stdin: calls,
      cwd,
      env: { HOME: home },
    })
    expect(jsonLines(stdout)[0].finding.detector).toBe('identical-call')
  })

  it('is not looked for above the home directory', async () => {
    const above = withConfig('unloop.config.json', 'broken')
    const home = join(above, 'home')
    mkdirSync(home)
    const { code } = await unloop(['check', '-'], { stdin: event, cwd: home, env: { HOME: home } })
    expect(code).toBe(0)
  })

  it.each([
    [
      'ts',
      "import { defineConfig } from '@unloop/cli'\nexport default defineConfig({ preset: 'deepv' as const })",
    ],
    [
      'mts',
      "import { identicalCall } from 'unloop/presets'\nexport default { detectors: [identicalCall({ limit: 10 })] }",
    ],
    ['mjs', "export default { preset: 'deepv' }"],
  ])('can be written in %s', async (end, content) => {
    const cwd = withConfig(`unloop.config.${end}`, content)
    const { stdout, stderr } = await unloop(['check', '--json', '-'], { stdin: calls, cwd })
    expect(stderr).not.toContain('cannot be read')
    expect(jsonLines(stdout)[0].finding).toMatchObject({ detector: 'identical-call', count: 10 })
  })

  it('is overruled by the command line', async () => {
    const cwd = withConfig('unloop.config.json', '{ "preset": "deepv" }')
    const args = ['check', '--json', '--preset', 'gemini-cli', '-']
    const { stdout } = await unloop(args, { stdin: calls, cwd })
    expect(jsonLines(stdout)[0].finding.count).toBe(5)
  })

  it.each([
    ['{', 'unloop.config.json cannot be read'],
    ['[]', 'it takes an object, got []'],
    ['{ "presett": "deepv" }', 'presett is not known; did you mean preset?'],
    ['{ "preset": "deep" }', 'preset takes one of gemini-cli, qwen-code, deepv, got "deep"'],
    [
      '{ "detectors": { "repeated-calls": true } }',
      'detectors.repeated-calls is not known; did you mean repeated-call?',
    ],
    [
      '{ "detectors": { "repeated-call": { "limits": 3 } } }',
      'detectors.repeated-call.limits is not known; did you mean limit?',
    ],
    [
      '{ "detectors": { "repeated-call": { "limit": 0 } } }',
      'detectors.repeated-call.limit takes at least 1, got 0',
    ],
    [
      '{ "detectors": { "repeated-call": "off" } }',
      'detectors.repeated-call takes true or false or an object, got "off"',
    ],
    ['{ "tools": { "poll": { "alow": 3 } } }', 'tools.poll.alow is not known; did you mean allow?'],
    [
      '{ "tools": { "poll": { "allow": "often" } } }',
      'tools.poll.allow takes a number or always, got "often"',
    ],
    ['{ "ladder": ["warn"] }', "'ask' or 'stop', got"],
    [
      '{ "ladder": { "calls": ["warm", "stop"] } }',
      'ladder.calls.0 takes one of warn, block, cut, ask, stop, got "warm"',
    ],
    ['{ "maxTurns": 1.5 }', 'maxTurns takes a whole number, got 1.5'],
    ['{ "mode": "on" }', 'mode must be one of enforce, observe, off; got "on", which is now'],
    ['{ "judge": {} }', 'judge.model takes a text, got nothing'],
    ['{ "baseUrl": "somewhere" }', 'baseUrl takes a url, got "somewhere"'],
  ])('refuses %s', async (content, message) => {
    const cwd = withConfig('unloop.config.json', content)
    const { code, stderr, stdout } = await unloop(['check', '-'], { stdin: event, cwd })
    expect(stderr).toContain(message)
    expect(stderr).toContain(join(cwd, 'unloop.config.json'))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('refuses a file that is not there', async () => {
    const { code, stderr } = await unloop(['check', '--config', 'none.json', '-'], { stdin: event })
    expect(code).toBe(2)
    expect(stderr).toContain('no such configuration file')
  })

  it('has a published schema that is up to date', () => {
    const path = new URL('../../schema/unloop.config.schema.json', import.meta.url)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(toJsonSchema())
  })
})
