import { type GatewayOptions, startGateway } from '@unloop/gateway'
import { type Answer, type Body, type Provider, type Script, startProvider } from '@unloop/testing'
import { describe, expect, test } from 'vitest'
import { readMetric } from './command.js'
import { endToEnd, type Hop, headerOf, startHop, wireOf } from './hop.js'
import { type Talker, talkers } from './talkers.js'

const STUCK = { calls: [{ name: 'look', args: { path: 'nothing.txt' } }] }
const CHANT = 'I will now look at the file and see what it says. '.repeat(600)
const PROMPT = 'Read the settings'

/** What the model says beside some of its calls. */
const SAID: Record<number, Answer> = {
  0: {
    reasoning: 'The first part is the one to begin with.',
    text: 'I begin with the first part.',
  },
  5: { text: 'Die Größe stimmt – weiter mit dem Rest 🌱' },
  11: { reasoning: 'Two more files are named there.' },
  16: { text: 'Almost done.' },
}

describe.each(Object.entries(talkers))('%s', (name, make) => {
  /** A program before a gateway before a provider, with a hop on both sides of the gateway. */
  async function open(script: Script, onLoop?: GatewayOptions['onLoop']): Promise<Stage> {
    const provider = await startProvider(script)
    const after = await startHop(provider.url)
    const gateway = onLoop
      ? await startGateway({
          listen: { port: 0 },
          upstreams: { local: { url: after.url } },
          onLoop,
        })
      : undefined
    const before = await startHop(gateway?.url ?? after.url)
    const looks: string[] = []
    const talker = make(before.url, (path) => {
      looks.push(path)
      return path === 'nothing.txt'
        ? 'cat: nothing.txt: No such file'
        : `${path} says ${path.length}`
    })
    return {
      talker,
      looks,
      provider,
      before,
      after,
      saved: () => readMetric(gateway?.url ?? '', 'saved_tokens_total'),
      async [Symbol.asyncDispose]() {
        await before.close()
        await gateway?.close()
        await after.close()
        await provider.close()
      },
    }
  }

  test('a run of 20 steps is the same on the wire, in both directions', async () => {
    const steps: Script = (_, turn) =>
      turn < 20
        ? { ...SAID[turn], calls: [{ name: 'look', args: { path: `part-${turn}.txt` } }] }
        : { reasoning: 'Nothing is left to read.', text: 'Ok.' }
    await using plain = await open(steps)
    await using guarded = await open(steps, 'respond')
    expect(await plain.talker.say(PROMPT)).toContain('Ok.')
    expect(await guarded.talker.say(PROMPT)).toContain('Ok.')
    expect(guarded.looks).toEqual(plain.looks)
    expect(guarded.before.passed).toHaveLength(21)
    expect(guarded.before.passed.map((one) => headerOf(one, 'x-unloop-verdict'))).toEqual(
      Array(21).fill('go'),
    )
    expect(wireOf(guarded.before)).toEqual(wireOf(guarded.after))
    expect(guarded.before.passed.map(withoutDate)).toEqual(plain.before.passed.map(withoutDate))
  })

  test.each(['respond', 'nudge'] as const)(
    '%s: a loop ends with words of the gateway, and the next message continues',
    async (mode) => {
      await using stage = await open(untilAsked, mode)
      expect(await stage.talker.say(PROMPT)).toContain('The unloop gateway stopped this run')
      expectStopped(stage)
      expect(lastVerdict(stage)).toBe('respond')
      await expectNext(stage)
    },
  )

  test('error: a loop ends with an error that nobody retries, and the next message continues', async () => {
    await using stage = await open(untilAsked, 'error')
    await expect(stage.talker.say(PROMPT)).rejects.toThrow(/Loop detected: look was called/)
    expectStopped(stage)
    expect(lastVerdict(stage)).toBe('error')
    await expectNext(stage)
  })

  test('observe: nothing is changed, and the headers tell', async () => {
    const script: Script = (_, turn) => (turn < 8 ? STUCK : { text: 'Ok.' })
    await using stage = await open(script, 'observe')
    expect(await stage.talker.say(PROMPT)).toBe('Ok.')
    expect(stage.looks).toHaveLength(8)
    expect(wireOf(stage.before)).toEqual(wireOf(stage.after))
    const verdicts = stage.before.passed.map((one) => headerOf(one, 'x-unloop-verdict'))
    expect(verdicts.slice(0, 3)).toEqual(['go', 'go', 'go'])
    expect(verdicts.slice(3)).toEqual(Array(6).fill('observe'))
  })

  // what comes in one piece cannot be cut
  for (const kind of /stream/i.test(name) ? ['text', 'reasoning'] : [])
    test(`a chant is cut, in its ${kind}`, async () => {
      // a model writes slower than a network takes it
      const chant = { text: 'Ok.', [kind]: CHANT, pauseMs: 1 }
      const script: Script = (_, turn) => (turn === 0 ? chant : { text: 'Ok.' })
      await using stage = await open(script, 'respond')
      const said = await stage.talker.say(PROMPT)
      expect(said.length).toBeLessThan(CHANT.length / 10)
      expect(said).not.toBe('')
      if (kind === 'text') expect(said).toContain('I will now look')
      const { disconnected } = await stage.provider.exchange(0)
      expect(await disconnected).toBe(true)
      expect(await stage.saved()).toBeGreaterThan(0)
      await expectNext(stage)
    })
})

interface Stage extends AsyncDisposable {
  talker: Talker
  /** the paths that the tool was called with */
  looks: string[]
  provider: Provider
  /** between the program and the gateway, and between the gateway and the provider */
  before: Hop
  after: Hop
  saved(): Promise<number>
}

/** A model that is stuck until the person says something else. */
const untilAsked: Script = ({ body }) => (hasNext(body) ? { text: 'Ok.' } : STUCK)

const NEXT = 'Read config.txt instead'

const hasNext = (body: Body) => JSON.stringify(body).includes(NEXT)

function expectStopped({ looks, before, after }: Stage): void {
  expect(looks.length).toBeGreaterThan(2)
  expect(looks.length).toBeLessThanOrEqual(6)
  // one request for each call, and the one that the gateway answered
  expect(after.passed).toHaveLength(looks.length)
  expect(before.passed).toHaveLength(looks.length + 1)
}

const lastVerdict = ({ before: { passed } }: Stage) =>
  passed.at(-1) && headerOf(passed.at(-1) as Hop['passed'][number], 'x-unloop-verdict')

/** The person's next message reaches the provider, with all that was before, and is answered. */
async function expectNext({ talker, looks, provider, before }: Stage): Promise<void> {
  const asked = before.passed.length
  expect(await talker.say(NEXT)).toBe('Ok.')
  expect(before.passed).toHaveLength(asked + 1)
  const body = provider.exchanges.at(-1)?.body ?? {}
  const text = JSON.stringify(body)
  expect(text).toContain(NEXT)
  // ids that only the gateway knows
  expect(text).not.toMatch(/resp_unloop|"type":"item_reference","id":"msg_unloop/)
  // each call with its answer; a provider that keeps the history lacks the last answer
  const calls = looks.map((_, turn) => `call_${turn}_0`)
  const ids = body.previous_response_id ? calls.slice(-1) : calls.flatMap((id) => [id, id])
  expect([...text.matchAll(/"(call_\d+_0)"/g)].map(([, id]) => id).sort()).toEqual(ids)
}

const withoutDate = (passed: Hop['passed'][number]) => {
  const { answerHeaders, ...rest } = endToEnd(passed)
  return { ...rest, answerHeaders: answerHeaders.filter(([name]) => name !== 'Date') }
}
