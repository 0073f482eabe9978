import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createHost, unloop } from '../test/host.js'
import { run } from './run.js'

describe('unloop', () => {
  it('tells its version', async () => {
    expect(await unloop(['--version'])).toMatchObject({ code: 0, stdout: '0.2.0\n', stderr: '' })
  })

  it.each([['--help'], ['chat', '--help'], ['check', '--help'], ['help', 'check']])(
    'prints the help of %s %s to stdout',
    async (...args) => {
      const { code, stdout, stderr } = await unloop(args)
      expect(code).toBe(0)
      expect(stdout).toContain('Usage: unloop')
      expect(stdout).toContain('Exit codes:')
      expect(stderr).toBe('')
    },
  )

  it('fits its help on a screen of 80 columns', async () => {
    for (const args of [['--help'], ['chat', '--help'], ['check', '--help']]) {
      const { stdout } = await unloop(args)
      expect(stdout.split('\n').length).toBeLessThan(36)
    }
  })

  it.each([
    [[], 'Usage'],
    [['chet'], 'Did you mean chat?'],
    [['chat', '--modle', 'x'], 'Did you mean --model?'],
    [['chat', '--guard', 'maybe'], 'It must be one of enforce, observe, off; got "maybe".'],
    [['chat', '--max-turns', 'none'], 'whole number'],
    [['check', '--preset', 'other', '-'], 'gemini-cli, qwen-code, deepv'],
    [['check'], "missing required argument 'files'"],
    [['completion', 'tcsh'], 'bash, zsh, fish'],
  ])('says what is wrong with %j and ends with 2', async (args, message) => {
    const { code, stdout, stderr } = await unloop(args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
  })

  it('ends with 70 when something of ours fails, and shows where only when asked to', async () => {
    const broken = (env: NodeJS.ProcessEnv) => {
      const made = createHost(['check', '-'], { env })
      const host = {
        ...made.host,
        cwd() {
          throw new TypeError('broken')
        },
      }
      return { ...made, host }
    }
    const quiet = broken({})
    expect(await run(quiet.host)).toBe(70)
    expect(quiet.stderr()).toMatch(/^unloop: internal error: broken\nPlease report it, .*\n$/)
    const debug = broken({ UNLOOP_DEBUG: '1' })
    expect(await run(debug.host)).toBe(70)
    expect(debug.stderr()).toContain('run.test.ts')
  })

  it('says so and ends with 2 when its output cannot be written', async () => {
    const { host, stderr } = createHost(['--help'])
    const stdout = new PassThrough()
    const full = Object.assign(stdout, {
      write: () => {
        stdout.emit('error', Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
        return false
      },
    })
    expect(await run({ ...host, stdout: full as never })).toBe(2)
    expect(stderr()).toBe('unloop: cannot write the output: no space left\n')
  })

  it('goes on quietly when nobody reads its output', async () => {
    const { host } = createHost(['--help'])
    const stdout = new PassThrough()
    const closed = Object.assign(stdout, {
      write: () => {
        stdout.emit('error', Object.assign(new Error('closed'), { code: 'EPIPE' }))
        return false
      },
    })
    expect(await run({ ...host, stdout: closed as never })).toBe(0)
  })
})
