import { prose, sentence, thing } from '../../prose.js'
import type { LoopKind } from '../case.js'
import { symbol } from '../code.js'
import { stems, verbs } from '../tables/names.js'
import { writeChant } from './write-text.js'

const SHORT = [
  "I'll do it.",
  "I'll execute.",
  'Ok.',
  'Go.',
  "I'll run it.",
  'Done.',
  'Replace.',
  'Run.',
]

/** Chants that are not the same to the letter. */
export const variedChantLoops: readonly LoopKind[] = [
  {
    kind: 'chant-template',
    evident:
      'the tenth repeat of a sentence with one changing word, or 1,500 characters, whichever is later',
    write(stage) {
      const { random } = stage
      const [head, tail] = random.pick([
        ['I will ', '.'],
        ['I will now ', ' it and then check the result.'],
        ["Okay, let's ", ' the file again and see what happens.'],
        ['Next, I should ', ' everything before going on.'],
      ] as const)
      const words = random.sample(verbs, random.int(3, 8))
      const end = random.pick([' ', '\n'])
      return writeChant(stage, {
        unit: () => `${head}${random.pick(words)}${tail}${end}`,
        evidentLaps: 10,
        evidentCharacters: 1500,
      })
    },
  },
  {
    kind: 'chant-few-words',
    evident: 'two hundred and fifty of a few short sentences in any order',
    write(stage) {
      const { random } = stage
      const ways = random.sample(SHORT, random.int(4, 6))
      return writeChant(stage, {
        unit: () => `${random.pick(ways)} `,
        evidentLaps: 250,
        evidentCharacters: 1200,
      })
    },
  },
  {
    kind: 'chant-paraphrases',
    evident: 'six times round of two to four paraphrases, or 900 characters, whichever is later',
    write(stage) {
      const { random } = stage
      const ways = Array.from({ length: random.int(2, 4) }, () => `${sentence(random)} `)
      return writeChant(stage, { unit: () => ways.join('') })
    },
  },
  {
    kind: 'chant-shuffled-paraphrases',
    evident:
      'about ten repeats of each of three paraphrases in any order, or 2,000 characters, whichever is later',
    write(stage) {
      const { random } = stage
      const ways = Array.from({ length: 3 }, () => `${sentence(random)} `)
      return writeChant(stage, {
        unit: () => random.sample(ways, ways.length).join(''),
        evidentLaps: 10,
        evidentCharacters: 2000,
      })
    },
  },
  {
    kind: 'chant-tool-calls',
    evident: 'the sixth call written out as text, or 900 characters, whichever is later',
    write(stage) {
      const { random } = stage
      const call = JSON.stringify({
        name: symbol(random, 'py'),
        arguments: { path: random.pick(stems), query: thing(random), limit: random.int(1, 50) },
      })
      const unit = random.pick([
        `<tool_call>\n${call}\n</tool_call>\n`,
        `<function_call> ${call} </function_call>\n`,
        `\`\`\`json\n${call}\n\`\`\`\n`,
        `[TOOL_REQUEST]\n${call}\n[END_TOOL_REQUEST]\n\n`,
        `Action: ${symbol(random)}\nAction Input: ${call}\n`,
        `${symbol(random, 'py')}(path="${random.pick(stems)}", force=True)\n`,
      ])
      return writeChant(stage, { unit: () => unit, opening: '' })
    },
  },
  {
    kind: 'chant-two-tool-calls',
    evident:
      'the sixth round of two calls written out as text, or 900 characters, whichever is later',
    write(stage) {
      const { random } = stage
      const name = symbol(random, 'py')
      const call = (flag: boolean) =>
        `<tool_call>\n${JSON.stringify({ arguments: { company: random.pick(stems), trends: flag }, name })}\n</tool_call>\n`
      const unit = call(true) + call(false)
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-role-play',
    evident: 'the sixth made-up exchange, or 900 characters, whichever is later',
    write(stage) {
      const { random } = stage
      const unit = `User: ${prose(random, 40)}?\nAssistant: ${prose(random, random.int(40, 200))}.\n`
      return writeChant(stage, { unit: () => unit })
    },
  },
  {
    kind: 'chant-blanks',
    evident: '3,000 characters of nothing but blanks or marks',
    write(stage) {
      const { random } = stage
      const unit = random.pick(['\n', ' ', '\t', '""', '```\n', '. ', '\n\n \n', '…'])
      return writeChant(stage, { unit: () => unit, evidentCharacters: 3000 })
    },
  },
]
