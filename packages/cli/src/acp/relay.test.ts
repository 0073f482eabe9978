import { once } from 'node:events'
import { PassThrough, Readable, Writable } from 'node:stream'
import fc from 'fast-check'
import { createGuard } from 'unloop'
import { describe, expect, it } from 'vitest'
import { createRelay, type Relay, type Side } from './relay.js'
import { createTraffic } from './traffic.js'

const json = fc.json().map((text) => text.replaceAll('\n', ' '))
const message = fc
  .record(
    {
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.constantFrom(
        'initialize',
        'session/new',
        'session/load',
        'session/fork',
        'session/prompt',
        'session/cancel',
        'session/update',
        'session/request_permission',
        '$/cancel_request',
      ),
      params: fc.record(
        {
          sessionId: fc.constantFrom('a', 'b'),
          update: fc.record(
            {
              sessionUpdate: fc.constantFrom(
                'tool_call',
                'tool_call_update',
                'plan',
                'usage_update',
              ),
              toolCallId: fc.constantFrom('1', '2'),
              status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed'),
              content: fc.anything(),
              rawInput: fc.anything(),
              entries: fc.anything(),
              used: fc.anything(),
            },
            { requiredKeys: [] },
          ),
          prompt: fc.anything(),
          toolCall: fc.anything(),
          options: fc.anything(),
        },
        { requiredKeys: [] },
      ),
      result: fc.anything(),
    },
    { requiredKeys: [] },
  )
  .map((value) => {
    try {
      return JSON.stringify(value)
    } catch {
      return '{}'
    }
  })

const line = fc.oneof(
  fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
  json.map((text) => Buffer.from(text)),
  message.map((text) => Buffer.from(text)),
  // in the middle of a character, and with the line ends of another system
  message.map((text) => Buffer.from(`${text}\r`)),
  fc.constant(Buffer.alloc(200_000, 'x')),
)

/** Lines, and where they are cut. */
const traffic = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 12 }), fc.boolean())
  .map(([lines, cuts, isEnded]) => {
    const bytes = Buffer.concat(lines.flatMap((each) => [each, Buffer.from('\n')]))
    const whole = isEnded ? bytes : bytes.subarray(0, -1)
    const places = cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b)
    return [0, ...places].map((from, at) => whole.subarray(from, places[at]))
  })

/** Both directions, with a guard that is there at once. */
function connect() {
  const [editorOut, agentIn, agentOut, editorIn] = [1, 2, 3, 4].map(() => new PassThrough()) as [
    PassThrough,
    PassThrough,
    PassThrough,
    PassThrough,
  ]
  const errors: unknown[] = []
  const relays: { toAgent?: Relay; toEditor?: Relay } = {}
  const { editor, agent } = createTraffic(
    {
      toClient: (text) => relays.toEditor?.insert(text),
      toAgent: (text) => relays.toAgent?.insert(text),
      createGuard: async () => createGuard({ mode: 'observe' }),
      report: (error) => errors.push(error),
    },
    '/',
  )
  relays.toAgent = createRelay(editorOut, agentIn, editor)
  relays.toEditor = createRelay(agentOut, editorIn, agent)
  return { editorOut, agentIn, agentOut, editorIn, errors, relays }
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function feed(stream: PassThrough, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) {
    stream.write(chunk)
    await new Promise(setImmediate)
  }
  stream.end()
}

describe('the relay', () => {
  it('hands on every byte in order, whatever the lines are and wherever they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(traffic, traffic, async (up, down) => {
        const { editorOut, agentIn, agentOut, editorIn, errors, relays } = connect()
        relays.toAgent?.done.then(() => agentIn.end())
        relays.toEditor?.done.then(() => editorIn.end())
        const [, , toAgent, toEditor] = await Promise.all([
          feed(editorOut, up),
          feed(agentOut, down),
          collect(agentIn),
          collect(editorIn),
        ])
        expect(toAgent.equals(Buffer.concat(up))).toBe(true)
        expect(toEditor.equals(Buffer.concat(down))).toBe(true)
        expect(errors).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('puts lines of its own between two lines, and nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(traffic, async (chunks) => {
        const { agentOut, editorIn, relays } = connect()
        relays.toEditor?.done.then(() => editorIn.end())
        const received = collect(editorIn)
        for (const chunk of chunks) {
          agentOut.write(chunk)
          relays.toEditor?.insert('OURS\n')
          await new Promise(setImmediate)
        }
        agentOut.end()
        const text = (await received).toString('latin1')
        expect(text.replaceAll(/^OURS\n/gm, '')).toBe(Buffer.concat(chunks).toString('latin1'))
      }),
      { numRuns: 200 },
    )
  })

  const pass: Side = { isOurs: () => false, take: (line) => line, watch: () => {} }

  function through(side: Side) {
    const [from, to] = [new PassThrough(), new PassThrough()]
    const relay = createRelay(from, to, side)
    return { from, to, relay }
  }

  it('hands on the start of a line before its end has come', async () => {
    const { from, to } = through(pass)
    from.write('half of')
    expect((await once(to, 'data')).toString()).toBe('half of')
  })

  it('does not wait for long to learn what a line is', async () => {
    const { from, to } = through({ ...pass, isOurs: () => undefined })
    from.write('{"json')
    expect((await once(to, 'data')).toString()).toBe('{"json')
    from.write('rpc"}\n')
    expect((await once(to, 'data')).toString()).toBe('rpc"}\n')
  })

  it('holds a line that may be taken until it is complete', async () => {
    const taken: string[] = []
    const { from, to } = through({
      ...pass,
      isOurs: (head) => (head.length < 4 ? undefined : head.toString().startsWith('ours')),
      take(line) {
        taken.push(line.toString())
        return undefined
      },
    })
    for (const part of ['ou', 'rs: ', 'all of it', '\nnext\n']) from.write(part)
    expect((await once(to, 'data')).toString()).toBe('next\n')
    expect(taken).toEqual(['ours: all of it\n'])
  })

  it('hands on what it held if the line never ends', async () => {
    const { from, to, relay } = through({ ...pass, isOurs: () => true })
    relay.done.then(() => to.end())
    from.end('ours, but')
    expect((await collect(to)).toString()).toBe('ours, but')
  })

  it('takes no more from a fast writer than a slow reader takes from it', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'line\n')
    const total = 400
    let produced = 0
    const from = new Readable({
      read() {
        this.push(produced++ < total ? chunk : null)
      },
    })
    let received = 0
    let release: (() => void) | undefined
    const to = new Writable({
      write(bytes: Buffer, _, done) {
        received += bytes.length
        if (release) setImmediate(done)
        else release = done
      },
    })
    const { done } = createRelay(from, to, pass)
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    expect(produced).toBeLessThan(10)
    release?.()
    await done
    await new Promise((resolve) => to.end(resolve))
    expect(received).toBe(total * chunk.length)
  })

  it('lets the writer know that the reader is gone', async () => {
    const { from, to } = through(pass)
    to.destroy()
    await once(from, 'close')
    expect(from.destroyed).toBe(true)
  })
})
