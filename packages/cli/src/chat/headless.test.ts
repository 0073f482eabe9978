import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { readSession } from '@unloop/agent'
import { describe, expect, it } from 'vitest'
import { createHost, emptyFolder, jsonLines, unloop } from '../../test/host.js'
import { writeOracleConfig } from '../../test/oracle-config.js'
import { run } from '../run.js'

const chat = (...args: string[]) => unloop(['chat', ...args])

const ENDLESS = [
  ...['chat', '-p', '/stuck repeated-call', '--json'],
  ...['--guard', 'off', '--max-turns', '100000'],
]

describe('unloop chat -p', () => {
  it('writes the answer to stdout and the rest to stderr', async () => {
    const { code, stdout, stderr } = await chat('-p', 'What is unloop?')
    expect(code).toBe(0)
    expect(stdout).toContain('circuit breaker')
    expect(stdout.endsWith('\n')).toBe(true)
    expect(stdout).not.toContain('read_topic')
    expect(stderr).toContain('› read_topic {"topic":"unloop"}')
  })

  it('writes every event as a line with --json, which check can read', async () => {
    const { code, stdout, stderr } = await chat('-p', 'What is unloop?', '--json')
    const events = jsonLines(stdout)
    expect(code).toBe(0)
    expect(stderr).toBe('')
    expect(events[0]).toMatchObject({ type: 'prompt', text: 'What is unloop?' })
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'done' })
    const checked = await unloop(['check', '-'], { stdin: stdout })
    expect(checked.code).toBe(0)
    expect(checked.stderr).not.toContain('passed over')
  })

  it('takes the prompt as plain words, quoted or not', async () => {
    const quoted = await unloop(['chat', 'What is unloop?'])
    expect(quoted).toMatchObject({ code: 0, stdout: expect.stringContaining('circuit breaker') })
    expect(await unloop(['chat', 'What', 'is', 'unloop?'])).toEqual(quoted)
    expect((await unloop(['chat', '/stuck', 'repeated-call'])).code).toBe(3)
    const piped = await unloop(['chat', 'What is', '--json'], { stdin: 'unloop?' })
    expect(jsonLines(piped.stdout)[0]).toMatchObject({ text: 'What is\n\nunloop?' })
  })

  it('sends along the files that the prompt names, and none that only stdin names', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'a.txt'), 'zebra')
    const args = ['chat', '-p', 'see @a.txt', '--json']
    const named = await unloop(args, { cwd })
    expect(jsonLines(named.stdout)[0].text).toBe('see @a.txt\n\n[attached: a.txt]\nzebra')
    expect(named.stderr).toContain('attached a.txt (1 line, 5 B)')
    const piped = await unloop(['chat', '--json'], { cwd, stdin: 'see @a.txt' })
    expect(jsonLines(piped.stdout)[0].text).toBe('see @a.txt')
  })

  it('takes the prompt from stdin, and adds stdin to a prompt', async () => {
    const piped = await unloop(['chat', '--json'], { stdin: 'What is unloop?\n' })
    expect(jsonLines(piped.stdout)[0].text).toBe('What is unloop?')
    const both = await unloop(['chat', '--json', '-p', 'Explain this:'], { stdin: 'unloop\n' })
    expect(jsonLines(both.stdout)[0].text).toBe('Explain this:\n\nunloop')
  })

  it('tells at the end what it has only observed', async () => {
    const args = ['-p', '/stuck repeated-call', '--guard', 'observe', '--max-turns', '9']
    const { code, stdout, stderr } = await chat(...args, '--json')
    expect(code).toBe(3)
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: 'turn-limit' })
    expect(stderr).toMatch(/^observed, stuck: .*\n$/)
  })

  it('ends a loop with 3 and the finding as the last line of stdout', async () => {
    const { code, stdout, stderr } = await chat('-p', '/stuck repeated-call')
    expect(code).toBe(3)
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'loop_detected',
      finding: { detector: 'repeated-call', action: 'stop' },
    })
    expect(stderr).toContain('stopped by a loop: list_topics was called')
    const json = await chat('-p', '/stuck repeated-call', '--json')
    expect(json.code).toBe(3)
    expect(jsonLines(json.stdout).at(-1)).toMatchObject({ type: 'loop_detected' })
    expect(jsonLines(json.stdout).filter(({ type }) => type === 'loop_detected')).toHaveLength(1)
  })

  it('lets a model that heeds the warning finish', async () => {
    const { code, stderr } = await chat('-p', '/stuck repeated-call heed')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^(?:struggling, the model was told|stuck, warn): list_topics was/m)
  })

  it('tells the struggling from the stuck, and stops the stuck alone', async () => {
    const playing = (limits: { likely: number; certain?: number }) => {
      const cwd = emptyFolder()
      writeOracleConfig(cwd, limits)
      return (...args: string[]) =>
        unloop(['chat', '-p', '/stuck repeated-call', '--max-turns', '9', ...args], { cwd })
    }
    const play = playing({ likely: 3 })
    const struggling = await play()
    expect(struggling.stdout).toContain('{"type":"turn-limit","turns":9,"limit":9}')
    expect(struggling.stderr.match(/^struggling, the model was told: .*$/gm)).toEqual([
      'struggling, the model was told: list_topics was told 3 times',
    ])
    expect((await play('--guard', 'observe')).stderr).toContain(
      'observed, struggling: list_topics was told',
    )
    const events = jsonLines((await play('--json')).stdout)
    expect(events.filter(({ finding }) => finding)).toMatchObject([
      { type: 'loop_warning', finding: { certainty: 'likely', action: 'warn' } },
    ])
    const stuck = await playing({ likely: 3, certain: 5 })()
    expect(stuck.code).toBe(3)
    const told = stuck.stderr.split('\n').filter((line) => !line.startsWith('›'))
    expect(told.slice(0, 4).map((line) => line.split(':')[0])).toEqual([
      'struggling, the model was told',
      'stuck, the call was refused',
      '  refused by the guard; it did not run',
      'stopped by a loop',
    ])
  })

  it.each(['off', 'observe'])('does not stop it with --guard %s', async (mode) => {
    const args = ['-p', '/stuck repeated-call', '--guard', mode, '--max-turns', '12', '--json']
    const events = jsonLines((await chat(...args)).stdout)
    expect(events.at(-1)).toEqual({ type: 'turn-limit', turns: 12, limit: 12 })
    expect(events.some(({ type }) => type.startsWith('loop_'))).toBe(false)
  })

  it('ends with 3 at the limit of turns, and says so as JSON', async () => {
    const { code, stdout } = await chat('-p', '/stuck repeated-call', '--max-turns', '3')
    expect(code).toBe(3)
    expect(stdout).toContain('{"type":"turn-limit","turns":3,"limit":3}')
  })

  it.each([
    [['-p', '/stuck repeated-cal'], 'did you mean repeated-call?'],
    [['-p', '/stuck'], '/stuck takes a kind: repeated-call,'],
    [['-p', '/stuck chanting now'], 'got now'],
    [['-p', '/stuck judge'], '"judge": { "model": "embedded" }'],
    [['-p', '/stuck chanting', '--model', 'openai/x'], 'needs the embedded model'],
    [['-p', 'x', '--guard', 'on'], 'got "on", which is now called "enforce"'],
    [[], 'no prompt; add one'],
    [['-p', 'x', '--model', 'nobody/x'], 'nobody'],
    [['-p', 'x', '--model', 'openai/x'], 'OPENAI_API_KEY'],
    [['-p', 'x', '--resume', 'none'], 'no conversation in this folder has the id none'],
    [['-p', 'x', '--resume'], 'no conversation was saved'],
  ])('refuses %j with 2', async (args, message) => {
    const { code, stdout, stderr } = await chat(...args)
    expect(stderr).toContain(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('ends with 4 when the provider fails, and says what to do', async () => {
    const args = ['-p', 'x', '--model', 'ollama/x', '--base-url', 'http://127.0.0.1:9/v1']
    const { code, stdout, stderr } = await chat(...args)
    expect(code).toBe(4)
    expect(stdout).toBe('')
    expect(stderr).toContain('the model failed')
  })

  it('saves nothing unless asked to, and goes on with what was saved', async () => {
    const cwd = emptyFolder()
    const env = { UNLOOP_HOME: cwd }
    await unloop(['chat', '-p', 'What is unloop?'], { cwd, env })
    expect(readdirSync(cwd)).toEqual([])
    const saved = await unloop(['chat', '-p', 'What is unloop?', '--save'], { cwd, env })
    const id = /saved as (\w+)/.exec(saved.stderr)?.[1] ?? ''
    expect(readdirSync(join(cwd, 'sessions'))).toEqual([`${id}.jsonl`])
    const again = await unloop(['chat', '-p', 'And a guard?', '--resume', '--save'], { cwd, env })
    expect(again.stderr).toContain(`saved as ${id}`)
    expect(readdirSync(join(cwd, 'sessions'))).toEqual([`${id}.jsonl`])
  })

  it('ends cleanly on a signal, with its code', async () => {
    const { host, stdout, signal } = createHost(ENDLESS)
    const done = run(host)
    host.stdout.once('data', () => signal('SIGINT'))
    expect(await done).toBe(130)
    expect(jsonLines(stdout()).at(-1)).toMatchObject({ type: 'finished', reason: 'aborted' })
  })

  it('stops when nobody reads any more', async () => {
    const { host } = createHost(ENDLESS)
    const stdout = new PassThrough()
    const closed = Object.assign(stdout, {
      write() {
        stdout.emit('error', Object.assign(new Error('closed'), { code: 'EPIPE' }))
        return false
      },
    })
    expect(await run({ ...host, stdout: closed as never })).toBeLessThan(70)
  })

  it('takes model, guard and turns from the configuration', async () => {
    const cwd = emptyFolder()
    const config = { model: 'embedded/x', mode: 'observe', maxTurns: 9 }
    writeFileSync(join(cwd, 'unloop.config.json'), JSON.stringify(config))
    const args = ['chat', '-p', '/stuck repeated-call', '--json']
    const events = jsonLines((await unloop(args, { cwd })).stdout)
    expect(events[0].model).toBe('embedded/x')
    expect(events.at(-1)).toEqual({ type: 'turn-limit', turns: 9, limit: 9 })
  })
})

describe('the scenario of the comparison, with the preset deepv', () => {
  const play = async (kind: string, model: string) => {
    const cwd = emptyFolder()
    const args = ['chat', '-p', `/stuck ${kind}`, '--preset', 'deepv', '--model', model, '--json']
    const env = { UNLOOP_HOME: cwd }
    const { code, stdout } = await unloop([...args, '--max-turns', '12', '--save'], { cwd, env })
    const events = jsonLines(stdout)
    const [file = ''] = readdirSync(join(cwd, 'sessions'))
    const { entries } = readSession(join(cwd, 'sessions', file))
    const calls = events.filter(({ type }) => type === 'tool-call')
    return { code, calls, last: events.at(-1), feedback: entries.at(-1)?.message.content }
  }

  it('stops a preview model at its fourth call of read_file, whatever the path', async () => {
    const { code, last, calls, feedback } = await play(
      'call-flood',
      'embedded/gemini-3-pro-preview',
    )
    expect(code).toBe(3)
    expect(feedback).toContain('Your last turn was stopped: read_file was called 4 times')
    expect(last).toMatchObject({ type: 'loop_detected', finding: { count: 4, tool: 'read_file' } })
    // the fourth is seen before anybody else sees it
    expect(calls).toHaveLength(3)
    expect(new Set(calls.map(({ args }) => args.path)).size).toBe(3)
  })

  it('does not stop a standard model at four, and at ten if they are identical', async () => {
    const { code, last, calls } = await play('identical-call', 'embedded/gemini-2.0-flash')
    expect(code).toBe(3)
    expect(last).toMatchObject({
      type: 'loop_detected',
      finding: { detector: 'identical-call', count: 10, tool: 'read_file' },
    })
    expect(calls).toHaveLength(9)
  })
})
