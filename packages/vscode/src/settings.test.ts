import { describe, expect, it } from 'vitest'
import { checkGuard } from './check-guard.js'
import { readSettings } from './settings.js'

const read = (given: Record<string, unknown>) => readSettings((name) => given[name], checkGuard)

describe('settings', () => {
  it('that are not there have their defaults', () => {
    expect(read({})).toEqual({
      problems: [],
      settings: {
        model: 'embedded',
        baseUrl: {},
        judgeModel: '',
        guardMode: 'enforce',
        guard: { detectors: {}, tools: {} },
        maxTurns: 100,
      },
    })
  })

  it('reach the guard', () => {
    const { settings, problems } = read({
      preset: 'deepv',
      detectors: { 'identical-call': { limit: 7 } },
      tools: { get_build: { allow: 'always' } },
    })
    expect(problems).toEqual([])
    expect(settings.guard).toEqual({
      preset: 'deepv',
      detectors: { 'identical-call': { limit: 7 } },
      tools: { get_build: { allow: 'always' } },
    })
  })

  it.each([
    ['model', '', 'unloop.model must be a name'],
    ['model', 7, 'unloop.model must be a name'],
    ['baseUrl', 'https://a.example', 'unloop.baseUrl must be addresses by provider'],
    ['baseUrl', { openai: 'file:///etc' }, 'unloop.baseUrl must be addresses by provider'],
    ['baseUrl', { openai: 'nowhere' }, 'unloop.baseUrl must be addresses by provider'],
    ['baseUrl', { openai: '' }, 'unloop.baseUrl must be addresses by provider'],
    ['baseUrl', { other: 'https://a.example' }, 'unloop.baseUrl must be addresses by provider'],
    ['judge.model', false, 'unloop.judge.model must be empty or a name'],
    ['guardMode', 'always', 'unloop.guardMode must be one of enforce, observe, off; got "always"'],
    [
      'guardMode',
      'on',
      'unloop.guardMode must be one of enforce, observe, off; got "on", which is now called "enforce"',
    ],
    ['preset', 'codex', 'unloop.preset must be one of default, gemini-cli'],
    ['detectors', [], 'unloop.detectors must be settings by name; got []'],
    ['detectors', { chants: true }, 'unloop.detectors detectors must be one of'],
    ['detectors', { chanting: { nope: 1 } }, 'unloop.detectors chanting'],
    ['tools', { read: { allow: 0 } }, 'unloop.tools tools.read.allow must be'],
    ['maxTurns', 0, 'unloop.maxTurns must be a whole number of at least 1; got 0'],
  ])('%s: %j is refused, and the rest is used', (name, value, expected) => {
    const { settings, problems } = read({ [name]: value })
    expect(settings).toEqual(read({}).settings)
    expect(problems.map(({ setting, message }) => `${setting} ${message}`)).toEqual([
      expect.stringContaining(expected),
    ])
  })

  it('keep what is right of those with a mistake in them', () => {
    const { settings, problems } = read({
      detectors: { failing: false, chanting: { nope: 1 } },
    })
    expect(settings.guard.detectors).toEqual({ failing: false })
    expect(problems).toHaveLength(1)
  })
})
