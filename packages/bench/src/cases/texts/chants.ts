import { paragraph, prose, sentence } from '../../prose.js'
import { nouns } from '../../words.js'
import type { LoopKind } from '../case.js'
import { cjkSentences } from '../tables/cjk.js'
import { writeChant } from './write-text.js'

const usual = 'the sixth repeat or 900 characters, whichever is later'

/** A message that says the same again and again, letter for letter. */
export const chantLoops: readonly LoopKind[] = [
  {
    kind: 'chant-letters',
    evident: usual,
    write(stage) {
      const { random } = stage
      const unit = random.pick(['ny', 'a', 'ha', 'no', '0', 'xy', 'lo', 'na ', 'é', '的'])
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-word',
    evident: usual,
    write(stage) {
      const { random } = stage
      const unit = random.pick(nouns) + random.pick([' ', '\n', '\n\n', ', ', '. ', '', '! '])
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-upper-case',
    evident: usual,
    write(stage) {
      const { random } = stage
      const unit = random.pick(['SELECT', '12345', 'ERROR ', 'NULL', 'TODO ', 'EOF\n', 'END;\n'])
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-phrase',
    evident: usual,
    write(stage) {
      const { random } = stage
      const unit = random.pick([
        "I'll do it. I'll execute. ",
        "I'll send.\n",
        'yes agree\n',
        '(Ok). Replace. Run. ',
        '"Yes."\n',
        'Wait, no. ',
        'Let me check. ',
        `The ${random.pick(nouns)} is done. `,
      ])
      return writeChant(stage, { unit: () => unit })
    },
  },
  ...(
    [
      ['chant-sentence', 20, 120],
      ['chant-two-sentences', 90, 260],
      ['chant-paragraph', 250, 700],
      ['chant-long-paragraph', 700, 1600],
      ['chant-page', 1600, 4000],
    ] as const
  ).map(
    ([kind, least, most]): LoopKind => ({
      kind,
      evident: usual,
      write(stage) {
        const { random } = stage
        const unit = `${prose(random, random.int(least, most) - 1)}${random.pick([' ', '\n'])}`
        return writeChant(stage, { unit: () => unit })
      },
    }),
  ),
  {
    kind: 'chant-cjk',
    evident: usual,
    write(stage) {
      const { random } = stage
      const unit = random.sample(cjkSentences, random.int(1, 4)).join('')
      return writeChant(stage, { unit: () => unit, opening: random.pick(cjkSentences) })
    },
  },
  {
    kind: 'chant-emoji',
    evident: usual,
    write(stage) {
      const { random } = stage
      const unit = random.pick(['🚀', '✅ done ', '🎉🎉 ', '👍 Great! '])
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-announces-its-end',
    evident: usual,
    write(stage) {
      const { random } = stage
      const unit = `${sentence(random)} ${random.pick(['I will stop looping now.', 'This is the last time I say this.', 'I must stop repeating myself.'])}\n`
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-two-paragraphs',
    evident: 'the sixth repeat of both paragraphs together',
    write(stage) {
      const { random } = stage
      const unit = `${paragraph(random, 4)}\n\n${paragraph(random, 4)}\n\n`
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-in-thought',
    evident: usual,
    write(stage) {
      const { random } = stage
      const unit = `${prose(random, random.int(15, 500))}${random.pick([' ', '\n', '\n\n'])}`
      return writeChant(stage, { unit: () => unit, channel: 'reasoning' })
    },
  },
]
