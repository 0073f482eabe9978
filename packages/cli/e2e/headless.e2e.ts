import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bin, emptyHome, root } from './terminal.js'

interface Done {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a program without a terminal. */
function execute(command: string, args: string[], options: { stdin?: string; cwd?: string } = {}) {
  const { stdin = '', cwd = emptyHome() } = options
  const env = { ...process.env, UNLOOP_PACE_MS: '0', NO_COLOR: '1' }
  const child = spawn(command, args, { cwd, env })
  const done = new Promise<Done>((resolve) => {
    const text = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => {
      text.stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      text.stderr += chunk
    })
    child.on('close', (code) => resolve({ code, ...text }))
  })
  child.stdin.end(stdin)
  return Object.assign(done, { child })
}

const unloop = (args: string[], options?: { stdin?: string; cwd?: string }) =>
  execute(process.execPath, [bin, ...args], options)

const loop = `{"unloop":1}\n${'{"type":"tool-call","name":"read","args":{"a":1}}\n{"type":"tool-result","output":"same"}\n'.repeat(2000)}`

describe.concurrent('unloop without a terminal', () => {
  test.each([
    ['0: an answer', ['chat', '-p', 'What is unloop?'], 0],
    ['0: nothing found', ['check', '-'], 0],
    ['2: an unknown option', ['chat', '--nothing'], 2],
    ['2: an unknown model', ['chat', '-p', 'x', '-m', 'none/x'], 2],
    ['2: no file', ['check', 'none.jsonl'], 2],
    ['3: a loop', ['chat', '-p', '/stuck failing'], 3],
    ['3: a loop, as JSON', ['chat', '-p', '/stuck chanting', '--json'], 3],
    [
      '4: no provider',
      ['chat', '-p', 'x', '-m', 'ollama/x', '--base-url', 'http://127.0.0.1:9'],
      4,
    ],
  ])('ends with %s', async (_, args, expected) => {
    const stdin = args[0] === 'check' ? '{"type":"text","text":"hi"}\n' : ''
    const { code, stderr } = await unloop(args, { stdin })
    expect(code, stderr).toBe(expected)
  })

  test('ends with 70 and no stack when something breaks where nobody waits for it', async () => {
    // at the first word of the answer
    const script = `process.stdout.write = () => setImmediate(() => { throw new Error('injected') })`
    const fault = `data:text/javascript,${encodeURIComponent(script)}`
    const { code, stderr } = await execute(process.execPath, [
      '--import',
      fault,
      bin,
      'chat',
      '-p',
      'hi',
    ])
    expect(code).toBe(70)
    expect(stderr).toContain('unloop: internal error: injected')
    expect(stderr).not.toContain('    at ')
  })

  test('ends with 2 when the disk is full', async () => {
    for (const args of [['--version'], ['--help'], ['chat', '-p', 'hi']]) {
      const command = `exec "$@" > /dev/full`
      const words = ['-c', command, 'sh', process.execPath, bin, ...args]
      const { code, stderr } = await execute('sh', words)
      expect(code, args.join(' ')).toBe(2)
      expect(stderr).toContain('unloop: cannot write the output: ENOSPC')
      expect(stderr).not.toContain('    at ')
    }
  })

  test('checks what a chat has written', async () => {
    const chat = await unloop([
      'chat',
      '-p',
      '/stuck call-cycle',
      '--guard',
      'off',
      '--max-turns',
      '30',
      '--json',
    ])
    const { code, stdout } = await unloop(['check', '-'], { stdin: chat.stdout })
    expect(code).toBe(1)
    expect(stdout).toContain('call-cycle')
  })

  test('keeps quiet when the reader of its output leaves', async () => {
    const cwd = emptyHome()
    writeFileSync(join(cwd, 'events.jsonl'), loop)
    const script = `"${process.execPath}" "${bin}" check --json events.jsonl events.jsonl 2>err | head -1; cat err`
    const { stdout } = await execute('bash', ['-c', script], { cwd })
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ line: expect.any(Number) })
    expect(stdout).not.toContain('EPIPE')
    expect(stdout).not.toContain('internal error')
  })

  test('ends a prompt cleanly on Ctrl+C, with the code of the signal', async () => {
    const running = unloop([
      'chat',
      '-p',
      '/stuck repeated-call',
      '--guard',
      'off',
      '--max-turns',
      '100000',
      '--json',
    ])
    running.child.stdout.once('data', () => running.child.kill('SIGINT'))
    const { code, stdout } = await running
    expect(code).toBe(130)
    for (const line of stdout.trim().split('\n')) JSON.parse(line)
  })

  test('answers npm start -- -p', async () => {
    const args = ['start', '--silent', '--', '-p', 'What is unloop?']
    const { code, stdout, stderr } = await execute('npm', args, { cwd: root })
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('circuit breaker')
  })
})
