import { describe, expect, it } from 'vitest'
import { testDetector } from '../../test/detector.js'
import { call, deltas, prompt, retry, text, times, turn } from '../../test/events.js'
import { createGuard } from '../guard.js'
import { chanting } from './chanting.js'

const words = `parser router store cache model view guard hook lexer index query table stream buffer
  token while under every about often rather before moves keeps gives takes calls needs finds`.split(
  /\s+/,
)
/** Sentences of which none is like another. */
const prose = (characters: number, seed = 1) => {
  let value = seed
  let line = ''
  while (line.length < characters) {
    value = (value * 48271) % 2147483647
    line += `${words[value % words.length]}${value % 11 === 0 ? '. ' : ' '}`
  }
  return line.slice(0, characters - 2).concat('.\n')
}

/** So many laps are allowed, and so many are found. */
const laps = (lap: string | ((n: number) => string), allowed: number, found: number) => {
  const upTo = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) =>
      typeof lap === 'string' ? lap : lap(from + n),
    ).join('')
  return [text(upTo(0, allowed)), text(upTo(allowed, found))]
}

const sentence = 'I will now look at the file again, then decide. '
const slot = (n: number) => `Let me check whether the ${words[n]} in question is defined. `
const shuffled = [
  'I will run it now. ',
  'Let me do it. ',
  'Executing the command. ',
  'Here we go. ',
]

const two = (n: number) => String(n).padStart(2, '0')
/** The lines of a log, several in each second; each line gets its time. */
const log = (line: (time: string, n: number) => string, count = 300) =>
  Array.from({ length: count }, (_, n) => {
    const second = Math.floor(n / 4)
    return `${line(`10:${two(Math.floor(second / 60))}:${two(second % 60)}`, n)}\n`
  }).join('')

const waits = 'The pool of connections is empty, so the request has to wait.'
const trace = words
  .slice(0, 19)
  .map((word, n) => `  in ${word} (line ${n * 7}): return self.${word}(request)\n`)
  .join('')
const licence = prose(1300, 3)

testDetector(chanting(), {
  trips: {
    'on more times than were asked for': [
      prompt('Write this sentence 10 times'),
      text(sentence.repeat(15)),
    ],
    'on a sentence by the seventh time': laps(sentence, 5, 7),
    'on a word, once it fills some lines': laps('court ', 35, 60),
    'on two letters': laps('ny', 100, 160),
    'on words that agree with themselves': laps('yes agree ', 20, 40),
    'on a paragraph by the fourth time': laps(prose(600), 2, 4),
    'on a page of 2000 characters': laps(prose(2000), 2, 4),
    'on almost 4000 characters': laps(prose(3900), 2, 4),
    'when each lap counts one up': laps((n) => `Trying to click on index ${n} now. `, 8, 16),
    'when each lap has its time': laps((n) => `It is 10:${10 + n}, still no answer here. `, 8, 16),
    'on two sentences in turn': laps(`${sentence}Let me run the command now. `, 5, 7),
    'on sentences in no order': laps((n) => shuffled[(n * n + (n >> 2)) % 4] as string, 8, 90),
    'on one sentence with a word that changes': laps(slot, 12, 24),
    'in a list': laps('- check the file again\n', 5, 40),
    'in a numbered list': laps((n) => `${n + 1}. Check the file once more.\n`, 7, 30),
    'in headings': laps('## Look at the file\n\n', 5, 40),
    'in quotes': laps('> the same quote again\n', 5, 40),
    'in a block of code': [text('```js\n'), ...laps('if (a) { return load(a) }\n', 20, 50)],
    'on calls that are written out': laps(
      '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>\n',
      5,
      9,
    ),
    ...Object.fromEntries(
      [
        `{'name': 'read', 'parameters': {'path': 'a.ts'}}\n`,
        `[{'name': 'read', 'params': {'path': 'a.ts'}}]\n`,
        '{`name`: `read`, `arguments`: {`path`: `a.ts`}}\n',
        '{"arguments": "{}", "name": "read"}, ',
        '<read_file>\n<path>src/a.ts</path>\n</read_file>\n',
        '<function=bash>\n<parameter=command>ls</parameter>\n</function>\n',
        '<|start|>assistant<|call|>{"path":"a"}',
      ].map((call) => [`on the call ${call.trim()}`, laps(call, 4, 9)]),
    ),
    'on a call in Python': laps(`[read(path='src/a.ts', lines=20)]\n`, 20, 30),
    'in Chinese': laps('我会再看一遍这个文件。', 12, 40),
    'in Russian': laps('Я ещё раз посмотрю файл. ', 5, 20),
    'on rows of a table that never end': laps('| a | b | c |\n', 300, 500),
    'on a ruler that never ends': laps('─', 1500, 2500),
    'on blanks that never end': laps(' ', 1500, 2500),
    'on empty lines': laps('\n', 160, 175),
    'on lines that look empty': laps('    \n', 160, 175),
    'on lines of marks': laps('###\n', 150, 175),
    'on one value in a line': laps("'G', ", 100, 130),
    'on one number in a line': laps('0, ', 450, 520),
    'on a short list in a line': laps('"snow", "ghost white", "azure", ', 14, 20),
    'on numbers that come back in a line': laps('0.5, 0.25, 3, ', 40, 50),
    'on an encoding': laps('jI4N', 190, 230),
    'on an encoding in lines': laps(`${'jI4N'.repeat(19)}\n`, 9, 12),
    'on rows of a log that never end': laps('2031-04-05 10:11:12 WARN no pool\n', 280, 350),
    'after other text': [text(prose(5000)), ...laps(sentence, 5, 7)],
    'whatever the deltas': [...deltas(sentence.repeat(5), 3), text(sentence.repeat(2))],
  },
  quiet: {
    'on as many times as were asked for': [
      prompt('Write this sentence 30 times'),
      text(sentence.repeat(30)),
    ],
    'on five times': [text(sentence.repeat(5))],
    'on ordinary words': deltas(prose(30_000), 50),
    'on paragraphs that begin alike': deltas(
      Array.from({ length: 20 }, (_, n) => `To begin with, ${prose(200, n + 5)}`).join('\n'),
      50,
    ),
    'on a list of different items': deltas(words.map((word) => `- the ${word}\n`).join(''), 50),
    'on a table': deltas(
      words.map((word, n) => `| ${word} | ${n} | ${n % 2 ? 'yes' : 'no'} |\n`).join(''),
      50,
    ),
    'on a hundred functions that are alike': deltas(
      Array.from({ length: 100 }, (_, n) => `export const f${n} = (x) => x + ${n}\n`).join(''),
      50,
    ),
    'on like asserts': deltas(
      Array.from({ length: 100 }, (_, n) => `assert f(${n}) == ${n * n}\n`).join(''),
      50,
    ),
    'on rows of numbers': deltas(
      Array.from({ length: 300 }, (_, n) => `${n},${n * 3},${n % 7}\n`).join(''),
      50,
    ),
    'on records of JSON': deltas(
      Array.from({ length: 150 }, (_, n) => `{"id": ${n}, "ok": true, "name": null},\n`).join(''),
      50,
    ),
    'on a log': deltas(
      log((time) => `Apr  5 ${time} host app[17]: ${waits}`),
      50,
    ),
    'on a log that says the same in one second': [
      text(`2031-04-05 10:11:12 WARN ${waits}\n`.repeat(60)),
    ],
    'on a log that ends its lines with a space': deltas(
      log((time) => `[${time}] ${waits} `),
      50,
    ),
    'on a log with the trace of each error': deltas(
      log((time, n) => `2031-04-05T${time}.${100 + n}Z ERROR It broke.\n${trace}`, 12),
      50,
    ),
    'on a log of JSON': deltas(
      log((time) => `{"time":"2031-04-05T${time}Z","name":"read","parameters":{"id":3}}`),
      50,
    ),
    'on a log of levels': deltas(
      log((_, n) => `INFO:app:Read ${n} of 300 files, more to come`),
      50,
    ),
    'on lines that begin with a number': deltas(
      log((_, n) => `${n} The order was shipped and the customer was told.`),
      50,
    ),
    'on a changelog': deltas(
      log((_, n) => `## 1.0.${n}\n\n### Changes\n\n- Nothing new for anybody.\n`, 30),
      50,
    ),
    'on a few empty lines': [text(`${'\n'.repeat(140)}and${'\n'.repeat(140)}`)],
    'on numbers that a machine wrote': [
      text(`{"a":[${Array(1500).fill(0)}],"b":[${Array(700).fill(null).map(String)}]}`),
    ],
    'on numbers in lines': deltas('  255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0,\n'.repeat(60), 50),
    'on zeros in base64': deltas(`${'A'.repeat(76)}\n`.repeat(40), 50),
    'on copies of a license': deltas(
      log((_, n) => `${prose(60, n + 9)}${licence}`, 6),
      50,
    ),
    'on a hex dump of zeros': deltas('00 00 00 00 00 00 00 00\n'.repeat(100), 50),
    'on rulers and boxes': deltas(`┌${'─'.repeat(70)}┐\n│${' '.repeat(70)}│\n`.repeat(8), 50),
    'on a row of dots': [text(`Contents ${'.'.repeat(900)} 7`)],
    'when a call comes in between': times(4, [text(sentence.repeat(4)), call('ls')]),
    'when each turn says it once': times(12, [text(sentence), turn()]),
    'when the text is sent again': times(4, [text(sentence.repeat(4)), retry()]),
    'on a new prompt': times(4, [prompt(), text(sentence.repeat(4))]),
  },
  misses: {
    'lines that count in front': [text(log((_, n) => `${300 - n} files are left to be checked.`))],
    'a call in Python that counts': [text(log((_, n) => `click(index=${n}, button='left')`))],
    'values without a space': [text('0,'.repeat(1500))],
  },
})

describe('chanting', () => {
  it('shows a piece that came as often as it says', () => {
    const guard = createGuard({ detectors: [chanting()] })
    const finding = guard.observe(text(sentence.repeat(7)))
    const pieces = sentence.repeat(7).split(finding?.sample ?? '').length - 1
    expect(pieces).toBeGreaterThanOrEqual(finding?.count ?? 99)
    expect(finding?.action).toBe('cut')
  })
})

describe('a few words in any order', () => {
  const pieces = ["I'll do it.", "I'll execute.", 'Ok.', "I'll run it.", 'Go.']
  const said = (count: number) => {
    let seed = 1
    const next = () => {
      seed = Math.imul(seed, 1103515245) + 12345
      return pieces[(seed >>> 16) % pieces.length]
    }
    return Array.from({ length: count }, next).join(' ')
  }
  const found = (words: string, request = '') => {
    const guard = createGuard({ detectors: [chanting()] })
    guard.observe(prompt(request))
    return deltas(words, 7).flatMap((event) => guard.observe(event) ?? [])
  }

  it('are a chant, but not at once, and not if they were asked for', () => {
    expect(found(said(50))).toEqual([])
    expect(found(said(140))).toMatchObject([{ kind: 'few-words', action: 'cut' }])
    expect(found(said(140), 'Say one of these 140 times')).toEqual([])
  })
})
