import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Provider, type Reply, type Script, startProvider } from '@unloop/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { emptyFolder, jsonLines, unloop } from '../../test/host.js'

const open: Provider[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()))
})

/** A headless chat with a provider that answers as scripted. */
async function chat(script: Script, ...args: string[]) {
  const provider = await startProvider(script)
  open.push(provider)
  const cwd = emptyFolder()
  const where = ['--model', 'openai/gpt-x', '--base-url', `${provider.url}/v1`]
  const env = { OPENAI_API_KEY: 'none' }
  const done = await unloop(['chat', '-p', 'Go on.', ...where, ...args], { cwd, env })
  return { ...done, provider, cwd }
}

const edit = { name: 'edit_file', args: { path: 'new.txt', new: 'hello' } }

describe('a headless chat with a provider', () => {
  it('answers', async () => {
    const { code, stdout } = await chat([{ text: 'Hello there.' }])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello there.\n' })
  })

  it('does not run tools that ask first', async () => {
    const { code, stderr, cwd } = await chat([{ calls: [edit] }, { text: 'Well.' }])
    expect(code).toBe(0)
    expect(stderr).toContain(
      'not run: it needs permission, and nobody could be asked; --yes allows it',
    )
    expect(existsSync(join(cwd, 'new.txt'))).toBe(false)
  })

  it('runs them with --yes', async () => {
    const { stdout, cwd } = await chat([{ calls: [edit] }, { text: 'Done.' }], '--yes')
    expect(stdout).toBe('Done.\n')
    expect(existsSync(join(cwd, 'new.txt'))).toBe(true)
  })

  it('ends with 4 when it is refused, with the reason and what to do', async () => {
    const { code, stdout, stderr } = await chat([{ status: 401, message: 'wrong key' }], '--json')
    expect(code).toBe(4)
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: 'error', kind: 'refused' })
    expect(stderr).toContain('wrong key')
    const text = await chat([{ status: 401, message: 'wrong key' }])
    expect(text).toMatchObject({ code: 4, stdout: '', stderr })
  })

  const half: Reply = { text: 'Half an answer that breaks off.', calls: [edit], fault: 'cut' }

  it('says once what a model said again after its stream was cut', async () => {
    const { code, stdout, stderr } = await chat([
      { ...half, after: 4 },
      { text: 'Let me see.', calls: [{ name: 'list_topics' }] },
      half,
      { text: 'Hello world.' },
    ])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Let me see.\nHello world.\n' })
    expect(stderr.match(/asking the model again/g)).toHaveLength(2)
    expect(stderr).not.toContain('edit_file')
  })

  it('keeps what a model said before it failed for good, with the code of that', async () => {
    const { code, stdout } = await chat(() => ({ text: 'Half an answer.', fault: 'malformed' }))
    expect(code).toBe(4)
    expect(stdout).toMatch(/^Half.*\n$/)
    expect(stdout.match(/Half/g)).toHaveLength(1)
  })

  it('stops its stream when the answer is a chant', async () => {
    const chant = { text: 'I will check the file again. '.repeat(4000), pauseMs: 1 }
    const { code, stdout, provider } = await chat(() => chant)
    expect(code).toBe(3)
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      finding: { detector: 'chanting' },
    })
    expect(await (await provider.exchange(0)).disconnected).toBe(true)
  })
})

describe('the address of a model', () => {
  const keys = { ANTHROPIC_API_KEY: 'key-of-anthropic', OPENAI_API_KEY: 'key-of-openai' }

  /** Two servers, one of them Anthropic's own; who was asked, and with which keys. */
  async function ask(config: (url: string) => object, ...args: string[]) {
    const given = await startProvider(answer)
    const anthropic = await startProvider(answer)
    open.push(given, anthropic)
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'unloop.config.json'), JSON.stringify(config(`${given.url}/v1`)))
    const env = { ...keys, ANTHROPIC_BASE_URL: anthropic.url }
    const where = args.map((arg) => arg.replace('GIVEN', `${given.url}/v1`))
    await unloop(['chat', '-p', 'Go on.', '--guard', 'observe', ...where], { cwd, env })
    const seen = ({ exchanges }: Provider) => ({
      asked: exchanges.length > 0,
      keys: Object.values(keys).filter((key) => JSON.stringify(exchanges).includes(key)),
    })
    return { given: seen(given), anthropic: seen(anthropic) }
  }

  // from turn 30 on the judge is asked
  const answer: Script = (request, turn) =>
    'tools' in (request.body as object) && turn < 31
      ? { calls: [{ name: 'read_topic', args: { topic: `${turn}` } }] }
      : { text: '{}' }

  it('is not that of a judge of another provider', async () => {
    const { given, anthropic } = await ask((baseUrl) => ({
      model: 'compatible/m',
      baseUrl,
      judge: { model: 'anthropic/claude-haiku', confirm: 'anthropic/claude-opus' },
    }))
    expect(given).toEqual({ asked: true, keys: [] })
    expect(anthropic).toEqual({ asked: true, keys: ['key-of-anthropic'] })
  })

  it('given on the command line is not that of a judge of another provider either', async () => {
    const judge = { model: 'anthropic/claude-haiku' }
    const args = ['--model', 'compatible/m', '--base-url', 'GIVEN']
    const { given, anthropic } = await ask(() => ({ judge }), ...args)
    expect(given).toEqual({ asked: true, keys: [] })
    expect(anthropic).toEqual({ asked: true, keys: ['key-of-anthropic'] })
  })

  it('is that of a judge of the same provider', async () => {
    const { given, anthropic } = await ask((baseUrl) => ({
      model: 'anthropic/claude-sonnet',
      baseUrl,
      judge: { model: 'anthropic/claude-haiku' },
    }))
    expect(given).toEqual({ asked: true, keys: ['key-of-anthropic'] })
    expect(anthropic.asked).toBe(false)
  })

  it('in the configuration is not that of another model asked for now', async () => {
    const config = (baseUrl: string) => ({ model: 'compatible/m', baseUrl })
    const { given, anthropic } = await ask(config, '--model', 'anthropic/claude-sonnet')
    expect(given).toEqual({ asked: false, keys: [] })
    expect(anthropic).toEqual({ asked: true, keys: ['key-of-anthropic'] })
  })
})
