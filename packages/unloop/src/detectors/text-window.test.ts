import { testDetector } from '../../test/detector.js'
import { call, deltas, prompt, retry, text, times } from '../../test/events.js'
import { textWindow } from './text-window.js'

const sentence = 'I will now look at the file and then decide what to do.\n' // 56 characters
const fifty = sentence.slice(0, 50)

/** Ordinary words that never repeat. */
const prose = (count: number) =>
  Array.from({ length: count }, (_, i) => `word${(i * 7919) % 10007} and`).join(' ')

/** A lap again and again, up to the character that completes a window for the tenth time. */
const chant = (lap: string) => deltas(lap.repeat(60).slice(0, 50 + 9 * lap.length), 1)

testDetector(textWindow(), {
  trips: {
    'when fifty characters have come ten times': times(10, [text(fifty)]),
    'one character at a time': chant(fifty),
    'at a period of 250': chant(`${fifty}${prose(40).slice(0, 200)}`),
    'on uppercase words, which are no divider': chant('SELECT '),
    'on numbers, which are no divider': chant('12345'),
    'in any language': chant('我会再看一遍这个文件。'),
    'with half a surrogate pair at the cut': chant('😀🙃'),
    'after a code block was closed': [text('```\ncode\n```\n'), ...times(10, [text(fifty)])],
  },
  quiet: {
    'for nine times': times(9, [text(fifty)]),
    'when they lie more than 250 apart': deltas(
      `${fifty}${prose(60).slice(0, 201)}`.repeat(12),
      20,
    ),
    'on ordinary text': deltas(prose(4000), 20),
    'when a call comes in between': [
      ...times(9, [text(fifty)]),
      call('ls'),
      ...times(9, [text(fifty)]),
    ],
    'when the text is sent again': [
      ...times(9, [text(fifty)]),
      retry(),
      ...times(9, [text(fifty)]),
    ],
    'on a new prompt': [...times(9, [text(fifty)]), prompt(), ...times(9, [text(fifty)])],
    'inside a code block': deltas(`\`\`\`js\n${'let a = 1\n'.repeat(100)}\`\`\`\n`, 7),
    'inside a block of longer fences': deltas(`~~~~~\n${'```\n'.repeat(100)}~~~~~\n`, 7),
    'on a divider, however long': deltas('-'.repeat(3000), 7),
    'on box drawing': deltas('╭─'.repeat(1500), 7),
    'on a table': deltas('| a | b |\n'.repeat(100), 7),
    'on a list': deltas('- the same item\n'.repeat(100), 7),
    'on a numbered list': deltas('1. the same item\n'.repeat(100), 7),
    'on headings': deltas('## the same heading\n'.repeat(100), 7),
    'on quotes': deltas('> the same quote\n'.repeat(100), 7),
  },
})
