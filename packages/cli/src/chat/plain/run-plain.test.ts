import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createHost, emptyFolder } from '../../../test/host.js'
import { run } from '../../run.js'

/** The chat in a terminal that cannot move its cursor. */
function open(args: string[] = []) {
  const cwd = emptyFolder()
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const { host, stdout, stderr, signal } = createHost(['chat', ...args], {
    stdin,
    cwd,
    isTerminal: true,
    env: { TERM: 'dumb', UNLOOP_HOME: cwd },
  })
  const code = run(host)
  return {
    code,
    stderr,
    signal,
    stdout,
    type: (line: string) => stdin.write(`${line}\n`),
    end: () => stdin.end(),
    /** Waits until this was written. */
    async until(wanted: string | RegExp): Promise<void> {
      const isThere = () =>
        typeof wanted === 'string' ? stdout().includes(wanted) : wanted.test(stdout())
      while (!isThere()) await new Promise((resolve) => host.stdout.once('data', resolve))
    },
  }
}

describe('the chat in a dumb terminal', () => {
  it('says so, and works line by line without commands to the terminal', async () => {
    const { type, until, code, stdout } = open()
    await until(/line by line[\s\S]*> $/)
    type('What is unloop?')
    await until(/read_topic[\s\S]*> $/)
    type('/exit')
    expect(await code).toBe(0)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
    expect(stdout()).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  })

  it('asks about a loop, with keys to type', async () => {
    const { type, until, code } = open(['/stuck', 'repeated-call'])
    await until(/What now\?[\s\S]*1 {2}Stop: [\s\S]*> $/)
    type('nonsense')
    await until('type what stands at the beginning')
    type('4')
    await until('Your hint to the model')
    type('look elsewhere')
    await until(/→ Hint to the model: look elsewhere[\s\S]*What now\?/)
    type('1')
    await until('→ Stopped')
    type('/exit')
    expect(await code).toBe(0)
  })

  it('ends with its input, after what was asked', async () => {
    const { type, end, code, stdout } = open()
    type('What is unloop?')
    end()
    expect(await code).toBe(0)
    expect(stdout()).toContain('read_topic')
  })

  it('stops an answer with Ctrl+C, and is left with two', async () => {
    const { until, signal, code, type } = open(['--guard', 'off'])
    await until(/> $/)
    type('/stuck repeated-call')
    await until('list_topics')
    signal('SIGINT')
    await until(/· stopped\n> $/)
    type('/guard')
    await until(/guard mode: off\n> $/)
    signal('SIGINT')
    await until(/press Ctrl\+C again to leave\n> $/)
    signal('SIGINT')
    expect(await code).toBe(130)
  })

  it('ends with a signal', async () => {
    const { until, signal, code } = open()
    await until(/> $/)
    signal('SIGTERM')
    expect(await code).toBe(143)
  })
})
