import fc from 'fast-check'
import { presets } from 'unloop/presets'
import { describe, expect, it } from 'vitest'
import { type AgentOptions, createAgent } from '../src/agent.js'
import type { ModelEvent } from '../src/model.js'
import { collect, ofType } from './collect.js'
import { calling, says, scriptedModel } from './scripted-model.js'

/** So many words, none like another. */
function scattered(words: number): string {
  return Array.from({ length: words }, (_, n) => (n * n * 7919 + n).toString(36)).join(' ')
}

type Channel = 'text' | 'reasoning'

const LAPS = [
  'I will check once more. ',
  'Let me look at the file again, and then at the test.\n',
  'First I read the file. Then I run the test. It fails in the same place as it did before. ',
  'Ich prüfe die Datei noch einmal, weil sie sich geändert haben könnte. ',
  'Je vérifie à nouveau le fichier ; peut-être a-t-il changé. ',
  'Проверяю файл ещё раз. ',
  '我再检查一遍这个文件。',
  'もう一度ファイルを確認します。次にテストを実行します。',
  '파일을 다시 확인하겠습니다. ',
  'سأتحقق من الملف مرة أخرى. ',
  'मैं फ़ाइल फिर से जाँचता हूँ। ',
  'ฉันจะตรวจสอบไฟล์อีกครั้ง ',
  'Checking… 👩‍💻👍🏽 ',
  'no, wait, ',
  'wait ',
  `${scattered(150)}So I go on.\n\n`,
]

const PREFIXES = [
  '',
  'Wait, ',
  'Let me see. ',
  'So then I thought about it once more. ',
  '# Plan\n\n',
  'The answer: ',
  '好的。',
  'x',
  `${scattered(900)}. `,
]

const SIZES = [1, 2, 7, 63, 64, 65, 500, 5000, 1e6]

function inDeltas(text: string, size: number, type: Channel): ModelEvent[] {
  const deltas: ModelEvent[] = []
  for (let at = 0; at < text.length; at += size) {
    deltas.push({ type, text: text.slice(at, at + size) })
  }
  return deltas
}

const isSentence = (lap: string) => /(?:[.!?।] |\n|。)$/.test(lap)

/** What is left in the history of a turn that says this and is cut. */
async function leftOf(
  events: readonly ModelEvent[],
  channel: Channel = 'text',
  guard: AgentOptions['guard'] = {},
) {
  const turn = [...events, { type: 'finish', reason: 'stop' } as const]
  const agent = createAgent({ model: scriptedModel([turn, says('Sorry.')]), guard })
  const told = await collect(agent.sendMessageStream('go'))
  const [answer] = agent.history.filter(({ role }) => role === 'assistant')
  const text = (answer?.role === 'assistant' ? answer.content : [])
    .map((part) => (part.type === channel ? part.text : ''))
    .join('')
  const findings = [...ofType(told, 'loop_warning'), ...ofType(told, 'loop_detected')]
  return { text, answer, kinds: findings.map(({ finding }) => finding.kind) }
}

const MARK = ' […]'

describe('of a chant that is cut', () => {
  const chants = fc.record({
    lap: fc.constantFrom(...LAPS),
    prefix: fc.constantFrom(...PREFIXES),
    rest: fc.constantFrom('', 'Now I know what is wrong, and write it down.'),
    size: fc.constantFrom(...SIZES),
    channel: fc.constantFrom<Channel>('text', 'reasoning'),
  })

  it('one aligned repeat is left, and what stands before it', async () => {
    await fc.assert(
      fc.asyncProperty(chants, async ({ lap, prefix, rest, size, channel }) => {
        const chant = lap.repeat(Math.ceil(9000 / lap.length))
        const deltas = inDeltas(prefix + chant + rest, size, channel)
        const { text, kinds } = await leftOf(deltas, channel)
        expect(kinds).toEqual(['chant'])
        // where a lap has no end of a sentence, but one within, it may be seen to begin there
        const whole =
          prefix + lap + (isSentence(lap) ? '' : lap.slice(0, lap.search(/[.!?…] /) + 1))
        expect([prefix + lap, whole].map((left) => left.trimEnd() + MARK)).toContain(text)
        expect(text.split(lap.trimEnd())).toHaveLength(2)
      }),
      {
        numRuns: 150,
        examples: [
          [{ lap: 'I will check once more. ', prefix: '', rest: '', size: 1e6, channel: 'text' }],
        ],
      },
    )
  })

  it('one repeat is left where what stands before it ends as it does', async () => {
    for (const size of SIZES) {
      const lap = 'I will look. Then I check. '
      const { text } = await leftOf(inDeltas(`So I check. ${lap.repeat(40)}`, size, 'text'))
      expect(text).toBe(`So I check. I will look. Then I check.${MARK}`)
    }
  })

  it('no word is torn apart, wherever in a repeat the answer begins', async () => {
    const words = fc.array(
      fc.constantFrom(
        'I',
        'will',
        'check',
        'once',
        'more.',
        'file,',
        'foo(bar)',
        'x=1;',
        '再确认。',
      ),
      { minLength: 2, maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(
        words,
        fc.nat(40),
        fc.boolean(),
        fc.nat(90),
        async (words, at, isHead, size) => {
          const lap = `${words.join(' ')} `
          const place = at % lap.length
          const before = isHead ? lap.slice(0, place) : lap.slice(place)
          const text = before + lap.repeat(Math.ceil(6000 / lap.length))
          const { text: left, kinds } = await leftOf(inDeltas(text, size + 1, 'text'))
          fc.pre(kinds[0] === 'chant')
          const kept = left.slice(0, -MARK.length)
          expect(text.startsWith(kept)).toBe(true)
          expect(text.slice(kept.length - 1)).toMatch(/^(?:。|\S\s)/)
        },
      ),
      { numRuns: 300, examples: [[['I', 'will', 'check', 'once', 'more.'], 9, false, 0]] },
    )
  })

  it('never two repeats are left, whatever its letters, and the same ones for any size of deltas', async () => {
    const words = fc.array(
      fc.constantFrom('alpha', 'beta', 'gamma', 'delta', '再', 'é', '👍', '7', '\n', '-'),
      {
        minLength: 1,
        maxLength: 60,
      },
    )
    await fc.assert(
      fc.asyncProperty(words, words, fc.constantFrom(...SIZES), async (before, lapWords, size) => {
        const lap = `${lapWords.join(' ')} `
        const text = `${before.join(' ')}. ${lap.repeat(Math.ceil(12_000 / lap.length))}`
        const [one, other] = [
          await leftOf(inDeltas(text, size, 'text')),
          await leftOf(inDeltas(text, 1e6, 'text')),
        ]
        fc.pre(one.kinds[0] === 'chant')
        expect(one.text).toBe(other.text)
        const kept = one.text.slice(0, -MARK.length)
        expect(text.startsWith(kept)).toBe(true)
        expect(kept.length).toBeGreaterThanOrEqual(before.join(' ').length)
        expect(kept.length).toBeLessThan(before.join(' ').length + 2 + 2 * lap.length)
      }),
      { numRuns: 60 },
    )
  })

  it('the first count is left where it counts', async () => {
    const text = Array.from(
      { length: 400 },
      (_, n) => `Try ${n + 1}: I read the file and it is empty.\n`,
    )
    for (const size of SIZES) {
      const { text: left, kinds } = await leftOf(inDeltas(`Well.\n${text.join('')}`, size, 'text'))
      expect(kinds).toEqual(['counting'])
      expect(left).toBe(`Well.\nTry 1: I read the file and it is empty.${MARK}`)
    }
  })

  it('one aligned repeat of code is left', async () => {
    const laps = [
      'console.log("here");\n',
      'if (isReady(user)) {\n  start(user)\n}\n',
      '    return self.check_once_more(value)\n\n',
      '<li class="item">one more</li>\n',
      'checkOnce(file, 3), ',
      'x += step(x); ',
    ]
    const prefixes = ['', 'So:\n\n```js\n', 'const user = load()\n', 'function run() {\n  ']
    for (const lap of laps) {
      for (const prefix of prefixes) {
        for (const size of [1, 7, 64, 5000]) {
          const code = prefix + lap.repeat(Math.ceil(40_000 / lap.length))
          const { text, kinds } = await leftOf(inDeltas(code, size, 'text'))
          expect(kinds, code.slice(0, 60)).toEqual(['chant'])
          expect(text).toBe((prefix + lap).trimEnd() + MARK)
        }
      }
    }
  })

  it('no blanks are left', async () => {
    for (const size of SIZES) {
      const { text, kinds } = await leftOf(
        inDeltas(`So:${' \n'.repeat(4000)}and more`, size, 'text'),
      )
      expect(kinds).toEqual(['blanks'])
      expect(text).toBe(`So:${MARK}`)
    }
  })

  it('little is left of one without laps, and no word is cut', async () => {
    const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta']
    const random = createRandom()
    const shuffled = Array.from(
      { length: 900 },
      () => `I look at ${names[random(7)]} again. `,
    ).join('')
    const { kinds } = await leftOf(inDeltas(shuffled, 5, 'text'))
    expect(['shuffled', 'template', 'few-words']).toContain(kinds[0])
    for (const size of SIZES) {
      const { text } = await leftOf(inDeltas(`Well, here is the thing. ${shuffled}`, size, 'text'))
      expect(text.length).toBeLessThan(1000)
      expect(text).toMatch(/^Well, here is the thing\. (?:I look at \w+ again\. ?)+ \[…\]$/)
    }
  })

  it('one repeat is left by the rules of the presets too', async () => {
    const lap = 'I will check the file once more, and then I will go on with it. '
    for (const preset of ['gemini-cli', 'qwen-code'] as const) {
      expect(presets[preset]).toBeDefined()
      for (const size of SIZES) {
        const deltas = inDeltas(`Let me see. ${lap.repeat(60)}`, size, 'text')
        const { text } = await leftOf(deltas, 'text', { preset: presets[preset] })
        expect(text).toBe(`Let me see. ${lap.trimEnd()}${MARK}`)
      }
    }
  })

  it('one repeat is left where it goes on from part to part, and the parts before it', async () => {
    const lap = 'I will check once more. '
    const half = { type: 'text' as const, text: lap.repeat(5), meta: { id: 1 } }
    const { answer } = await leftOf([
      { type: 'reasoning', text: 'Hm.', meta: { id: 0 } },
      ...(calling(['look']).slice(0, 1) as ModelEvent[]),
      { type: 'text', text: 'Let me see. ', meta: { id: 2 } },
      { ...half },
      { type: 'reasoning', text: 'Hm again.' },
      { ...half },
      { ...half },
    ])
    expect(answer?.content).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'tool-call' },
      { type: 'text', text: 'Let me see. ' },
      { type: 'text', text: `I will check once more.${MARK}` },
    ])
  })

  it('one repeat is left when it is stopped too', async () => {
    const deltas = inDeltas(`Let me see. ${'I will check once more. '.repeat(900)}`, 1e6, 'text')
    const { text } = await leftOf(deltas, 'text', { ladder: ['stop'] })
    expect(text).toBe(`Let me see. I will check once more.${MARK}`)
  })
})

/** Numbers below a limit, the same ones each time. */
function createRandom(): (limit: number) => number {
  let state = 1
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % limit
  }
}

it('a long answer that does not repeat itself is left as it is', async () => {
  const text = Array.from({ length: 4000 }, (_, n) => `${(n * 7919) % 10007}-${n ^ 0x5a5} `).join(
    '',
  )
  const { text: left } = await leftOf([{ type: 'text', text }])
  expect(left).toBe(text)
})
