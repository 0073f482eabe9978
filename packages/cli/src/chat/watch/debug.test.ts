import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, jsonLines, unloop } from '../../../test/host.js'

/** Runs the chat with a debug file; what it says, by the name of the event. */
async function debug(...args: string[]) {
  const cwd = emptyFolder()
  const result = await unloop(['chat', '--debug', 'debug.jsonl', ...args], { cwd })
  const path = join(cwd, 'debug.jsonl')
  const lines = jsonLines(readFileSync(path, 'utf8'))
  return {
    ...result,
    cwd,
    path,
    lines,
    of: (name: string) => lines.filter(({ event }) => event === name),
  }
}

describe('--debug', () => {
  it('says what happened, line by line, with the time', async () => {
    const { code, lines, of } = await debug('-p', '/stuck repeated-call', '--save')
    expect(code).toBe(3)
    expect(lines[0]).toMatchObject({
      event: 'start',
      version: '0.2.0',
      options: { prompt: '/stuck repeated-call', save: true },
    })
    for (const { time } of lines) expect(new Date(time).toISOString()).toBe(time)
    const [request] = of('model-request')
    expect(request).toMatchObject({ model: 'embedded/demo', messages: 1 })
    expect(request.bytes).toBeGreaterThan(100)
    expect(request.tools).toContain('run_command')
    expect(of('model-response')[0]).toMatchObject({
      outcome: 'finished',
      tokens: { output: expect.any(Number) },
      ms: expect.any(Number),
    })
    expect(of('model-response')).toHaveLength(of('model-request').length)
    const ran = of('client-event').filter(({ type }) => type === 'tool-result')
    expect(of('explain')).toHaveLength(ran.length)
    expect(of('explain').at(-1).detectors).toContainEqual(
      expect.objectContaining({ detector: 'repeated-call', pressure: expect.any(Number) }),
    )
    expect(of('finding').at(-1)).toMatchObject({ finding: { detector: 'repeated-call' } })
    expect(of('save').length).toBeGreaterThan(1)
    expect(lines.at(-1)).toMatchObject({ event: 'run-end', run: 'send' })
  })

  it('has the text of a turn as one number', async () => {
    const { of, stdout } = await debug('-p', 'What is unloop?')
    const texts = of('client-event').filter(({ type }) => type === 'text')
    const characters = texts.reduce((sum, text) => sum + text.characters, 0)
    expect(characters).toBe(stdout.trimEnd().length)
    expect(texts.length).toBeLessThan(4)
  })

  it('tells of requests that failed', async () => {
    const { code, of } = await debug(
      ...['-p', 'hello', '--model', 'ollama/x', '--base-url', 'http://127.0.0.1:1/v1'],
    )
    expect(code).toBe(4)
    expect(of('model-response')[0]).toMatchObject({ outcome: 'failed', error: expect.any(String) })
  })

  it('keeps secrets out', async () => {
    const secret = `sk-proj-${'a1B2'.repeat(12)}`
    const { path } = await debug('-p', `my key is ${secret}`)
    expect(readFileSync(path, 'utf8')).not.toContain(secret)
  })

  it('is a file that only its owner can read, and is added to', async () => {
    const { cwd, path, lines } = await debug('-p', 'What is unloop?')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await unloop(['chat', '--debug', 'debug.jsonl', '-p', 'What is unloop?'], { cwd })
    expect(jsonLines(readFileSync(path, 'utf8')).length).toBe(2 * lines.length)
  })

  it('that cannot be written is refused before anything is asked', async () => {
    const cwd = emptyFolder()
    mkdirSync(join(cwd, 'folder'))
    const args = ['chat', '--debug', 'folder', '-p', 'What is unloop?']
    const { code, stdout, stderr } = await unloop(args, { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('--debug cannot write')
  })

  it('that finds no room changes nothing', async () => {
    const { code, stdout } = await unloop(['chat', '--debug', '/dev/full', '-p', 'What is unloop?'])
    expect(code).toBe(0)
    expect(stdout).not.toBe('')
  })
})
