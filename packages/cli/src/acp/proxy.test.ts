import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startEditor, times } from '../../test/acp/editor.js'
import { createHost, unloop } from '../../test/host.js'
import { run } from '../run.js'

const node = (code: string) => ['acp', '--', process.execPath, '-e', code]
const env = { PATH: process.env.PATH }

describe('the agent', () => {
  it('gets and gives every byte', async () => {
    const stdin = new PassThrough()
    const { host } = createHost(node('process.stdin.pipe(process.stdout)'), { stdin, env })
    const ended = run(host)
    let received: Buffer[] = []
    let size = 0
    let wanted = 0
    let wake = () => {}
    host.stdout.on('data', (chunk: Buffer) => {
      received.push(chunk)
      size += chunk.length
      if (size >= wanted) wake()
    })
    const start = '{"jsonrpc":"2.0","id":1,"method":"session/'
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .constantFrom('prompt"}\n', 'request_permission"}\n', start, '\n')
        .map((text) => Buffer.from(text)),
      fc.constant(Buffer.alloc(300_000, 'z')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
        const sent = Buffer.concat([...pieces, Buffer.from('\n')])
        received = []
        size = 0
        wanted = sent.length
        const complete = new Promise<void>((resolve) => {
          wake = resolve
        })
        for (const each of pieces) stdin.write(each)
        stdin.write('\n')
        await complete
        expect(Buffer.concat(received).equals(sent)).toBe(true)
      }),
      { numRuns: 100 },
    )
    stdin.end()
    expect(await ended).toBe(0)
  })

  it('gives the exit code', async () => {
    expect((await unloop(node('process.exit(5)'), { env })).code).toBe(5)
  })

  it('that was killed gives the exit code that shells use', async () => {
    const killed = node("process.kill(process.pid, 'SIGKILL')")
    expect((await unloop(killed, { env })).code).toBe(128 + 9)
  })

  it('gets the signals', async () => {
    const code = "process.on('SIGTERM', () => process.exit(9)); process.stdin.pipe(process.stdout)"
    const stdin = new PassThrough()
    const { host, signal } = createHost(node(code), { stdin, env })
    const ended = run(host)
    stdin.write('ready\n')
    await once(host.stdout, 'data')
    signal('SIGTERM')
    expect(await ended).toBe(9)
  })

  it('that cannot be started is named, with what to do', async () => {
    const { code, stderr } = await unloop(['acp', '--', 'no-such-agent', '--acp'], { env })
    expect(code).toBe(2)
    expect(stderr).toMatch(/cannot start no-such-agent: .*is it installed and on your PATH\?/)
  })

  it('sees that the editor is gone', async () => {
    const agent = node("process.stdin.on('end', () => process.exit(3)).resume()")
    expect((await unloop(agent, { env })).code).toBe(3)
  })

  it('that reads no more can still speak', async () => {
    const code = `process.on('SIGTERM', () => process.stdout.write('said', () => process.exit(4)))
      setInterval(() => {}, 1000)
      require('node:fs').closeSync(0)
      process.stdout.write('deaf ')`
    const stdin = new PassThrough()
    const { host, stdout, signal } = createHost(node(code), { stdin, env })
    const ended = run(host)
    await once(host.stdout, 'data')
    stdin.write('x'.repeat(1e6))
    await once(stdin, 'close')
    signal('SIGTERM')
    expect(await ended).toBe(4)
    expect(stdout()).toBe('deaf said')
  })

  it('sees that nobody reads what it says', async () => {
    const code = `process.stdout.on('error', () => process.exit(6))
      setInterval(() => process.stdout.write('x'.repeat(9999)), 1)`
    const { host } = createHost(node(code), { stdin: new PassThrough(), env })
    host.stdout.once('data', () => host.stdout.destroy())
    expect(await run(host)).toBe(6)
  })

  it('that dies in the middle of a line leaves its half line', async () => {
    const editor = await startEditor()
    const session = await editor.newSession()
    editor.prompt(session, 'say:hello die')
    expect(await editor.ended).toBe(7)
    expect(editor.text(session)).toBe('hello')
    expect(editor.rest()).toBe('{"jsonrpc":"2.0","method":"session/upd')
  })
})

describe('ids', () => {
  it('of editor, agent and proxy do not get mixed up', async () => {
    // editor and agent both count from 0, and both have requests open while the proxy asks
    const editor = await startEditor(() => 'stop')
    const session = await editor.newSession()
    const { id, result } = await editor.prompt(session, times(20, 'run:make'))
    expect([id, result.stopReason]).toEqual([2, 'cancelled'])
    expect(typeof editor.questions()[0]?.id).toBe('string')
    expect((await editor.prompt(session, 'say:hello')).result.stopReason).toBe('end_turn')
    expect(await editor.close()).toBe(0)
  })
})
