import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@unloop/testing'
import { describe, expect, it } from 'vitest'
import { ConfigError, toConfig } from './config.js'
import { readConfig } from './read.js'
import { policyOf } from './rules.js'

/** What is wrong with a configuration, in words. */
function problemOf(given: unknown): string {
  try {
    toConfig(given)
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
}

describe('a configuration', () => {
  it('without anything serves the three providers on this machine', () => {
    const { listen, upstreams, store, actions } = toConfig(undefined)
    expect(listen).toEqual({ host: '127.0.0.1', port: 8787, hosts: [] })
    expect(upstreams.map(({ name, url }) => `${name} ${url.host}`)).toEqual([
      'anthropic api.anthropic.com',
      'openai api.openai.com',
      'gemini generativelanguage.googleapis.com',
    ])
    expect(store).toBeUndefined()
    expect(actions?.stop).toBe('respond')
  })

  it.each([
    ['https://api.openai.com/v1', 'https://api.openai.com/'],
    ['https://api.openai.com/v1/', 'https://api.openai.com/'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api'],
    ['https://proxy.example/openai', 'https://proxy.example/openai'],
  ])('%s is the same upstream as without a version', (url, base) => {
    expect(toConfig({ upstreams: { openai: { url } } }).upstreams[0]?.url.href).toBe(base)
  })

  it.each([
    [{ listen: { port: 70_000 } }, 'listen.port:'],
    [{ upstreams: {} }, 'upstreams: must have at least one upstream'],
    [{ upstreams: { v1: { url: 'https://x.example' } } }, 'upstreams.v1:'],
    [{ upstreams: { unloop: { url: 'https://x.example' } } }, 'is a path of the gateway'],
    [{ upstreams: { openai: { url: 'ftp://x.example' } } }, 'upstreams.openai.url:'],
    [{ store: 'mongodb://x' }, 'store: must be an address that begins with redis:// or rediss://'],
    [{ onLoop: 'panic' }, 'onLoop: must be respond, error, nudge'],
    [{ onLoop: { warn: 'shout' } }, 'onLoop'],
    [{ budget: { tokens: -1 } }, 'budget.tokens:'],
    [{ admin: { token: 'short' } }, 'admin.token:'],
    [{ guard: { detectors: { nonsense: true } } }, 'guard: detectors must be one of'],
    [
      { guard: { ladder: ['warn'] } },
      "guard: ladder must be a list of warn, block, cut, ask, stop that ends with 'ask' or 'stop'",
    ],
    [
      {
        upstreams: { openai: { url: 'https://x.example' } },
        rules: [{ match: { upstream: 'other' } }],
      },
      'rules[0].match.upstream: must be one of openai, got other',
    ],
    [{ rules: [{ match: { key: 'sk-secret' } }] }, "rules[0].match.key: must be 'sha256:'"],
    [{ lisen: {} }, 'lisen'],
  ])('%j is refused with a reason', (given, words) => {
    expect(problemOf(given)).toContain(words)
  })

  it('does not repeat a key that was written where its hash belongs', () => {
    expect(problemOf({ rules: [{ match: { key: 'sk-secret' } }] })).not.toContain('sk-secret')
  })
})

describe('a file', () => {
  async function read(text: string, added?: Record<string, unknown>) {
    const folder = await makeFolder()
    const path = join(folder.path, 'gateway.yaml')
    await writeFile(path, text)
    return readConfig(path, added).finally(() => folder.remove())
  }

  it('is YAML or JSON, and the command line wins', async () => {
    const added = { listen: { port: 1 }, admin: { token: 'x'.repeat(20) } }
    const yaml = await read('listen: { host: 0.0.0.0, port: 9 }\nadmin: { port: 2 }', added)
    expect(yaml.listen).toMatchObject({ host: '0.0.0.0', port: 1 })
    expect(yaml.admin).toEqual({ host: '0.0.0.0', port: 2, token: 'x'.repeat(20) })
    expect((await read('{"onLoop": "off"}')).actions).toBeUndefined()
    expect((await read('')).listen.port).toBe(8787)
  })

  it('is refused with the place of the mistake', async () => {
    await expect(read('listen:\n  port: [1')).rejects.toThrow(/gateway\.yaml:\d+:\d+: /)
    await expect(read('- 1')).rejects.toThrow(/is not a valid configuration/)
    await expect(readConfig('/nowhere.yaml')).rejects.toThrow(/cannot be read/)
  })
})

describe('rules', () => {
  const config = toConfig({
    onLoop: 'nudge',
    budget: { requests: 9 },
    rules: [
      { match: { model: 'a.c*' }, onLoop: 'off' },
      { match: { path: '/v1/messages' }, budget: { requests: 1 } },
    ],
  })
  const request = { upstream: 'openai', path: '/v1/responses', model: 'm', keys: ['cd', 'ab'] }

  it.each([
    [{ model: 'a.cd' }, undefined, 9],
    // a dot is a dot
    [{ model: 'abcd' }, 'nudge', 9],
    [{ path: '/v1/messages' }, 'nudge', 1],
    [{ path: '/v1/messages/count' }, 'nudge', 9],
  ])('%j', (changed, block, requests) => {
    const { actions, budget } = policyOf(config, { ...request, ...changed })
    expect([actions?.block, budget.requests]).toEqual([block, requests])
  })
})
