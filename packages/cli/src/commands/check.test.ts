import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { emptyFolder, jsonLines, unloop } from '../../test/host.js'

const call = { type: 'tool-call', name: 'read', args: { path: 'a.ts' } }
const result = { type: 'tool-result', name: 'read', output: 'nothing new' }
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const loop = lines({ type: 'prompt', text: 'go' }, ...Array(12).fill([call, result]).flat())
const work = lines({ type: 'prompt', text: 'go' }, call, result, { type: 'text', text: 'Done.' })

describe('unloop check', () => {
  it('is quiet about honest work', async () => {
    const { code, stdout, stderr } = await unloop(['check', '-'], { stdin: work })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toBe('stdin: no loop in 4 events\n')
  })

  it('tells a loop with its line, its cost and what would be done, once for each step', async () => {
    const { code, stdout, stderr } = await unloop(['check', '-'], { stdin: loop })
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^stdin:\d: (?:struggling|stuck): repeated-call: read was called \d times in/,
    )
    expect(stdout).toContain('  what    read({"path":"a.ts"})')
    expect(stdout).toMatch(/ {2}cost {4}\d+ events/)
    expect(stdout).toContain('  action  warn: the model was told')
    expect(stdout).toContain('  action  block: the call was refused')
    expect(stdout.match(/^stdin:/gm)).toHaveLength(3)
    expect(stderr).toBe('stdin: stuck once in 25 events\n')
  })

  it('writes one JSON object for each finding', async () => {
    const { code, stdout } = await unloop(['check', '--json', '-'], { stdin: loop })
    const found = jsonLines(stdout)
    expect(code).toBe(1)
    const [{ line: first }] = found
    expect(found.map(({ file, line, finding }) => [file, line - first, finding.action])).toEqual([
      ['stdin', 0, 'warn'],
      ['stdin', 2, 'block'],
      ['stdin', 4, 'stop'],
    ])
  })

  it('explains how near each detector was', async () => {
    const stdin = work + lines(call, result)
    const { stdout } = await unloop(['check', '--explain', '-'], { stdin })
    expect(stdout).toMatch(/repeated-call +\d+% {2}\d of \d/)
    const json = await unloop(['check', '--explain', '--json', '-'], { stdin })
    const [{ explanation }] = jsonLines(json.stdout)
    expect(explanation[0]).toMatchObject({ detector: 'repeated-call' })
  })

  it('follows a preset', async () => {
    const { stdout } = await unloop(['check', '--preset', 'gemini-cli', '-', '--json'], {
      stdin: loop,
    })
    expect(jsonLines(stdout)[0].finding).toMatchObject({ detector: 'identical-call', count: 5 })
  })

  it('reads several files and ends with the worst code', async () => {
    const cwd = emptyFolder()
    const [good, bad] = [join(cwd, 'good.jsonl'), join(cwd, 'bad.jsonl')]
    writeFileSync(good, work)
    writeFileSync(bad, loop)
    const both = await unloop(['check', good, bad], { cwd })
    expect(both.code).toBe(1)
    expect(both.stderr).toContain(`${good}: no loop`)
    const missing = await unloop(['check', bad, join(cwd, 'none')], { cwd })
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('none cannot be read')
  })

  it('names bad lines and goes on', async () => {
    const stdin = `{"unloop":1}\nnot json\n\n[]\n{"type":"text"}\n{"type":"textt","text":""}\n{"type":"finished"}\n${work}`
    const { code, stderr } = await unloop(['check', '-'], { stdin })
    expect(code).toBe(0)
    expect(stderr.trim().split('\n')).toEqual([
      'stdin:2: skipped: not JSON',
      'stdin:4: skipped: not an object',
      'stdin:5: skipped: text without text',
      'stdin:6: skipped: no event is called "textt"',
      'stdin: no loop in 4 events, 4 lines skipped',
    ])
  })

  it.each([
    ['', 'stdin has no events'],
    ['one\ntwo\n', 'stdin has no events, 2 lines skipped'],
    ['{"unloop":2}\n', 'events of version 2'],
  ])('refuses %j', async (stdin, message) => {
    const { code, stderr } = await unloop(['check', '-'], { stdin })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('names the first of many bad lines only, and shortly', async () => {
    const stdin = `{"type":"${'x'.repeat(9999)}"}\n`.repeat(50) + work
    const { stderr } = await unloop(['check', '-'], { stdin })
    expect(stderr.split('\n').length).toBe(23)
    expect(stderr.length).toBeLessThan(3000)
    expect(stderr).toContain('stdin: no loop in 4 events, 50 lines skipped')
  })

  it.each(['repeated-call', 'chanting', 'repeated-thought', 'ping-pong', 'failing'])(
    'finds a loop in what a chat has written of %s',
    async (kind) => {
      for (const preset of [[], ['--preset', 'gemini-cli']]) {
        const chat = await unloop(['chat', '-p', `/stuck ${kind}`, '--json', ...preset])
        const { code, stderr } = await unloop(['check', '-', ...preset], { stdin: chat.stdout })
        expect(code, `${preset} ${stderr}`).toBe(chat.stdout.includes('loop_detected') ? 1 : 0)
        expect(stderr).not.toContain('skipped')
      }
    },
  )

  it('takes nothing for a finding that is none', async () => {
    const stdin = `{"type":"loop_detected"}\n{"type":"loop_detected","finding":{"detail":1}}\n${work}`
    expect((await unloop(['check', '-'], { stdin })).code).toBe(0)
  })

  it('reads lines cut anywhere, also within a letter', async () => {
    const bytes = Buffer.from(
      lines({ type: 'text', text: 'Grüße 日本' }, call).replace(/\n$/, '\r\n'),
    )
    const stdin = Readable.from([...bytes].map((byte) => Buffer.from([byte])))
    const { code, stderr } = await unloop(['check', '-'], { stdin })
    expect(code).toBe(0)
    expect(stderr).toContain('in 2 events\n')
  })

  it('holds no more than a line, and passes over one without an end', async () => {
    const chunk = 'x'.repeat(2 ** 20)
    const stdin = Readable.from([...Array(20).fill(chunk), '\n', work])
    const { code, stderr } = await unloop(['check', '-'], { stdin })
    expect(code).toBe(0)
    expect(stderr).toContain('stdin:1: skipped: longer than 16 million characters')
  })

  it('colours for terminals, unless NO_COLOR is set', async () => {
    const coloured = await unloop(['check', '-'], { stdin: loop, isTerminal: true })
    expect(coloured.stdout).toContain('\x1b[')
    const env = { NO_COLOR: '1' }
    const plain = await unloop(['check', '-'], { stdin: loop, isTerminal: true, env })
    expect(plain.stdout).not.toContain('\x1b[')
    const forced = await unloop(['check', '-'], { stdin: loop, env: { FORCE_COLOR: '1' } })
    expect(forced.stdout).toContain('\x1b[')
  })
})
