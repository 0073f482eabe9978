import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const UNLOOP = fileURLToPath(new URL('../bin/unloop.js', import.meta.url))
const SCHEMA = fileURLToPath(new URL('../schema/run.schema.json', import.meta.url))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-run-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts `unloop run` with these words, in a folder of the tests. */
function start(words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const given = { PATH: process.env.PATH, HOME: folder, ...env }
  return spawn(process.execPath, [UNLOOP, 'run', ...words], { cwd: folder, env: given })
}

/** A program for Node, as a file of its own. */
function program(code: string): string[] {
  const path = join(folder, `${randomBytes(4).toString('hex')}.mjs`)
  writeFileSync(path, code)
  return ['--', process.execPath, path]
}

async function finish(child: ChildProcessWithoutNullStreams) {
  const stdout: Buffer[] = []
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  child.stdin.end()
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, stdout: Buffer.concat(stdout), stderr }
}

/** Lines of Codex: the same failing command, again and again. */
const STUCK = `
const print = (line) => process.stdout.write(JSON.stringify(line) + '\\n')
const item = { type: 'command_execution', command: 'cat token=sk-ant-api03-${'a'.repeat(40)}' }
let id = 0
function step() {
  const status = { id: 'item_' + id++, ...item }
  print({ type: 'item.started', item: status })
  print({ type: 'item.completed', item: { ...status, aggregated_output: 'no such file', exit_code: 1, status: 'failed' } })
}
print({ type: 'thread.started', thread_id: 't' })
print({ type: 'turn.started' })
`
/** Repeats it for ever, a few steps a second: on a busy machine, a reader comes behind with more. */
const FOREVER = `${STUCK}
setInterval(step, 200)
`

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** The first line of JSON that a program printed with the numbers of its processes. */
async function pidsOf(child: ChildProcessWithoutNullStreams): Promise<number[]> {
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return JSON.parse(chunk.toString().split('\n')[0] as string).pids
}

describe('the output', () => {
  it('is passed on byte for byte, whatever it is and wherever it is cut', async () => {
    const bytes = randomBytes(3_000_000)
    const path = join(folder, 'bytes')
    writeFileSync(path, bytes)
    const { code, stdout, stderr } = await finish(
      start(
        program(`
          import { readFileSync } from 'node:fs'
          const bytes = readFileSync(${JSON.stringify(path)})
          const write = (from, size) => {
            if (from >= bytes.length) return
            process.stdout.write(bytes.subarray(from, from + size), () => write(from + size, (size * 7 + 3) % 70_000 + 1))
          }
          write(0, 1)`),
      ),
    )
    expect(code).toBe(0)
    expect(stdout.equals(bytes)).toBe(true)
    expect(stderr.match(/not a stream that unloop knows/g)).toHaveLength(1)
  })

  it('is passed on unchanged with broken UTF-8 and half lines in the stream of an agent', async () => {
    const lines = Buffer.concat([
      Buffer.from('{"type":"thread.started","thread_id":"t"}\n{"type":"turn.st'),
      Buffer.from('arted"}\n'),
      Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x28, 0x0a]),
      Buffer.from('{"type":"item.completed","item":{"type":"agent_message","text":"é'),
    ])
    const path = join(folder, 'lines')
    writeFileSync(path, lines)
    const { code, stdout, stderr } = await finish(start(['--', 'cat', path]))
    expect(code).toBe(0)
    expect(stdout.equals(lines)).toBe(true)
    expect(stderr).toBe('unloop: lines of the output that could not be read: 1 (5)\n')
  })

  it('waits for a slow reader, and holds no more than the pipes do', async () => {
    const child = start(
      program(`
        import { writeSync } from 'node:fs'
        process.stdout.on('error', () => {})
        const line = Buffer.alloc(64 * 1024, 'x')
        let written = 0
        const more = () => {
          while (written < 800) {
            written++
            if (!process.stdout.write(line)) {
              writeSync(2, 'written ' + written + '\\n')
              return process.stdout.once('drain', more)
            }
          }
        }
        more()`),
    )
    let told = ''
    child.stderr.setEncoding('utf8').on('data', (text) => (told += text))
    // nobody reads: what was told last stays the last
    await once(child.stderr, 'data')
    let before = ''
    while (before !== told) {
      before = told
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    const held = Number(told.match(/\d+(?=\n)/g)?.at(-1))
    expect(held * 64 * 1024).toBeLessThan(4_000_000)
    const { stdout, code } = await finish(child)
    expect(code).toBe(0)
    expect(stdout.length).toBe(800 * 64 * 1024)
  })

  it('closes for the command when nobody reads it any more', async () => {
    const line = `${process.execPath} ${UNLOOP} run -- yes | head -1; echo "\${PIPESTATUS[0]}"`
    const out = execFileSync('bash', ['-c', line], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(out).toBe('y\n141\n')
  })

  it('is a pipe, which can be opened by its name', async () => {
    const { code, stdout } = await finish(
      start(['--', 'sh', '-c', 'echo one > /dev/stdout; echo two']),
    )
    expect([code, stdout.toString()]).toEqual([0, 'one\ntwo\n'])
  })

  it('is not waited for when the command is over and something else holds it', async () => {
    const child = start(
      program(`
        import { spawn } from 'node:child_process'
        const other = spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true })
        other.unref()
        console.log(JSON.stringify({ pids: [other.pid] }))`),
    )
    const [[other], { code }] = await Promise.all([pidsOf(child), finish(child)])
    expect(code).toBe(0)
    // what a command leaves behind when it ends by itself is its own business
    expect(isAlive(other as number)).toBe(true)
    process.kill(other as number)
  })
})

describe('the exit code', () => {
  it.each([0, 1, 3, 42, 255])('of the command is ours: %i', async (code) => {
    const ended = await finish(start(program(`process.exit(${code})`)))
    expect(ended).toMatchObject({ code, signal: null })
  })

  it('says that there is no such command, or that it cannot be executed', async () => {
    const none = await finish(start(['--', 'no-such-agent', '-p']))
    expect(none).toMatchObject({ code: 127, stderr: 'unloop: no-such-agent: command not found\n' })
    const path = join(folder, 'plain')
    writeFileSync(path, 'text', { mode: 0o644 })
    const plain = await finish(start(['--', path]))
    expect(plain).toMatchObject({ code: 126, stderr: `unloop: ${path} cannot be executed\n` })
  })

  it.each([
    [[]],
    [['claude', '-p', 'x']],
    [['--grace', 'soon', '--', 'true']],
    [['--report', 'no/such/folder/report.json', '--', 'true']],
  ])('is 2 for misuse: %j', async (words) => {
    expect((await finish(start(words))).code).toBe(2)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'is the signal that ended it: %s',
    async (name) => {
      const ended = await finish(
        start(program(`process.kill(process.pid, '${name}'); setTimeout(() => {}, 60_000)`)),
      )
      expect(ended).toMatchObject({ code: null, signal: name })
    },
  )

  it('is 128 more than the signal where a shell says so', async () => {
    const ended = await finish(start(program(`process.kill(process.pid, 'SIGKILL')`)))
    expect(ended).toMatchObject({ code: 137, signal: null })
  })
})

describe('a signal', () => {
  const FAMILY = `
    import { spawn } from 'node:child_process'
    const pids = [
      spawn('sleep', ['600']).pid,
      spawn('setsid', ['sleep', '601'], { detached: true }).pid,
      process.pid,
    ]
    console.log(JSON.stringify({ pids }))`

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const)(
    '%s reaches the command and all it started, and nobody is left',
    async (name) => {
      const child = start(program(`${FAMILY}\nsetInterval(() => {}, 1000)`))
      const pids = await pidsOf(child)
      child.kill(name)
      const ended = await finish(child)
      expect(ended.code ?? ended.signal).toBe(
        { SIGQUIT: 131, SIGUSR2: 140 }[name as 'SIGQUIT'] ?? name,
      )
      expect(pids.filter(isAlive)).toEqual([])
    },
  )

  it('is for the command to answer', async () => {
    const child = start(
      program(`
        process.on('SIGTERM', () => { console.log('saved'); process.exit(7) })
        console.log(JSON.stringify({ pids: [process.pid] }))
        setInterval(() => {}, 1000)`),
    )
    await pidsOf(child)
    child.kill('SIGTERM')
    const { code, stdout } = await finish(child)
    expect([code, stdout.toString()]).toEqual([7, 'saved\n'])
  })
})

describe.runIf(process.platform === 'linux')('a stuck agent', () => {
  it('is stopped after a few calls: exit 3, and what, why and what next on stderr', async () => {
    const { code, stdout, stderr } = await finish(start(program(FOREVER)))
    expect(code).toBe(3)
    expect(stdout.toString().match(/item\.started/g)?.length).toBeLessThanOrEqual(8)
    expect(stderr).toMatch(/^unloop: struggling: repeated-call: shell was called 3 times/)
    expect(stderr).toMatch(/unloop: stopped node: stuck: repeated-call: shell was called \d times/)
    expect(stderr).toContain('  next      tell the agent what it lacks')
    expect(stderr).not.toContain('sk-ant-api03-aaaa')
    expect(stderr).not.toContain('::error')
  })

  it('takes all it started along, even what is in another session', async () => {
    const path = join(folder, 'pids')
    const { code } = await finish(
      start(
        program(`
          import { spawn } from 'node:child_process'
          import { writeFileSync } from 'node:fs'
          const one = spawn('sleep', ['602'], { detached: true, stdio: 'ignore' })
          const two = spawn('sh', ['-c', 'setsid sleep 603 & echo $!; wait'], { detached: true })
          ${STUCK}
          // it gets stuck once it is known what it started
          two.stdout.on('data', (text) => {
            writeFileSync(${JSON.stringify(path)}, [one.pid, two.pid, Number(text), process.pid].join())
            setInterval(step, 200)
          })`),
      ),
    )
    expect(code).toBe(3)
    const pids = readFileSync(path, 'utf8').split(',').map(Number)
    expect(pids).toHaveLength(4)
    expect(pids.filter(isAlive)).toEqual([])
  })

  it('may end by itself, and its last words are passed on', async () => {
    const { code, stdout } = await finish(
      start(
        program(
          `process.on('SIGINT', () => { print({ last: 'words' }); process.exit(0) })\n${FOREVER}`,
        ),
      ),
    )
    expect([code, stdout.toString().trimEnd().split('\n').at(-1)]).toEqual([3, '{"last":"words"}'])
  })

  it('is killed if it does not end', async () => {
    const deaf = `for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => {})\n${FOREVER}`
    const { code } = await finish(start(['--grace', '0.6', ...program(deaf)]))
    expect(code).toBe(3)
  })

  it('is stopped all the same if it ends before it can be', async () => {
    const { code } = await finish(start(program(`${STUCK}\nfor (let n = 0; n < 9; n++) step()`)))
    expect(code).toBe(3)
  })

  it('is only noted where the configuration says so', async () => {
    const path = join(folder, 'observe.json')
    writeFileSync(path, '{ "mode": "observe" }')
    const nine = program(`${STUCK}\nfor (let n = 0; n < 9; n++) step()\nprocess.exitCode = 5`)
    const { code, stderr } = await finish(start(['--config', path, ...nine]))
    expect(code).toBe(5)
    expect(stderr).toContain('unloop: stuck: repeated-call')
    const allowed = join(folder, 'allow.json')
    writeFileSync(allowed, '{ "tools": { "shell": { "allow": "always" } } }')
    expect((await finish(start(['--config', allowed, ...nine]))).code).toBe(5)
  })

  it('is stopped when its budget is used up, too', async () => {
    const path = join(folder, 'budget.json')
    writeFileSync(path, '{ "budget": { "steps": 4 } }')
    const busy = FOREVER.replace(
      'command: ',
      'get command() { return "cat " + id + ".txt" }, was: ',
    )
      .replace("'no such file'", "'news ' + id")
      .replace("exit_code: 1, status: 'failed'", "exit_code: 0, status: 'completed'")
    const { code, stderr } = await finish(start(['--config', path, ...program(busy)]))
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('stuck: budget: the budget is used up'),
    ])
    expect(stderr).toContain('raise "budget" in unloop.config.json')
  })

  it('leaves an annotation on GitHub', async () => {
    const { stderr, stdout } = await finish(start(program(FOREVER), { GITHUB_ACTIONS: 'true' }))
    expect(stderr).toMatch(
      /^::error title=unloop stopped node::shell was called \d times.*%0Atell the agent/m,
    )
    expect(stdout.toString()).not.toContain('::error')
  })
})

describe('the report', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const validate = () =>
    addFormats.default(new Ajv({ strict: false })).compile(JSON.parse(readFileSync(SCHEMA, 'utf8')))

  it('has the evidence of a stop, without secrets', async () => {
    const path = join(folder, 'stopped.json')
    await finish(start(['--report', path, ...program(FOREVER)]))
    const report = read(path)
    const isValid = validate()
    expect(isValid(report), JSON.stringify(isValid.errors)).toBe(true)
    expect(report).toMatchObject({
      schemaVersion: 1,
      outcome: 'stopped',
      format: 'codex-stream',
      program: 'codex',
      session: 't',
      stop: { detector: 'repeated-call', certainty: 'certain', tool: 'shell' },
    })
    expect(report.stop.evidence.length).toBeGreaterThan(4)
    expect(report.stop.evidence.at(-2).text).toMatch(/^(error: no such file|calls shell)/)
    expect(JSON.stringify(report)).not.toContain('sk-ant-api03-aaaa')
  })

  it('is written when nothing was found, and when nothing could be watched', async () => {
    const path = join(folder, 'fine.json')
    const isValid = validate()
    await finish(start(['--report', path, ...program(`${STUCK}\nstep()\nprocess.exitCode = 4`)]))
    expect(isValid(read(path))).toBe(true)
    expect(read(path)).toMatchObject({ outcome: 'finished', exitCode: 4, calls: 1, loops: [] })
    await finish(start(['--report', path, '--', 'echo', 'hello']))
    expect(isValid(read(path))).toBe(true)
    expect(read(path)).toMatchObject({
      outcome: 'unwatched',
      exitCode: 0,
      command: ['echo', 'hello'],
    })
    expect(read(path).problems[0]).toContain('not a stream of a known agent')
  })

  it('does not exist where nobody asked for it', async () => {
    await finish(start(['--', 'echo', 'hello']))
    expect(existsSync(join(folder, 'report.json'))).toBe(false)
  })
})

describe('output of another kind', () => {
  it.each([
    ['claude', 'claude -p PROMPT --output-format stream-json --verbose'],
    ['codex', 'codex exec --json PROMPT'],
    ['gemini', 'gemini -p PROMPT --output-format stream-json'],
    ['qwen', 'qwen -p PROMPT --output-format stream-json'],
    ['opencode', 'opencode run --format json PROMPT'],
  ])('is passed on, with the right way to start %s', async (name, flags) => {
    const path = join(folder, name)
    writeFileSync(path, '#!/bin/sh\necho I have fixed it.\n', { mode: 0o755 })
    const { code, stdout, stderr } = await finish(start(['--', path, '-p', 'Fix it']))
    expect([code, stdout.toString()]).toEqual([0, 'I have fixed it.\n'])
    expect(stderr).toContain(`Run the agent with JSON lines: ${flags}\n`)
  })
})
